import { expect, test } from "vitest";
import { sampleEvent } from "../../test/builders/sample-event.ts";
import type { TelemetryEvent } from "../contract/telemetry.ts";
import { SinkQueue } from "./sink-queue.ts";

test("a sink that cannot write is not tried again for every event, and what was dropped meanwhile is reported once, in full", async () => {
  const written: TelemetryEvent[] = [];
  let [tries, isOpen] = [0, false];
  const queue = new SinkQueue({
    flushIntervalMs: 1000,
    batchSize: 200,
    async write(batch) {
      tries++;
      if (isOpen) written.push(...batch);
      return isOpen;
    },
    reportDropped: (count, since) =>
      sampleEvent({ event_name: "telemetry.dropped", payload: { count, since } }),
  });
  for (let n = 0; n < 2500; n++) {
    queue.add(sampleEvent({ payload: { n }, ts: n }));
    if (n % 10 === 0) await new Promise(setImmediate);
  }
  await queue.flush();
  await queue.flush();
  expect(tries).toBeLessThan(20);
  expect([queue.size, queue.dropped]).toEqual([1000, 1500]);
  isOpen = true;
  await queue.flush();
  expect([queue.size, queue.dropped]).toEqual([0, 0]);
  const dropped = written.filter(({ event_name }) => event_name === "telemetry.dropped");
  expect(dropped.map(({ payload }) => payload)).toEqual([{ count: 1500, since: 0 }]);
  const delivered = written.filter(({ event_name }) => event_name !== "telemetry.dropped");
  expect(delivered.map(({ payload }) => payload.n)).toEqual(Array.from({ length: 1000 }, (_, n) => 1500 + n));
});
