import { expect, test } from "vitest";
import { describeStrict } from "../../../test/strict-machine.ts";
import { openStrict, skillFolder } from "../../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { processExecutor } from "./process-executor.ts";

const openPlain = () => openSandbox({ level: "process", killGraceMs: 0, memoryMb: null, env: process.env });

async function carriedOut(script: string, signal = neverAborted, open: () => Sandbox = openPlain) {
  await using folder = await temporaryFolder();
  await using sandbox = open();
  const executor = processExecutor({
    argv: ["sh", "-c", script],
    dir: folder.path,
    sandbox,
    variables: { LENT: "yes" },
    maxOutputBytes: 5000,
    clock: systemClock,
  });
  return await executor.run('{"plan":1}', { attempt: 0, signal });
}

test.each<[string, string, object]>([
  ["done", `grep -q '"plan":1' && echo '{"ok":true}'`, { status: "done" }],
  ["done, with words on the way", `cat; echo; echo '{"ok":true}'`, { status: "done" }],
  [
    "not done, and why",
    `echo '{"ok":false,"error":"no cell A1"}'`,
    { kind: "error", message: "execution failed: no cell A1" },
  ],
  [
    "not done, and nobody says why",
    `echo '{"ok":false}'`,
    { kind: "error", message: "execution failed: no reason was given" },
  ],
  [
    "a crash, whatever was said before",
    `echo '{"ok":true}'; echo bad luck >&2; exit 3`,
    { kind: "crash", message: "the executor ended with exit code 3: bad luck" },
  ],
  ["no answer", "cat", { kind: "bad-answer" }],
  ["an answer that is none", `echo '{"ok":"yes"}'`, { kind: "bad-answer" }],
  ["a flood", "yes", { kind: "crash", message: "the executor wrote more than it may" }],
])("%s", async (_, script, expected) => {
  expect(await carriedOut(script)).toMatchObject({ ms: expect.any(Number), ...expected });
});

test("one that is slow is ended with its sample", async () => {
  const stop = new AbortController();
  const slow = carriedOut("sleep 60", stop.signal);
  setImmediate(() => stop.abort(new Error("over")));

  await expect(slow).rejects.toThrow("over");
});

describeStrict("fault row 74: an executor in the sandbox", () => {
  test("that lacks a file which is hidden decides nothing about the plan", async () => {
    await using elsewhere = await skillFolder({ "shared/key.txt": "1" });
    const script = `cat ${elsewhere.path}/shared/key.txt`;
    expect(await carriedOut(script, neverAborted, openStrict)).toMatchObject({
      status: "refused",
      cause: "sandbox-hid",
    });
  });
});
