import { expect, test } from "vitest";
import { sampleResult } from "../../store/samples.ts";
import { checkLines } from "./check-lines.ts";

test("an answer with everything there is to say about it", () => {
  const result = sampleResult({
    skillId: "calc",
    status: "pass",
    score: 0.75,
    details: { scorerType: "llm_judge" },
    latencyMs: 96.4,
    startupMs: 210,
    reason: "misses the date",
    output: { result: "x".repeat(2000) },
    outputTruncated: true,
    outputBytes: 70_000,
    usage: { promptTokens: 12, completionTokens: 3, totalTokens: null, costUsd: 0.00003 },
    judge: { model: "openai/gpt-4o", calls: 2, latencyMs: 1400, usage: null },
    warnings: ["the output does not match the outputSchema: /result must be number"],
  });
  expect(checkLines(result, false).replace(/x+/, "x")).toBe(
    [
      "passed  calc",
      "  score    0.75 by llm_judge",
      "  latency  96 ms, after a start-up of 210 ms",
      "  reason   misses the date",
      '  output   {"result":"x… (of 70000 bytes)',
      "  tokens   12 in, 3 out, $0.00003",
      "  judge    openai/gpt-4o, 2 calls, 1.4 s",
      "  warning  the output does not match the outputSchema: /result must be number",
    ].join("\n"),
  );
});

test("an error over several lines stands below itself, and nothing in it reaches the terminal as it is", () => {
  const reason = "exit 1 without an answer: \u001b[2Jone\ntwo";
  const result = sampleResult({ status: "error", score: 0, cause: "crash", reason, output: null });
  expect(checkLines(result, false)).toContain(
    "  error    crash: exit 1 without an answer: \\e[2Jone\n           two",
  );
});
