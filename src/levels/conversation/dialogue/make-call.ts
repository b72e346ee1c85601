import type { RecordedCall } from "../../../contract/conversation.ts";
import { type ToolOutcome, type ToolRequest, toolDeadlineMs } from "../../../contract/tool-host.ts";
import { type ToolEnvelope, toEnvelope, toolError } from "../../../contract/tool-result.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import type { ResolvedTool } from "./conversation-tools.ts";
import type { ReadReply } from "./read-reply.ts";
import type { ConversationSession } from "./session.ts";

export type Call = Extract<ReadReply, { kind: "call" }>;

/** The result of a call: what the model sees, or why the conversation cannot continue. */
export type CallEnd =
  | { status: "answered"; record: RecordedCall; envelope: ToolEnvelope }
  | { status: "timeout"; record: RecordedCall }
  | { status: "host-failed"; record: RecordedCall; problem: string };

/** Makes the call that a reply requests. Errors of the tool go to the model, other failures end the conversation. */
export async function makeCall(
  session: ConversationSession,
  call: Call,
  resolved: ResolvedTool,
  started: ToolRequest["started"],
): Promise<CallEnd> {
  const head = callHead(session, call, resolved);
  const refuse = (envelope: ToolEnvelope): CallEnd => {
    return { status: "answered", envelope, record: recordCall(head, envelope, unseen) };
  };
  const limit = callLimitError(session);
  if (limit !== null) return refuse(limit);
  if (!resolved.ok) return refuse(resolved.envelope);
  const { clock } = session.options;
  const deadlineMs = Math.max(
    1,
    Math.ceil(Math.min(resolved.tool.timeoutMs ?? toolDeadlineMs, session.leftMs())),
  );
  const began = clock.monotonic();
  const elapsedMs = () => Math.round(clock.monotonic() - began);
  try {
    const outcome = await callHost(
      session,
      { tool: resolved.tool, arguments: call.arguments, started },
      deadlineMs,
    );
    return endCall(head, outcome, elapsedMs());
  } catch (error) {
    const { toolSignal, cause } = session.interruption;
    if (!toolSignal.aborted || cause !== "timeout") throw error;
    const late = toolError("timeout", `${call.name} did not answer within ${deadlineMs} ms`);
    return { status: "timeout", record: recordCall(head, late, { ...unseen, ms: elapsedMs() }) };
  }
}

type Head = Pick<RecordedCall, "name" | "skill" | "form" | "arguments" | "repeat">;
type Seen = Pick<RecordedCall, "injected" | "findings" | "ms">;

const unseen: Seen = { injected: [], findings: [], ms: 0 };

function callHead(
  { made }: ConversationSession,
  { name, arguments: given, form }: Call,
  resolved: ResolvedTool,
): Head {
  const same = canonicalJson([name, given]);
  const repeat = made.has(same);
  made.add(same);
  return { name, skill: resolved.ok ? resolved.tool.skill.id : null, form, arguments: given, repeat };
}

/** Every call counts that was read as one, also one that was refused. */
function callLimitError({ calls, options: { limits } }: ConversationSession): ToolEnvelope | null {
  if (calls().length < limits.maxToolCalls) return null;
  return toolError("call-limit", `${pluralize(limits.maxToolCalls, "tool call")} used; answer now`);
}

function callHost(
  { options, interruption }: ConversationSession,
  request: Omit<ToolRequest, "document">,
  deadlineMs: number,
) {
  const { hosts, document: open } = options;
  const document = open === null ? null : { text: open.text, path: open.path };
  return hosts.call({ ...request, document }, { deadlineMs, signal: interruption.toolSignal });
}

function endCall(head: Head, outcome: ToolOutcome, ms: number): CallEnd {
  const findings = (outcome.warnings ?? []).filter((warning) => finding.test(warning));
  const seen: Seen = { injected: outcome.injected?.map((one) => ({ ...one })) ?? [], findings, ms };
  const envelope = toEnvelope(outcome);
  if (envelope !== null) return { status: "answered", envelope, record: recordCall(head, envelope, seen) };
  const { cause: code, message } = outcome as Extract<ToolOutcome, { cause: string }>;
  const record = { ...head, ...seen, ...nothing, ok: false, code, message };
  return { status: "host-failed", problem: message, record };
}

const nothing = { data: null, result_bytes: 0 };

/** `undeclared-argument: …`: a code and a sentence. */
const finding = /^[a-z]+(?:-[a-z]+){0,4}: /;

function recordCall(head: Head, envelope: ToolEnvelope, seen: Seen): RecordedCall {
  if ("error" in envelope) {
    const { message } = envelope.error;
    const code = message.slice(0, message.indexOf(":"));
    return { ...head, ...seen, ...nothing, ok: false, code, message };
  }
  const { data } = envelope.result;
  const result_bytes = Buffer.byteLength(JSON.stringify(data));
  return { ...head, ...seen, ok: true, code: null, message: null, data, result_bytes };
}
