import { expect, test } from "vitest";
import type { ToolOutcome } from "../../../contract/tool-host.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import { toolSource } from "./tool-source.ts";

const tool = {
  skill: { id: "maker", dir: "/maker", digest: "sha256:0" },
  name: "plan",
  script: "scripts/plan.py",
  parameters: null,
  timeoutMs: null,
};

test.each<[string, ToolOutcome, boolean, object]>([
  [
    "what it returns is the plan",
    { status: "answered", output: { a: 1 }, latencyMs: 5 },
    true,
    { output: '{"a":1}', ms: 5 },
  ],
  [
    "what it does wrong is a finding",
    { status: "failed", cause: "tool-failed", message: "ValueError: no", latencyMs: 5 },
    true,
    { status: "refused", message: "tool-failed: ValueError: no" },
  ],
  [
    "so is that it takes too long",
    { status: "timed-out", message: "no answer", latencyMs: 5 },
    true,
    { status: "refused", message: "timeout: no answer" },
  ],
  [
    "what we could not find out is nobody's plan",
    { status: "invalid", cause: "sandbox-refused", message: "no sandbox", latencyMs: 5 },
    true,
    { status: "failed", cause: "sandbox-refused" },
  ],
  [
    "another skill than was planned with says nothing",
    { status: "answered", output: {}, latencyMs: 5 },
    false,
    { status: "failed", cause: "skill-changed", message: "maker changed during the run" },
  ],
])("%s", async (_, outcome, isUnchanged, expected) => {
  const hosts = { call: async () => outcome, [Symbol.asyncDispose]: async () => {} };
  const source = toolSource({ hosts, tool, arguments: {}, isUnchanged: () => isUnchanged });

  expect(await source.generate(0, null, neverAborted)).toMatchObject(expected);
});
