import { expect, test } from "vitest";
import { grade } from "../../../../test/forged-logs.ts";
import { cleanRun, type ForgedRun } from "../../../../test/forged-run.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";

const other = sha256("something else");
const failed = { code: "IOError", message: "gone" };

/** Changes the audit of the nth action. */
function audit(run: ForgedRun, nth: number, over: object): ForgedRun {
  return run.change("action_executed", (data) => void Object.assign(data.audit ?? {}, over), nth);
}

const logs: [string, (run: ForgedRun) => unknown, RegExp][] = [
  [
    "what never started and succeeded",
    (run) => run.change("action_executed", { started: false }, 3),
    /never started/,
  ],
  ["ok beside an error", (run) => run.change("action_executed", { error: failed }, 3), /ok and error/],
  ["a hash of other params", (run) => audit(run, 3, { params_sha256: other }), /audited hash/],
  [
    "params that were changed after they had been shown",
    (run) => run.change("approval_required", ({ params }) => void Object.assign(params, { args: ["x"] })),
    /not that of its params/,
  ],
  ["a risk that a tool does not have", (run) => audit(run, 3, { risk: "high" }), /risk of read_file/],
  [
    "two exit codes",
    (run) => run.change("action_executed", { result: { exit_code: 1 } }, 2),
    /exit code|as ok/,
  ],
  [
    "an approval that was not used",
    (run) => audit(run, 2, { policy: { allowed: true, approved: false } }),
    /approval/,
  ],
  [
    "a turn out of order",
    (run) => run.move("action_validated", "action_planned", [3, 3]),
    /not in its order/,
  ],
  [
    "a turn that is missing",
    (run) => Object.assign(run, { events: run.events.filter(({ turn }) => turn !== 4) }),
    /does not follow/,
  ],
  [
    "an answer and another stop reason",
    (run) => run.change("run_finished", { stop_reason: "no_progress" }),
    /stop reason/,
  ],
  [
    "a prompt without a body that was loaded",
    (run) => run.change("model_request", ({ context_manifest: parts }) => void parts?.pop(), 1),
    /lacks a body/,
  ],
  [
    "other counts than events",
    (run) => run.change("run_finished", { usage: { script_runs: 0 } }),
    /script_runs/,
  ],
  ["two hashes of the index", (run) => run.change("skills_indexed", { index_hash: other }), /two hashes/],
];

test.each(logs)("a log with %s gives no verdict", async (_, change, words) => {
  const run = cleanRun();
  change(run);
  expect(await grade(run)).toMatchObject({
    status: "invalid",
    pass: null,
    no_verdict: { code: "LogDamaged", message: expect.stringMatching(words) },
  });
});

test("what such a log shows to be wrong fails all the same", async () => {
  const run = cleanRun().change("action_executed", { started: true, error: failed }, 3);
  expect(
    await grade(run, { expect: { action_sequence_constraints: [{ forbid: "read_file" }] } }),
  ).toMatchObject({
    status: "fail",
    failures: [{ code: "ForbiddenExecuted" }],
  });
});
