import { expect, test } from "vitest";
import type { Model, ModelOutcome } from "../contract/model.ts";
import { givingUp } from "./retrying.ts";

const down: ModelOutcome = { status: "failed", fault: "unavailable", message: "refused", latencyMs: 1 };
const answered: ModelOutcome = {
  status: "answered",
  text: "yes",
  finishReason: "stop",
  usage: null,
  latencyMs: 1,
};
const request = { messages: [], temperature: 0 };
const call = { signal: new AbortController().signal };

function counted(outcomeOf: (calls: number) => ModelOutcome): Model & { calls: number } {
  const model = { id: "lab/judge", identity: null, calls: 0, call: async () => outcomeOf(++model.calls) };
  return model;
}

test("a model that is out of reach twenty times in a row is not asked any more, and that is still no answer", async () => {
  const model = counted(() => down);
  const guarded = givingUp(model);
  for (let n = 0; n < 30; n++)
    expect(await guarded.call(request, call)).toMatchObject({ fault: "unavailable" });

  expect(model.calls).toBe(20);
  expect(await guarded.call(request, call)).toMatchObject({
    message: "lab/judge could not be reached 20 times in a row; no further calls are made",
  });
});

test("one answer among the failures, or a failure of another kind, begins the count anew", async () => {
  const limited: ModelOutcome = { ...down, fault: "rate-limited" };
  const model = counted((calls) => (calls % 20 === 0 ? (calls % 40 === 0 ? limited : answered) : down));
  const guarded = givingUp(model);
  for (let n = 0; n < 100; n++) await guarded.call(request, call);

  expect(model.calls).toBe(100);
});
