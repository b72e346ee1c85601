import { expect, test } from "vitest";
import type { StoredEvent } from "../../contract/telemetry.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { telemetryEventLines } from "./telemetry-lines.ts";

const event: StoredEvent = {
  id: 1,
  event_id: "e1",
  schema_version: "eval-skills.telemetry.v1",
  event_name: "planbench.sample_done",
  ts: 1_700_000_000.5,
  source: "runner",
  run_id: "20260301T072410Z-k3f9a1b2",
  skill_id: "contract-review",
  payload: { outcome: "ok", repairs: 1, ms: 812, tokens: null, route: "routed" },
  received_at: 1_700_000_001,
  reports: 1,
};

test.each([60, 80, 100])("events fit into %i columns", (width) => {
  const lines = telemetryEventLines([event], { color: false, width }).split("\n");

  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
});

test("columns that found no room are named below the events", () => {
  const lastLine = (width: number | null) =>
    telemetryEventLines([event], { color: false, width }).split("\n").at(-1);

  expect(lastLine(60)).toBe("left out: Skill, Payload; see --json");
  expect(lastLine(null)).toContain("outcome=ok repairs=1");
});
