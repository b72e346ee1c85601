import { expect, test } from "vitest";
import { sampleTaskResult } from "../src/contract/sample-task-result.ts";
import { describeAnswer } from "./describe-answer.ts";

test("a text is shown as it reads, anything else as JSON, and the title tells which", () => {
  expect(describeAnswer(sampleTaskResult({ output: "1\n2" }))).toEqual({
    title: "Output (text)",
    text: "1\n2",
  });
  expect(describeAnswer(sampleTaskResult({ output: 1 }))).toEqual({ title: "Output (JSON)", text: "1" });
  expect(describeAnswer(sampleTaskResult({ output: null }))).toEqual({
    title: "Output (JSON)",
    text: "null",
  });
});

test("a cut answer says how much there was", () => {
  const cell = sampleTaskResult({ output: "abc", outputTruncated: true, outputBytes: 1_234_567 });
  expect(describeAnswer(cell)?.title).toBe("Output (text, cut: 1,234,567 bytes came)");
});

test("an empty text is not an empty box, and no answer is no output", () => {
  expect(describeAnswer(sampleTaskResult({ output: "" }))?.text).toBe("(an empty text)");
  const error = { code: "crash", message: "exit 1" } as const;
  expect(describeAnswer(sampleTaskResult({ status: "error", error }))).toBeNull();
});
