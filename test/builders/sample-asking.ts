import { makeDecide } from "../../src/agent-runtime/decide/make-decide.ts";
import { scriptModel } from "../../src/agent-runtime/decide/script-model.ts";
import { MockScript } from "../../src/contract/agent-case.ts";
import type { EventData } from "../../src/contract/agent-event.ts";
import type {
  AgentMessage,
  AgentModel,
  DecideListener,
  DecideOutcome,
  DecideRequest,
} from "../../src/contract/agent-parts.ts";
import type { LimitName } from "../../src/contract/limits.ts";
import { neverAborted } from "../../src/shared/async/abort.ts";
import type { Clock } from "../../src/shared/async/clock.ts";

/** A clock that does not wait, and remembers how long it should have. */
export function impatientClock(): { clock: Clock; pauses: number[] } {
  const pauses: number[] = [];
  const clock = { now: () => 0, monotonic: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  return { clock, pauses };
}

export const question: DecideRequest = {
  messages: [
    { role: "system", text: "the rules" },
    { role: "user", text: "fill in the form" },
  ],
  skillNames: ["pdf"],
  telemetry: { run_id: "r", turn: 1 },
  budget: { max_output_chars: 200_000, max_retries: 1, allow_streaming: false },
};

export const answering = (content: string) => ({
  action: { type: "final_answer" as const, payload: { content } },
});

/** Records everything a decision reports. */
export function listener(calls = Number.POSITIVE_INFINITY) {
  const requests: { attempt: number; try: number; messages: readonly AgentMessage[] }[] = [];
  const responses: EventData<"model_response">[] = [];
  const deltas: { attempt: number; path: string; text: string }[] = [];
  const early: string[] = [];
  const on: DecideListener = {
    mayCall: (): LimitName | null => (requests.length < calls ? null : "max_model_calls"),
    request: (fact) => void requests.push(fact),
    type: (type) => void early.push(type),
    skill: (name) => void early.push(name),
    delta: (attempt, path, text) => void deltas.push({ attempt, path, text }),
    response: (fact) => void responses.push(fact),
  };
  return { on, requests, responses, deltas, early };
}

export interface Asking {
  request?: DecideRequest;
  calls?: number;
  random?: number;
  fallback?: AgentModel;
}

/** One decision by a script, and everything it took. */
export async function decideBy(turns: readonly unknown[], asking: Asking = {}) {
  const { clock, pauses } = impatientClock();
  return decideWith(scriptModel(MockScript.parse({ turns }), clock), asking, { clock, pauses });
}

export async function decideWith(
  model: AgentModel,
  { request = question, calls, random = 1, fallback }: Asking = {},
  { clock, pauses } = impatientClock(),
) {
  const recorder = listener(calls);
  const decide = makeDecide(model, { clock, random: () => random, fallback });
  const outcome: DecideOutcome = await decide(request, recorder.on, neverAborted);
  return { ...recorder, outcome, pauses, decide };
}
