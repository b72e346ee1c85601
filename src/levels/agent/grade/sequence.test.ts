import { expect, test } from "vitest";
import { eachYields, type ForgedLog, findChecks, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun } from "../../../../test/forged-run.ts";

const rule = (...action_sequence_constraints: object[]) => ({ expect: { action_sequence_constraints } });
const errors = (...expected: object[]) => ({ expect: { errors: expected } });
const gone = { ok: false, error: { code: "IOError", message: "gone" } };
const ioError = { code: "IOError", message: "gone", fatal: false };

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
  { code: "ForbiddenExecuted", what: "a tool", case: rule({ forbid: "read_file" }) },
  { code: "ForbiddenExecuted", what: "any call of a tool", case: rule({ forbid: "call_tool" }) },
  {
    code: "MultipleActions",
    what: "two in a turn",
    change: (run) => {
      const again = { call_id: "c1", action: "select_skills", started: true, ok: true, result: {} };
      run.insert("turn_finished", "action_executed", again);
    },
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
  "MustOccurMissing OrderViolated ForbiddenExecuted MultipleActions ExpectedErrorMissing UnexpectedError UnexpectedRefusal MockExhausted MockTurnsUnused";
eachYields("sequence", codes, logs);

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
  const run = cleanRun().change("action_executed", gone, 3);
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

test("two actions in a turn are none of our business where the case says so", async () => {
  const run = cleanRun();
  run.insert("turn_finished", "action_executed", {
    call_id: "c1",
    action: "select_skills",
    started: true,
    ok: true,
    result: {},
  });
  expect(await grade(run, { expect: { one_action_per_turn: false } })).toMatchObject({ status: "pass" });
});
