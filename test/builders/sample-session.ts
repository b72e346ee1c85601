import { builtInTools } from "../../src/contract/built-in-tools.ts";
import { ConversationRecord } from "../../src/contract/conversation.ts";
import type { ConversationTurn } from "../../src/contract/conversation-case.ts";
import type { ConversationSkill, Speaker } from "../../src/contract/conversation-parts.ts";
import type { ChatMessage } from "../../src/contract/model.ts";
import type { Outcome } from "../../src/contract/outcome.ts";
import type { ToolHosts, ToolOutcome, ToolRequest } from "../../src/contract/tool-host.ts";
import { converse } from "../../src/levels/conversation/dialogue/converse.ts";
import type { ConverseOptions } from "../../src/levels/conversation/dialogue/session.ts";
import { scriptSpeaker } from "../../src/levels/conversation/dialogue/speakers.ts";
import { neverAborted } from "../../src/shared/async/abort.ts";
import type { Clock } from "../../src/shared/async/clock.ts";
import type { JsonObject, JsonSchema } from "../../src/shared/json/json.ts";

/** For tests: a skill whose tools are these. */
export function sampleSkill(
  id: string,
  tools: Readonly<Record<string, JsonSchema | null>> = {},
  more: Partial<ConversationSkill> = {},
): ConversationSkill {
  const { dir = `/skills/${id}`, digest = `sha256:${id}` } = more;
  return {
    ...{ id, version: "1.0.0", digest, priority: 0, routed: null, dir },
    ...{ prompt: `RULES OF ${id}`, truncated: false, output: null },
    tools: Object.entries(tools).map(([name, parameters]) => ({
      ...{ skill: { id, dir, digest }, name, description: `about ${name}`, parameters },
      ...{ script: `scripts/${name}.py`, timeoutMs: null },
    })),
    ...more,
  };
}

export interface SampleHosts extends ToolHosts {
  calls: { request: ToolRequest; deadlineMs: number }[];
}

type HostAnswer = ToolOutcome | ((signal: AbortSignal) => ToolOutcome | Promise<ToolOutcome>);

/** Hosts that start nothing and give these answers in turn; the last one repeats. */
export function sampleHosts(...answers: HostAnswer[]): SampleHosts {
  const calls: SampleHosts["calls"] = [];
  return {
    calls,
    async call(request, { deadlineMs, signal }) {
      const answer = answers[Math.min(calls.length, answers.length - 1)] ?? answered({});
      calls.push({ request, deadlineMs });
      return typeof answer === "function" ? answer(signal) : answer;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

export function answered(output: JsonObject, more: Partial<ToolOutcome> = {}): ToolOutcome {
  return { latencyMs: 1, ...more, status: "answered", output } as ToolOutcome;
}

export function failed(cause: Extract<Outcome, { status: "failed" }>["cause"], message: string): ToolOutcome {
  return { latencyMs: 1, status: "failed", cause, message };
}

/** A clock that only a test advances. */
export function handClock(): Clock & { pass(ms: number): void } {
  let at = 1000;
  return {
    now: () => at,
    monotonic: () => at,
    sleep: async () => {},
    pass: (ms) => {
      at += ms;
    },
  };
}

export const say = (name: string, given: JsonObject = {}): ConversationTurn => ({
  call: { name, arguments: given },
});

/** Runs the conversation of a script, and records the messages it got. */
export async function converseBy(
  turns: readonly ConversationTurn[] | Speaker,
  more: Partial<Omit<ConverseOptions, "limits">> & { limits?: Partial<ConverseOptions["limits"]> } = {},
  signal: AbortSignal = neverAborted,
) {
  const speaker = "reply" in turns ? turns : scriptSpeaker({ turns });
  const sentMessages: (readonly ChatMessage[])[] = [];
  const record = await converse(
    {
      ...{ request: "count the words", host: null, document: null, forced: true, routing: null },
      skills: [sampleSkill("counting", { word_count: null })],
      builtIns: builtInTools,
      hosts: sampleHosts(answered({ words: 3 })),
      clock: handClock(),
      ...more,
      limits: { maxTurns: 6, maxToolCalls: 5, timeoutMs: 60_000, ...more.limits },
      speaker: {
        ...speaker,
        reply(messages, call) {
          sentMessages.push(messages);
          return speaker.reply(messages, call);
        },
      },
    },
    signal,
  );
  const results = sentMessages.at(-1)?.filter(({ text }) => text.startsWith("TOOL_RESULT")) ?? [];
  return {
    // The written log can be read back.
    record: ConversationRecord.parse(JSON.parse(JSON.stringify(record))),
    /** The messages of each turn. */
    sentMessages,
    /** The lines of results that the last turn saw. */
    results: results.map(({ text }) => text),
  };
}
