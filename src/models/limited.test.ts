import { expect, test } from "vitest";
import type { Model } from "../contract/model.ts";
import { Semaphore } from "../shared/async/waiting-line.ts";
import { mockModel } from "./mock.ts";
import { limited } from "./model-registry.ts";

const question = { messages: [{ role: "user" as const, text: "well?" }], temperature: 0 };
const signal = new AbortController().signal;

test("no more calls are under way than the semaphore allows, and every call gets one", async () => {
  let active = 0;
  let most = 0;
  const busy: Model = {
    ...mockModel([]),
    async call() {
      most = Math.max(most, ++active);
      await new Promise((done) => setImmediate(done));
      active--;
      return { status: "answered", text: "", finishReason: "stop", usage: null, latencyMs: 0 };
    },
  };
  const semaphore = new Semaphore(3);
  const models = [limited(busy, semaphore), limited(busy, semaphore)];

  await Promise.all(Array.from({ length: 20 }, (_, n) => models[n % 2]?.call(question, { signal })));

  expect(most).toBe(3);
  expect(active).toBe(0);
});

test("a place is free again after a call that threw, and after one that never got in", async () => {
  const semaphore = new Semaphore(1);
  const reason = new Error("the user wants to stop");
  const interruption = new AbortController();
  const silent = limited(mockModel([{ silent: true }]), semaphore);

  const inside = silent.call(question, { signal: interruption.signal });
  const waiting = silent.call(question, { signal: interruption.signal });
  interruption.abort(reason);

  await expect(inside).rejects.toBe(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(await limited(mockModel(["yes"]), semaphore).call(question, { signal })).toMatchObject({
    text: "yes",
  });
});
