import type {
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../src/contract/conversation.ts";
import { ConversationCaseFile } from "../../src/contract/conversation-case.ts";
import type { LoadedConversationCase } from "../../src/contract/loaded-case.ts";
import { sha256 } from "../../src/shared/json/canonical-json.ts";

const noTime = { llm_ms: 5, first_token_ms: null, usage: null };
const plain = { rejection: null, lenient: null, warnings: [], call: null, ...noTime };

/** A turn that called a tool and got a result. */
export function calledTurn(turn: number, over: Partial<RecordedCall> = {}): ConversationTurnRecord {
  const call: RecordedCall = {
    name: "risk_detector",
    skill: "contract-review",
    form: "call",
    arguments: { max_results: 3, deep: { a: 1, b: [1, 2] } },
    injected: [],
    ok: true,
    code: null,
    message: null,
    data: { total: 3, items: [{ clause: '第7条 "x"' }], empty: "", none: null, isDone: true },
    result_bytes: 40,
    ms: 7,
    repeat: false,
    findings: [],
    ...over,
  };
  const reply = JSON.stringify({ name: call.name, arguments: call.arguments });
  return { turn, kind: "call", reply, ...plain, call };
}

/** A turn whose reply was refused. */
export function rejectedTurn(turn: number, name: string | null = "risk_detector"): ConversationTurnRecord {
  const lenient = name === null ? null : { name, arguments: { max_results: 3 } };
  const reply = "```json\n{}\n```";
  return { turn, kind: "rejected", reply, ...plain, rejection: "fenced", lenient };
}

/** A turn with the last reply. */
export function finalTurn(turn: number, reply: string): ConversationTurnRecord {
  return { turn, kind: "final", reply, ...plain };
}

/** A conversation on a script: one call, and the reply with its result. */
export function sampleRecord(over: Partial<ConversationRecord> = {}): ConversationRecord {
  const final = "共 3 处风险";
  const numbers = { score: 0.8, lex: 0.8, emb: null, phrase: 1, text: 0.5 };
  return {
    host: "writer",
    document: null,
    forced: false,
    routing: {
      mode: "lexical",
      catalog_sha256: sha256("catalog"),
      query_sha256: sha256("query"),
      excluded: [{ id: "ppt-outline", reason: "below the threshold" }],
    },
    selected: [
      {
        id: "contract-review",
        version: "1.0.0",
        digest: sha256("skill"),
        priority: 50,
        ...numbers,
        injected_chars: 100,
        truncated: false,
      },
    ],
    tools: ["risk_detector(max_results:int) — finds risky clauses @contract-review"],
    turns: [calledTurn(1), finalTurn(2, final)],
    end: "final",
    problem: null,
    final,
    unused_turns: 0,
    ms: 20,
    ...over,
  };
}

/** The case of that conversation. */
export function sampleConversationCase(
  over: Record<string, unknown> = {},
  facts: Partial<LoadedConversationCase> = {},
): LoadedConversationCase {
  return {
    kind: "conversation",
    suite: "law",
    digest: sha256("case"),
    requestDigest: sha256("request"),
    level: "L1",
    file: "/cases/law/contract-risk/case.yaml",
    shown: "contract-risk/case.yaml",
    jsonPath: "$",
    dir: "/cases/law/contract-risk",
    files: [],
    asks: [],
    case: ConversationCaseFile.parse({
      id: "contract-risk",
      kind: "conversation",
      input: "审一下这份合同的风险",
      expect: {
        skills_all_of: ["contract-review"],
        skills_none_of: ["ppt-outline"],
        tool_calls: [{ name: "risk_detector", arguments: { max_results: 3 }, result: "ok" }],
        uses_result: ["$[0].total"],
        output: { contract: true, contains_all: ["风险"] },
        ...over,
      },
    }),
    request: "审一下这份合同的风险",
    skillRoots: null,
    document: null,
    forced: null,
    expectedFiles: {},
    outputSchema: undefined,
    ...facts,
  };
}
