import type { Model } from "../contract/model.ts";

/** Failures in a row after which nobody expects an answer any more; each of them was tried several times. */
const maxFailures = 20;

/** A model that is not asked any more once it was out of reach for many calls in a row: who is not there need not be waited for. */
export function givingUp(model: Model): Model {
  let failures = 0;
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      if (failures >= maxFailures) {
        call.signal.throwIfAborted();
        const message = `${model.id} could not be reached ${failures} times in a row; no further calls are made`;
        return { status: "failed", fault: "unavailable", message, latencyMs: 0 };
      }
      const outcome = await model.call(request, call);
      const isOutOfReach = outcome.status === "failed" && outcome.fault === "unavailable";
      if (isOutOfReach) failures++;
      else if (failures < maxFailures) failures = 0;
      return outcome;
    },
  };
}
