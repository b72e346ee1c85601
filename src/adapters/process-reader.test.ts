import { expect, test } from "vitest";
import type { SkillExit } from "../contract/sandbox.ts";
import { reportedLimit } from "./process-reader.ts";

const failed: SkillExit = { code: 1, signal: null, limit: null };

const lastWords: [string, string][] = [
  ["Python", 'Traceback (most recent call last):\n  File "x.py", line 1\nMemoryError\n'],
  ["numpy", "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB for an array\n"],
  ["C++", "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n"],
  [
    "Node",
    `FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n${"-\n".repeat(99)}`,
  ],
  ["V8", "# Fatal process out of memory: Failed to reserve virtual memory for CodeRange\n"],
  ["a Node buffer", "RangeError: Array buffer allocation failed\n    at new ArrayBuffer (<anonymous>)\n"],
  ["Go", "fatal error: runtime: out of memory\n"],
  ["Java", "Exception in thread main java.lang.OutOfMemoryError: Java heap space\n"],
  ["Rust", "memory allocation of 4294967296 bytes failed\n"],
  ["a shell", "sh: 1: Cannot fork: Cannot allocate memory\n"],
];
for (const [who, words] of lastWords) {
  test(`${who} that is refused memory is understood`, () => {
    expect(reportedLimit(failed, words)).toBe("memory-limit");
  });
}

test("an abort by a signal counts as well", () => {
  expect(reportedLimit({ ...failed, code: null, signal: "SIGABRT" }, "heap out of memory")).toBe(
    "memory-limit",
  );
});

test("words about memory from a program that ended well, long before its end, or about another matter say nothing", () => {
  expect(reportedLimit({ ...failed, code: 0 }, "MemoryError")).toBe(null);
  expect(reportedLimit(failed, `MemoryError\n${"x".repeat(10_000)}`)).toBe(null);
  expect(reportedLimit(failed, "ValueError: the memory of the day is full of errors")).toBe(null);
});

test("a program that was refused disk space is understood", () => {
  for (const words of [
    "OSError: [Errno 28] No space left on device",
    "Error: ENOSPC: no space left, write",
  ]) {
    expect(reportedLimit(failed, words)).toBe("disk-limit");
  }
});
