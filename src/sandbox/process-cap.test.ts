import { expect, test } from "vitest";
import { findProgram } from "../shared/files/find-program.ts";
import { countsByNamespace, kernelCap, processCap } from "./process-cap.ts";

const prlimit = findProgram("prlimit", process.env);

test.each([
  ["6.18.44-fc", true],
  ["5.14.0-427.el9.x86_64", true],
  ["5.10.0-28-amd64", false],
  ["4.18.0", false],
])("kernel %s counts processes by user namespace: %s", (kernel, counts) => {
  expect(countsByNamespace(kernel)).toBe(counts);
});

test.skipIf(prlimit === null)("a process under a user of its own is capped before the sandbox is up", () => {
  expect(kernelCap({ uid: 1_900_000_001, gid: 1_900_000_001 }, prlimit as string, 5)).toEqual({
    before: processCap,
    words: [],
  });
});

test.skipIf(prlimit === null)(
  "a process under our own user is capped beside what that user runs besides",
  () => {
    expect(kernelCap(null, prlimit as string, 0).before).toBeGreaterThan(processCap);
  },
);
