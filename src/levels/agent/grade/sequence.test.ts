import { expect, test } from "vitest";
import { eachYields, type ForgedLog, findChecks, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun } from "../../../../test/forged-run.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";

const rule = (...action_sequence_constraints: object[]) => ({ expect: { action_sequence_constraints } });
const errors = (...expected: object[]) => ({ expect: { errors: expected } });
const gone = { ok: false, error: { code: "IOError", message: "gone" } };
const ioError = { code: "IOError", message: "gone", fatal: false };

const refused = { ok: false, error: { code: "ArgsTooLong", message: "too long" } };
const mayDelete = {
  enable_tools: ["delete_file"],
  approvals: [{ tool: "delete_file", decision: "grant" }],
  expect: {},
};

/** A run that deletes a file, as it may. */
function deletion(): ForgedRun {
  const run = beginRun().select().call("delete_file", { path: "out.txt" }).answer();
  return run.change("run_started", ({ policy }) => void policy?.allowed_tools.push("delete_file"));
}

function rename(payload: Record<string, unknown>): void {
  payload.arguments = { path: "other.txt" };
}

/** Makes the nth action a script that crashed. */
function crash(run: ForgedRun, nth: number): ForgedRun {
  const error = { code: "ExitNonZero", message: "exit code 3" };
  return run
    .change(
      "action_executed",
      (data) => {
        Object.assign(data, { ok: false, error, result: { exit_code: 3 } });
        Object.assign(data.audit?.result ?? {}, { ok: false, exit_code: 3 });
      },
      nth,
    )
    .change("observation_recorded", { success: false }, nth);
}

function crashed(): ForgedRun {
  return crash(beginRun().select().run(), 1).answer();
}

const logs: ForgedLog[] = [
  { code: "MustOccurMissing", what: "an action", case: rule({ must_occur: "write_file" }) },
  {
    code: "MustOccurMissing",
    what: "a body",
    run: () => beginRun().answer(),
    case: rule({ must_occur: "load_skill_body" }),
  },
  {
    code: "OrderViolated",
    what: "a rule of the case",
    case: rule({ must_occur: "read_file", before: ["final_answer", "run_script"] }),
  },
  {
    code: "OrderViolated",
    what: "a resource before any selection",
    run: () => beginRun().load().select().answer(),
  },
  {
    code: "MustOccurMissing",
    what: "with these arguments",
    case: rule({ must_occur: "run_script", args: { contains: "--all" } }),
  },
  { code: "MustOccurMissing", what: "often enough", case: rule({ must_occur: "run_script", min: 2 }) },
  { code: "OccursTooOften", what: "a script", case: rule({ must_occur: "run_script", min: 0, max: 0 }) },
  {
    code: "ForbiddenExecuted",
    what: "a tool with such arguments",
    case: rule({ forbid: "read_file", args: { matches: "\\.txt" } }),
  },
  { code: "ForbiddenExecuted", what: "a tool", case: rule({ forbid: "read_file" }) },
  { code: "ForbiddenExecuted", what: "any call of a tool", case: rule({ forbid: "call_tool" }) },
  {
    code: "MultipleActions",
    what: "two in a turn",
    also: ["sequence ActionRepeated"],
    change: (run) => {
      const again = { call_id: "c1", action: "select_skills", started: true, ok: true, result: {} };
      run.insert("turn_finished", "action_executed", again);
    },
  },
  {
    code: "ActionLost",
    what: "a deletion whose end nobody recorded",
    run: () => deletion().drop("action_executed", 1),
    case: mayDelete,
  },
  {
    code: "ActionUnplanned",
    what: "an action that no reply asked for",
    change: (run) => run.drop("action_planned", 3),
  },
  {
    code: "ActionRepeated",
    what: "it ran twice",
    also: ["sequence MultipleActions"],
    change: (run) => run.repeat("action_executed", 3),
  },
  {
    code: "ActionRepeated",
    what: "a resource that was refused and loaded all the same",
    also: ["disclosure UnrequestedResourceLoaded"],
    change: (run) => run.change("action_validated", refused, 1),
    case: errors({ code: "ArgsTooLong", min: 0 }),
  },
  {
    code: "ActionAltered",
    what: "another tool",
    run: () => deletion().change("action_executed", { tool: "read_file" }, 1),
    case: mayDelete,
  },
  {
    code: "ActionAltered",
    what: "no tool",
    run: () => deletion().change("action_executed", (data) => void delete data.tool, 1),
    case: mayDelete,
  },
  {
    code: "ActionAltered",
    what: "a file",
    change: (run) => run.change("action_planned", ({ action }) => void rename(action.payload), 3),
  },
  {
    code: "ActionAltered",
    what: "arguments, and their hash with them",
    also: ["security ApprovalMismatch"],
    change: (run) =>
      run.change(
        "action_executed",
        ({ audit }) => {
          const params = { ...audit?.params, args: ["--all"] };
          Object.assign(audit ?? {}, { params, params_sha256: sha256(canonicalJson(params)) });
        },
        2,
      ),
  },
  {
    code: "ActionAltered",
    what: "the skill",
    change: (run) => run.change("action_executed", { skill: { name: "secret-skill" } }, 2),
  },
  { code: "ScriptFailed", what: "a crash", run: () => crashed(), case: { expect: {} } },
  {
    code: "ScriptFailed",
    what: "a crash after a run that went well",
    run: () => crash(beginRun().select().run().run(), 2).answer(),
    case: { expect: {} },
  },
  { code: "ExpectedErrorMissing", what: "none came", case: errors({ code: "IOError" }) },
  {
    code: "ExpectedErrorMissing",
    what: "it came from another tool",
    change: (run) => run.change("action_executed", gone, 3),
    case: errors({ code: "IOError", tool: "write_file" }),
  },
  {
    code: "UnexpectedError",
    what: "it came twice",
    change: (run) =>
      run.change("action_executed", gone, 3).insert("turn_finished", "error_occurred", ioError, 3),
    case: errors({ code: "IOError", max: 1 }),
  },
  {
    code: "UnexpectedRefusal",
    what: "a tool that is not switched on",
    run: () => beginRun().select().run().answer().refuse(1, "ToolNotAllowed", "tools"),
    case: { expect: {}, enable_tools: [], approvals: [] },
  },
  {
    code: "UnexpectedRefusal",
    what: "by a guard, where another tool is reckoned with",
    run: () => beginRun().select().load().answer().refuse(1, "BudgetExceeded", "guard"),
    case: errors({ code: "BudgetExceeded", tool: "run_script", min: 0 }),
  },
  {
    code: "MockExhausted",
    what: "the script is too short",
    run: () => beginRun().select().stop("mock_exhausted"),
    case: { expect: {} },
  },
  {
    code: "MockTurnsUnused",
    what: "the script is too long",
    change: (run) => run.change("run_finished", { mock: { used: 5, unused: 2 } }),
    case: { mock: { turns: [], strict: true } },
  },
];
const codes =
  "OccursTooOften ActionLost ActionUnplanned ActionRepeated ActionAltered ScriptFailed MustOccurMissing OrderViolated ForbiddenExecuted MultipleActions ExpectedErrorMissing UnexpectedError UnexpectedRefusal MockExhausted MockTurnsUnused";
eachYields("sequence", codes, logs);

/** The clean run, but for a file that is gone. */
function failingRead(): ForgedRun {
  return cleanRun()
    .change(
      "action_executed",
      (data) => void Object.assign(data, gone, { audit: { ...data.audit, result: { ok: false } } }),
      3,
    )
    .change("observation_recorded", { success: false }, 3);
}

test("rules about arguments and counts go by the calls they are about", async () => {
  const fills = { contains: ["scripts/", "fill"], matches: "^scripts/fill\\.py" };
  const kept = rule(
    { must_occur: "run_script", args: fills, min: 1, max: 1, before: "read_file" },
    { must_occur: "select_skills", args: { contains: "pdf-form-filler" } },
    { must_occur: "write_file", min: 0, max: 2 },
    { forbid: "read_file", args: { contains: "other.txt" } },
  );
  expect(await grade(cleanRun(), kept)).toMatchObject({ status: "pass", failures: [] });
  const hidden = cleanRun({ recording: "minimal", streaming: false });
  hidden.events = hidden.events.filter(({ type }) => type !== "model_delta");
  hidden.change(
    "action_planned",
    ({ action }) => void Object.assign(action.payload, { relative_path: { chars: 9, sha256: sha256("x") } }),
    2,
  );
  expect((await grade(hidden, rule({ forbid: "run_script", args: { contains: "x" } }))).status).not.toBe(
    "pass",
  );
});

test("a script that was repaired and run again passes, and so does a crash that the case expects", async () => {
  const repaired = crash(beginRun().select().run().run(), 1).answer();
  expect(await grade(repaired, { expect: {} })).toMatchObject({
    status: "pass",
    warnings: [expect.stringContaining("failed with ExitNonZero")],
  });
  expect(await grade(crashed(), errors({ code: "ExitNonZero", tool: "run_script" }))).toMatchObject({
    status: "pass",
  });
});

test("what was planned and has no recorded end may have run", async () => {
  const origin = { kind: "openai", observed: ["calls", "final"] };
  const run = beginRun({ origin, streaming: false }).call("delete_file", { path: "a" }).answer();
  const lost = run.drop("action_executed").drop("approval_required").drop("approval_granted");
  expect(await grade(lost, rule({ forbid: "delete_file" }))).toMatchObject({ status: "invalid" });
  expect(await grade(lost, rule({ forbid: "write_file" }))).toMatchObject({ status: "pass" });
});

test("bodies come before scripts in a clean run", async () => {
  const report = await grade(cleanRun(), rule({ must_occur: "load_skill_body", before: "run_script" }));
  expect(report).toMatchObject({ status: "pass", not_exercised: [] });
});

test("an order whose second half never came, and what nobody tried, are not exercised", async () => {
  const report = await grade(
    cleanRun(),
    rule({ must_occur: "select_skills", before: "grep" }, { forbid: "delete_file" }),
  );
  expect(report).toMatchObject({
    status: "pass",
    not_exercised: ["select_skills before grep", "forbid delete_file"],
  });
});

test("a forbidden action that was refused was attempted", async () => {
  const run = beginRun().select().run().answer().refuse(1, "ApprovalDenied", "tools");
  const report = await grade(run, {
    expect: {
      action_sequence_constraints: [{ forbid: "run_script" }],
      errors: [{ code: "ApprovalDenied", tool: "run_script" }],
    },
  });
  expect(report.status).toBe("pass");
  expect(findChecks(report, "sequence")["forbid run_script"]).toEqual({
    status: "pass",
    exercised: true,
    attempted: true,
  });
});

test("an error that several events tell of the same call is one error", async () => {
  const run = failingRead();
  run.insert("turn_finished", "error_occurred", { ...ioError, call_id: "c4" }, 3);
  expect(await grade(run, errors({ code: "IOError", max: 1 }))).toMatchObject({ status: "pass" });
});

test("a refusal that is not expected prints the fields to add", async () => {
  const refused = (code: string) => beginRun().select().run().answer().refuse(1, code, "tools");
  const off = await grade(refused("ToolNotAllowed"), { expect: {}, enable_tools: [], approvals: [] });
  expect(off.failures[0]?.message).toContain(
    '"enable_tools": ["run_script"], "approvals": [{"tool":"run_script","match":{"relative_path":"scripts/fill.py"},"decision":"grant","scope":"call"}]',
  );
  const unapproved = await grade(refused("ApprovalDenied"), { expect: {}, approvals: [] });
  expect(unapproved.failures[0]?.message).toContain('add to the case: "approvals": [{"tool":"run_script"');
  expect(unapproved.failures[0]?.message).not.toContain("enable_tools");
  const denied = { expect: {}, enable_tools: [], constraints: { deny_tools: ["run_script"] } };
  expect((await grade(refused("ToolNotAllowed"), denied)).failures[0]?.message).toContain(
    '"expect": {"errors":[{"code":"ToolNotAllowed","tool":"run_script"}]}',
  );
});

test("entries of a script that are left over are reported, and an expected end of it is none", async () => {
  const run = cleanRun().change("run_finished", { mock: { used: 5, unused: 1 } });
  expect(await grade(run)).toMatchObject({
    status: "pass",
    warnings: ["1 entry of the script was never used"],
  });
  const short = beginRun().select().stop("mock_exhausted");
  expect(await grade(short, { expect: { stop_reason: "mock_exhausted" } })).toMatchObject({ status: "pass" });
});

test("two actions in a turn of another agent are none of our business unless the case says so", async () => {
  const origin = { kind: "openai", observed: ["calls", "final"] };
  const run = beginRun({ origin, streaming: false }).select().call("read_file", { path: "a" }).answer();
  for (const event of run.events) if (event.turn === 2) event.turn = 1;
  const loose = await grade(run, { expect: { skills_all_of: ["pdf-form-filler"] } });
  expect(loose).toMatchObject({ status: "pass" });
  const strict = { expect: { one_action_per_turn: true } };
  expect(await grade(run, strict)).toMatchObject({ failures: [{ code: "MultipleActions" }] });
});
