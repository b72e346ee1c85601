import { watchInterruption } from "../../../agent-runtime/loop/stop.ts";
import type {
  CallRejection,
  ConversationEnd,
  ConversationRecord,
  ConversationTurnRecord,
} from "../../../contract/conversation.ts";
import type { SpokenReply } from "../../../contract/conversation-parts.ts";
import type { InjectedArgument } from "../../../contract/tool-host.ts";
import { type ToolEnvelope, toolError, toolResultLine } from "../../../contract/tool-result.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { noListener } from "./conversation-listener.ts";
import { conversationRecord, type Ending, sumTurnUsage } from "./conversation-record.ts";
import { type Call, type CallEnd, makeCall } from "./make-call.ts";
import { type ReadReply, readReply } from "./read-reply.ts";
import { beginSession, type ConversationSession, type ConverseOptions } from "./session.ts";

/** Holds a conversation to its end and records it, including the errors of models and tools. Throws only the signal's reason. */
export async function converse(options: ConverseOptions, signal: AbortSignal): Promise<ConversationRecord> {
  signal.throwIfAborted();
  const { request, document, limits, listen = noListener } = options;
  using interruption = watchInterruption(signal, limits.timeoutMs);
  const session = beginSession(options, interruption);
  listen.started({ message_chars: request.length, has_document: document !== null });
  let end: ConversationEnd | "cancelled" = "cancelled";
  try {
    const ending = await hold(session);
    end = ending.end;
    return conversationRecord(session, ending);
  } finally {
    listen.ended({
      end,
      ms: Math.round(session.passedMs()),
      llm_ms: session.turns.reduce((sum, turn) => sum + turn.llm_ms, 0),
      first_token_ms: session.turns[0]?.first_token_ms ?? null,
      usage: sumTurnUsage(session.turns),
    });
  }
}

async function hold(session: ConversationSession): Promise<Ending> {
  const { maxTurns, maxToolCalls, timeoutMs } = session.options.limits;
  const late: Ending = { end: "timeout", problem: `no answer within ${timeoutMs} ms`, final: null };
  let lastTurn = maxTurns;
  let isToAnswer = false;
  let rejected: CallRejection | null = null;
  for (let turn = 1; turn <= lastTurn; turn++) {
    const reply = await ask(session, turn);
    if (reply === null) return late;
    if (reply.status === "failed") return { end: reply.fault, problem: reply.message, final: null };
    const read = readReply(reply.text, session.isKnown);
    const entry = recordTurn(session, turn, reply, read);
    if (read.kind === "final") {
      session.turns.push(entry);
      return { end: "final", problem: null, final: read.text };
    }
    if (read.kind === "rejected") {
      session.turns.push(entry);
      if (rejected !== null) return malformedTwice(rejected, read.rejection);
      rejected = read.rejection;
      emit(session, reply.text, malformed(read.rejection));
      continue;
    }
    rejected = null;
    const ended = await call(session, turn, read);
    session.turns.push({ ...entry, call: ended.record });
    if (ended.status === "timeout") return late;
    if (ended.status === "host-failed") return { end: "host-failed", problem: ended.problem, final: null };
    if (ended.record.code === "call-limit" && !isToAnswer) {
      isToAnswer = true;
      lastTurn = turn + 1; // also where all turns are used: it was asked to answer
    }
    emit(session, reply.text, ended.envelope);
  }
  const limit = isToAnswer
    ? `the limit of ${pluralize(maxToolCalls, "tool call")}`
    : pluralize(maxTurns, "turn");
  return { end: "turn-limit", problem: `no answer after ${limit}`, final: null };
}

/** The next reply, or why there is none; null where the time is up. */
async function ask({ options, interruption, messages, calls, leftMs }: ConversationSession, turn: number) {
  if (leftMs() <= 0) return null;
  const { speaker, listen } = options;
  const results = calls().map(({ data }) => data);
  let reply: SpokenReply;
  try {
    reply = await speaker.reply([...messages], { results, signal: interruption.signal });
  } catch (error) {
    if (interruption.cause === "timeout") return null;
    throw error;
  }
  if (reply.status === "failed") {
    const { ms } = reply;
    listen?.modelCalled({ turn, model: speaker.id, kind: "failed", ms, first_token_ms: null, usage: null });
  }
  return reply;
}

function recordTurn(
  { options: { speaker, listen } }: ConversationSession,
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

async function call(session: ConversationSession, turn: number, read: Call): Promise<CallEnd> {
  const { listen } = session.options;
  const { name: tool, form, warnings } = read;
  const resolved = session.resolve(tool);
  const skill = resolved.ok ? resolved.tool.skill.id : null;
  let hasStarted = false;
  const started = (filled: readonly InjectedArgument[]) => {
    if (hasStarted) return;
    hasStarted = true;
    listen?.toolStarted({ turn, tool, skill, form, warnings, injected: [...filled] });
  };
  const ended = await makeCall(session, read, resolved, started);
  started([]); // one that was refused never got to a host
  const { injected, ok, code, ms, result_bytes, repeat } = ended.record;
  listen?.toolEnded({ turn, tool, skill, injected, ok, code, ms, result_bytes, repeat });
  return ended;
}

/** Some providers reject an empty message, so an empty reply is not sent back. */
function emit({ messages }: ConversationSession, reply: string, envelope: ToolEnvelope): void {
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
