import { hash } from "node:crypto";
import type { Judge, JudgeAnswer, JudgeQuestion } from "../../../contract/judge.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { systemClock } from "../../../shared/async/clock.ts";
import { noEffort } from "./no-effort.ts";
import { lenientDecision } from "./read-decision.ts";

/** Judges whose answers are known in advance, to test the pipeline. */

/** Knows the expected side of each query, by its id. An unknown query is an error. */
export function perfectJudge(sides: ReadonlyMap<string, QuerySide>): Judge {
  return synthetic("perfect", ({ query }) => {
    const side = sides.get(query.id);
    if (side === undefined) return failed("agent", `the perfect judge does not know query ${query.id}`);
    return decided(side === "should_match" ? "yes" : "no");
  });
}

/** Says no to everything. */
export function neverJudge(): Judge {
  return synthetic("never", () => decided("no"));
}

/** Says yes to everything. */
export function alwaysJudge(): Judge {
  return synthetic("always", () => decided("yes"));
}

/** Replies in prose, which is not a verdict. */
export function garbageJudge(reply = "I think that this skill would be a good fit here."): Judge {
  return synthetic("garbage", () => ({
    outcome: "invalid",
    why: "the reply is prose",
    raw: reply,
    rawSha256: hash("sha256", reply, "hex"),
    lenientDecision: lenientDecision(reply),
    ...noEffort,
  }));
}

/** Never gets a reply. */
export function erroringJudge(): Judge {
  return synthetic("erroring", () => failed("transport", "connection refused"));
}

/** Waits for a reply until it gives up. */
export function slowJudge(timeoutMs: number, clock: typeof systemClock = systemClock): Judge {
  return synthetic("slow", async (_question, signal) => {
    await clock.sleep(timeoutMs, signal);
    return failed("timeout", `no reply within ${timeoutMs} ms`);
  });
}

function synthetic(
  name: string,
  answer: (question: JudgeQuestion, signal: AbortSignal) => JudgeAnswer | Promise<JudgeAnswer>,
): Judge {
  return {
    kind: "model",
    model: null,
    prompt: null,
    label: `synthetic: ${name}`,
    isDeterministic: true,
    isPaid: false,
    identity: { synthetic: name },
    async judge(question, signal) {
      signal.throwIfAborted();
      return answer(question, signal);
    },
  };
}

function decided(outcome: "yes" | "no"): JudgeAnswer {
  return { outcome, reason: "as expected of a synthetic judge", ...noEffort };
}

function failed(code: "agent" | "transport" | "timeout", message: string): JudgeAnswer {
  return { outcome: "error", code, message, ...noEffort };
}
