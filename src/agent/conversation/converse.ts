import { countOf } from "../../base/count-of.ts";
import type {
  CallRejection,
  ConversationEnd,
  ConversationRecord,
  ConversationTurnRecord,
} from "../../contract/conversation.ts";
import type { SpokenReply } from "../../contract/conversation-parts.ts";
import type { InjectedArgument } from "../../contract/tool-host.ts";
import { type ToolEnvelope, toolError, toolResultLine } from "../../contract/tool-result.ts";
import { watchInterruption } from "../loop/interruption.ts";
import { noListener } from "./conversation-listener.ts";
import { conversationRecord, type Ending, usageOf } from "./conversation-record.ts";
import { type Call, type CallEnd, makeCall } from "./make-call.ts";
import { type ReadReply, readReply } from "./read-reply.ts";
import { beginTalk, type ConverseOptions, type Talk } from "./talk.ts";

/** Holds a conversation to its end and writes all of it down. What a model or a tool does wrong stands there; throws only the signal's reason. */
export async function converse(options: ConverseOptions, signal: AbortSignal): Promise<ConversationRecord> {
  signal.throwIfAborted();
  const { request, document, limits, listen = noListener } = options;
  using interruption = watchInterruption(signal, limits.timeoutMs);
  const talk = beginTalk(options, interruption);
  listen.started({ message_chars: request.length, has_document: document !== null });
  let end: ConversationEnd | "cancelled" = "cancelled";
  try {
    const ending = await hold(talk);
    end = ending.end;
    return conversationRecord(talk, ending);
  } finally {
    listen.ended({
      end,
      ms: Math.round(talk.passedMs()),
      llm_ms: talk.turns.reduce((sum, turn) => sum + turn.llm_ms, 0),
      first_token_ms: talk.turns[0]?.first_token_ms ?? null,
      usage: usageOf(talk.turns),
    });
  }
}

async function hold(talk: Talk): Promise<Ending> {
  const { maxTurns, maxToolCalls, timeoutMs } = talk.options.limits;
  const late: Ending = { end: "timeout", problem: `there was no answer within ${timeoutMs} ms`, final: null };
  let lastTurn = maxTurns;
  let isToAnswer = false;
  let rejected: CallRejection | null = null;
  for (let turn = 1; turn <= lastTurn; turn++) {
    const said = await ask(talk, turn);
    if (said === null) return late;
    if (said.status === "failed") return { end: said.fault, problem: said.message, final: null };
    const read = readReply(said.text, talk.isKnown);
    const entry = entryOf(talk, turn, said, read);
    if (read.kind === "final") {
      talk.turns.push(entry);
      return { end: "final", problem: null, final: read.text };
    }
    if (read.kind === "rejected") {
      talk.turns.push(entry);
      if (rejected !== null) return malformedTwice(rejected, read.rejection);
      rejected = read.rejection;
      tell(talk, said.text, malformed(read.rejection));
      continue;
    }
    rejected = null;
    const ended = await call(talk, turn, read);
    talk.turns.push({ ...entry, call: ended.record });
    if (ended.status === "timeout") return late;
    if (ended.status === "host-failed") return { end: "host-failed", problem: ended.problem, final: null };
    if (ended.record.code === "call-limit" && !isToAnswer) {
      isToAnswer = true;
      lastTurn = turn + 1; // also where all turns are used: it was told to answer
    }
    tell(talk, said.text, ended.envelope);
  }
  const limit = isToAnswer ? `the limit of ${countOf(maxToolCalls, "tool call")}` : countOf(maxTurns, "turn");
  return { end: "turn-limit", problem: `there was no answer after ${limit}`, final: null };
}

/** The next reply, or why there is none; null where the time is up. */
async function ask({ options, interruption, messages, calls, leftMs }: Talk, turn: number) {
  if (leftMs() <= 0) return null;
  const { speaker, listen } = options;
  const results = calls().map(({ data }) => data);
  let said: SpokenReply;
  try {
    said = await speaker.reply([...messages], { results, signal: interruption.signal });
  } catch (error) {
    if (interruption.cause === "timeout") return null;
    throw error;
  }
  if (said.status === "failed") {
    const { ms } = said;
    listen?.modelCalled({ turn, model: speaker.id, kind: "failed", ms, first_token_ms: null, usage: null });
  }
  return said;
}

function entryOf(
  { options: { speaker, listen } }: Talk,
  turn: number,
  { text, ms, firstTokenMs: first_token_ms, usage }: Extract<SpokenReply, { status: "answered" }>,
  read: ReadReply,
): ConversationTurnRecord {
  const { kind } = read;
  listen?.modelCalled({ turn, model: speaker.id, kind, ms, first_token_ms, usage });
  return {
    ...{ turn, kind, reply: text },
    rejection: read.kind === "rejected" ? read.rejection : null,
    lenient: read.kind === "rejected" ? read.lenient : null,
    warnings: read.kind === "call" ? read.warnings : [],
    call: null,
    ...{ llm_ms: ms, first_token_ms, usage },
  };
}

async function call(talk: Talk, turn: number, read: Call): Promise<CallEnd> {
  const { listen } = talk.options;
  const { name: tool, form, warnings } = read;
  const resolved = talk.resolve(tool);
  const skill = resolved.ok ? resolved.tool.skill.id : null;
  let isTold = false;
  const started = (filled: readonly InjectedArgument[]) => {
    if (isTold) return;
    isTold = true;
    listen?.toolStarted({ turn, tool, skill, form, warnings, injected: [...filled] });
  };
  const ended = await makeCall(talk, read, resolved, started);
  started([]); // one that was refused never got to a host
  const { injected, ok, code, ms, result_bytes, repeat } = ended.record;
  listen?.toolEnded({ turn, tool, skill, injected, ok, code, ms, result_bytes, repeat });
  return ended;
}

/** Some providers refuse a message without words, so a reply that had none is not sent back. */
function tell({ messages }: Talk, reply: string, envelope: ToolEnvelope): void {
  if (reply.trim() !== "") messages.push({ role: "assistant", text: reply });
  messages.push({ role: "user", text: toolResultLine(envelope) });
}

function malformed(rejection: CallRejection): ToolEnvelope {
  return toolError("malformed-call", `${rejection}; reply with one bare JSON object {"name","arguments"}`);
}

function malformedTwice(first: CallRejection, second: CallRejection): Ending {
  const problem = `two replies in a row were malformed calls: ${first}, ${second}`;
  return { end: "protocol-failed", problem, final: null };
}
