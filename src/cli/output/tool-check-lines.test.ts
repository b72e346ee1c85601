import { expect, test } from "vitest";
import type { CheckedTool, ToolCheckReport, ToolCheckResult } from "../../operations/tools/tool-check.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { toolCheckLines } from "./tool-check-lines.ts";

const result = (more: Partial<ToolCheckResult>): ToolCheckResult => ({
  ...{ check: "loads", status: "pass", message: "scripts/统计.py", details: [], hint: null },
  ...more,
});
const tool: CheckedTool = {
  skill: "notes",
  tool: "统计",
  shown: "a/long/way/to/the/skills/of/this/project/notes#统计",
  hints: { turn_mode: "background", triggers: ["看一下"] },
  checks: [
    result({}),
    result({
      check: "returns-object",
      message: "3 inputs; it refused the one made from its parameters, which may be right",
      details: [
        { input: "generated from its parameters", place: null, reason: "tool-failed: ValueError: no table" },
      ],
    }),
    result({
      check: "deterministic",
      status: "fail",
      message: "differs at /时间/0, /at",
      details: [
        {
          input: "examples[0]",
          place: "/时间/0",
          reason: '"二〇二六年一月三十一日", then "\u001b[2J二月" in a new process',
        },
        { input: null, place: "", reason: "another result" },
      ],
      hint: "avoid clocks and randomness, sort sets, and keep no state between calls",
    }),
    result({ check: "claims-hold", status: "skipped", message: "no result has a schema_version" }),
    result({ check: "leaves-no-trace", status: "invalid", message: "no sandbox" }),
  ],
};
const report: ToolCheckReport = {
  tools: [tool],
  counts: {
    tools: { total: 1, passed: 0, failed: 1, untested: 0, noVerdict: 0 },
    checks: { pass: 2, fail: 1, skipped: 1, invalid: 1 },
  },
  notLoaded: [{ path: "skills/broken", code: "skill-invalid", reason: "$.tools: must be a list, not a map" }],
  containment: { level: "process", backend: null, network: "open", unproven: [] },
  exitCode: 2,
};
const shown = (width: number | null, verbose = false) =>
  toolCheckLines(report, { color: false, width, verbose });

test("a line for each check, and below those that failed what was seen and what to do", () => {
  expect(shown(null)).toBe(
    [
      "✗ a/long/way/to/the/skills/of/this/project/notes#统计",
      '  hints: turn_mode "background", triggers ["看一下"]',
      "  ✓ loads               scripts/统计.py",
      "  ✓ returns-object      3 inputs; it refused the one made from its parameters, which may be right",
      "  ✗ deterministic       differs at /时间/0, /at",
      '    /时间/0 "二〇二六年一月三十一日", then "\\e[2J二月" in a new process (examples[0])',
      "    (root) another result",
      "    → avoid clocks and randomness, sort sets, and keep no state between calls",
      "  – claims-hold         no result has a schema_version",
      "  ? leaves-no-trace     no sandbox",
      "",
      "✗ skills/broken not loaded: $.tools: must be a list, not a map",
      "1 tool: 0 passed, 1 failed",
      "5 checks, 1 of them skipped",
      "",
    ].join("\n"),
  );
  expect(shown(null, true)).toContain(
    "    tool-failed: ValueError: no table (generated from its parameters)\n",
  );
});

test.each([44, 60, 80, 120])("everything fits %i columns, Chinese text too", (width) => {
  const lines = shown(width, true).split("\n");

  expect(lines.filter((line) => textWidth(line) > width)).toEqual([]);
  expect(lines[0]).toMatch(/notes#统计$/);
});
