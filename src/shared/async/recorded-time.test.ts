import { expect, test } from "vitest";
import { passRecordedTime, withRecordedTime } from "./recorded-time.ts";

test("recorded times add up within their own work, and the latest recording gives the date", async () => {
  const reply = async (ms: number | null, at: string | null) => {
    await Promise.resolve();
    passRecordedTime({ ms, at });
    return ms;
  };
  const work = (...times: (number | null)[]) =>
    withRecordedTime(async () =>
      Promise.all(times.map((ms, n) => reply(ms, n === 0 ? "2026-01-02" : "2026-01-01"))),
    );

  const [two, none, unknown] = await Promise.all([work(3, 4), work(), work(5, null)]);
  passRecordedTime({ ms: 1, at: null });

  expect(two).toEqual({ value: [3, 4], recorded: { ms: 7, at: "2026-01-02" } });
  expect(none.recorded).toBeNull();
  expect(unknown.recorded).toEqual({ ms: null, at: "2026-01-02" });
});
