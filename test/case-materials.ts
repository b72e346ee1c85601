import { caseFigures } from "../src/cases/case-figures.ts";
import type { AgentCase, AgentSubject } from "../src/cases/plan-cases.ts";
import { type AgentDetails, asJson } from "../src/contract/agent-details.ts";
import type { DimensionScore } from "../src/contract/agent-report.ts";
import type { Level } from "../src/contract/level.ts";
import type { LoadedCase } from "../src/contract/loaded-case.ts";
import { agentLevel } from "../src/levels/agent/level.ts";
import { conversationLevel } from "../src/levels/conversation/level.ts";
import type { Json } from "../src/shared/json/json.ts";
import { casesNamed, type LevelMaterial, type SampleEnd, sampleTrials } from "./level-material.ts";

function model(name: string, arm: AgentSubject["arm"] = "installed"): AgentSubject {
  return {
    ...{ skillId: null, skillVersion: "", skillDigest: "sha256:skills", model: name, arm },
    ...{ caseClass: "L2", identity: null },
  };
}

function agentCases(suite: string): AgentCase[] {
  return casesNamed("case-", () => ({
    input: "How long may I keep a film?",
    expected: { skills_any_of: ["loan-rules"], output: { contains_any: ["week"] } },
  })).map((one) => ({
    ...one,
    loaded: { suite, level: "L2", case: { id: one.id, min_pass_rate: 1 } } as unknown as LoadedCase,
    ...{
      skills: null,
      limits: null,
      policy: null,
      judge: null,
      trials: sampleTrials,
      inputs: [],
      deadlineMs: 1000,
      contentDigest: one.digest,
    },
  }));
}

function dimension(status: DimensionScore["status"], ...names: string[]): DimensionScore {
  return {
    status,
    pass: status === "not_applicable" ? null : status === "pass",
    checks: names.map((name) => ({ name, status: status === "fail" ? "fail" : "pass", exercised: true })),
  };
}

/** The grade of a run; a conversation is graded differently. */
function graded({ status, reason }: SampleEnd, isConversation: boolean): AgentDetails {
  const isFailed = status === "fail";
  const hasVerdict = isFailed || status === "pass";
  const none = dimension("not_applicable");
  const decided = isFailed ? "fail" : "pass";
  const own = isConversation
    ? {
        hit: dimension("pass", "skills_all_of"),
        protocol: dimension(decided, "every call is valid on the first try"),
        calls: dimension(decided, "call 1: steep"),
        continuation: dimension("pass", "a final reply"),
      }
    : {};
  const failure = {
    dimension: isConversation ? ("calls" as const) : ("trigger" as const),
    code: isConversation ? "CallResult" : "TriggerForbidden",
    message: reason ?? "close-account must not be selected",
    expected: ["loan-rules"],
    actual: ["loan-rules", "close-account"],
    events: ["run#7"],
    lines: [7, 7],
  };
  return {
    caseClass: "L2",
    runId: isConversation ? null : "20260301_072410_eb89",
    runDir: isConversation ? null : ".agent/runs/20260301_072410_eb89",
    noVerdict: hasVerdict ? null : { code: "model-unavailable", message: reason ?? "no answer" },
    scores: {
      trigger: {
        ...(isConversation ? none : dimension(decided, "any of loan-rules", "none of close-account")),
        ...{
          precision: isFailed ? 0.5 : 1,
          recall: 1,
          selected: ["loan-rules"],
          rejected: ["close-account"],
        },
      },
      sequence: isConversation ? none : dimension("pass", "one action per turn"),
      disclosure: none,
      security: none,
      budget: isConversation ? none : dimension("pass", "max_turns"),
      output: dimension("pass", "contains any"),
      streaming: none,
      ...own,
    },
    failures: isFailed ? [failure] : [],
    notExercised: ["max_tool_calls"],
    stats: {
      ...{ turns: 2, toolCalls: 1, scriptRuns: 0, resourceLoads: 1, modelCalls: 2 },
      ...{ stopReason: "final_answer", degraded: false, isolation: "process" },
    },
    tallies: {
      ...{
        turns: 2,
        firstPass: 2,
        extracted: 0,
        finalValid: 2,
        retryTokens: 0,
        tokens: 420,
        unknownUsage: 0,
      },
      ...{ inputTokens: 400, outputTokens: 20, costUsd: 0.0005 },
      trigger: isConversation
        ? null
        : { selectedExpected: 1, selected: isFailed ? 2 : 1, hits: 1, required: 1 },
    },
    quotes: isFailed ? { "7": '{"type":"skills_selected","skills":["loan-rules","close-account"]}' } : {},
    ...(isConversation && { protocolAfterCorrection: true }),
    grader: isConversation ? "conversation-1" : "1",
  };
}

function caseMaterial(level: Level, suite: string, output: (end: SampleEnd) => Json): LevelMaterial {
  const cases = agentCases(suite);
  const subjects = [model("lab/small"), model("lab/small", "absent"), model("lab/large")];
  const plan = { level: level.name, suite, cases, subjects, casesOf: () => cases };
  const isConversation = level === conversationLevel;
  return {
    level,
    suite,
    subjects,
    casesOf: () => cases,
    fold: () => caseFigures([plan], 0).foldOf(level.name),
    own: (end) => ({ output: output(end), details: asJson(graded(end, isConversation)) }),
    gated: "passRate",
    settings: { runsDir: ".agent/runs", deciders: ["lab/small", "lab/large"] },
  };
}

export const agentMaterial = caseMaterial(agentLevel, "library-desk", () => ({
  runDir: "/work/.agent/runs/20260301_072410_eb89",
}));

const usage = { promptTokens: 200, completionTokens: 10, totalTokens: 210, costUsd: 0.0003 };

export const conversationMaterial = caseMaterial(conversationLevel, "tea-desk", ({ status }) => {
  if (status === "error" || status === "timeout") return null;
  const isRead = status !== "fail";
  const call = {
    ...{ name: "steep", skill: "tea-desk", form: "call" as const, arguments: { kind: "green", cups: 2 } },
    injected: [{ name: "doc_text", chars: 12, sha256: "d0c" }],
    ...{ ok: true, code: null, message: null, data: { degrees: 80 }, result_bytes: 14, ms: 3, repeat: false },
    findings: ["undeclared-argument: cups"],
  };
  const turn = { warnings: [], llm_ms: 25, first_token_ms: 24, usage };
  return asJson({
    record: {
      host: "writer",
      document: { name: "letter.txt", chars: 12, sha256: "d0c" },
      forced: false,
      routing: {
        mode: "lexical",
        catalog_sha256: "ca7",
        query_sha256: "9e1",
        excluded: [{ id: "coffee-desk", reason: "below-threshold" }],
      },
      selected: [
        {
          ...{
            id: "tea-desk",
            version: "1.0.0",
            digest: "sha256:tea",
            priority: 0,
            score: 0.4,
            lex: 0.4,
            emb: null,
          },
          ...{ phrase: 0.2, text: 0.3, injected_chars: 110, truncated: false },
        },
      ],
      tools: ["steep(cups:int) — degrees and grams for a tea @tea-desk"],
      turns: [
        {
          ...turn,
          turn: 1,
          kind: isRead ? "call" : "rejected",
          reply: '```json\n{"name":"steep"}\n```',
          rejection: isRead ? null : "fenced",
          lenient: isRead ? null : { name: "steep", arguments: { cups: 2 } },
          call: isRead ? call : null,
        },
        {
          ...turn,
          turn: 2,
          kind: "final",
          reply: "Water:\n80 degrees",
          rejection: null,
          lenient: null,
          call: null,
        },
      ],
      end: status === "invalid" ? "model-failed" : "final",
      problem: status === "invalid" ? "quota" : null,
      final: status === "invalid" ? null : "Water:\n80 degrees",
      unused_turns: null,
      ms: 29,
    },
    contract: null,
    aliases: { tea: "tea-desk" },
  });
});
