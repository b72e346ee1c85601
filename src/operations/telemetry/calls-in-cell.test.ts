import { expect, test } from "vitest";
import type { Judgment } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleResult } from "../../store/samples.ts";
import { callsInCell } from "./calls-in-cell.ts";

const judgment = {
  repeat: 0,
  outcome: "yes" as const,
  reason: "fits",
  ms: 40,
  tokensIn: 10,
  tokensOut: 2,
  usd: null,
  cached: false,
} satisfies Judgment;
const attempts = [{ valid: true, ms: 30, tokens: null, violations: [], executed: null, answeredBy: "m-1" }];
const usage = { promptTokens: 5, completionTokens: 1, totalTokens: 6, costUsd: null };

test.each<[string, Partial<CellResult>, object[]]>([
  [
    "the one who judged a query",
    { level: "trigger", model: "lab/judge", output: judgment },
    [{ name: "chat lab/judge", durationMs: 40, attributes: { "eval.judgment": "yes" } }],
  ],
  ["nobody for a judgment that was stored", { level: "trigger", output: { ...judgment, cached: true } }, []],
  [
    "nobody where a router judged",
    { level: "trigger", model: "lab/vectors", output: { ...judgment, tokensIn: null, tokensOut: null } },
    [],
  ],
  [
    "the model of every attempt at an output",
    { level: "planbench", model: "lab/m", arm: "forced", output: { attempts } },
    [{ name: "chat lab/m", durationMs: 30, attributes: { "gen_ai.response.model": "m-1" } }],
  ],
  [
    "nobody for an output that the case brings along",
    { level: "planbench", model: null, arm: "fixed", output: { attempts } },
    [],
  ],
  ["nobody where no run was logged", { level: "agent", model: "mock", output: { runDir: null } }, []],
  ["nobody for what never ended", { level: "conversation", model: "mock", output: null }, []],
  [
    "the judge of an answer",
    { judge: { model: "lab/judge", calls: 1, latencyMs: 12, usage } },
    [{ name: "chat lab/judge", attributes: { "gen_ai.usage.input_tokens": 5 } }],
  ],
])("a cell called %s", (_, cell, calls) => {
  expect([...callsInCell(sampleResult(cell), false)]).toMatchObject(calls);
});
