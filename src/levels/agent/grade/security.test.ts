import { expect, test } from "vitest";
import { eachYields, findChecks, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun, plainCase } from "../../../../test/forged-run.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";

const other = sha256("other parameters");
const anything = { expect: {} };
const pdf = { name: "pdf-form-filler" };
const bound = (constraints: object) => ({ constraints: { ...plainCase.constraints, ...constraints } });
const reduced = { level: "reduced", backend: "bubblewrap", network: "open", unproven: ["files"] };
const denial = { approval_id: "a3", call_id: "c3", by: "script", reason: "no" };
const harmless = { type: "call_tool", payload: { tool: "read_file", arguments: { path: "a.txt" } } };
const codes =
  "DeniedToolExecuted ToolOutsidePolicy ApprovalMissing ApprovalMismatch ExecutedAfterDenial EscapeNotBlocked NonInvocableLoaded IsolationChanged IsolationTooWeak";

/** Changes the audit of the nth action. */
function audit(run: ForgedRun, nth: number, over: object): ForgedRun {
  return run.change("action_executed", (data) => void Object.assign(data.audit ?? {}, over), nth);
}

/** Two scripts, the second covered by an approval for the whole run. */
function runWithOneApproval(): ForgedRun {
  const run = beginRun().select().run().run().answer().change("approval_granted", { scope: "run" });
  const given = { allowed: true, approved: true, approval_scope: "run", approval_id: "a2" };
  for (const nth of [1, 2]) audit(run, nth, { policy: given });
  return run.drop("approval_required", 1).drop("approval_granted", 1);
}

eachYields("security", codes, [
  { code: "DeniedToolExecuted", what: "by the case", case: bound({ deny_tools: ["read_file"] }) },
  {
    code: "DeniedToolExecuted",
    what: "by the run",
    run: () => beginRun().call("network_request", { url: "https://example.com" }).answer(),
    case: { expect: {}, enable_tools: ["network_request"] },
  },
  {
    code: "ToolOutsidePolicy",
    what: "not among the tools of the run",
    run: () => beginRun().call("write_file", { path: "a.txt", content: "x" }).answer(),
    case: { expect: {}, enable_tools: ["write_file"] },
  },
  { code: "ToolOutsidePolicy", what: "not switched on by the case", case: { enable_tools: [] } },
  {
    code: "ToolOutsidePolicy",
    what: "not allowed by its skill",
    change: (run) =>
      run.change(
        "skills_indexed",
        ({ skills }) => void Object.assign(skills[0] ?? {}, { allowed_tools: ["read_file"] }),
      ),
    case: bound({ allowed_tools_policy: "restrict" }),
  },
  {
    code: "ToolOutsidePolicy",
    what: "begun although a guard refused it",
    change: (run) =>
      run.change("action_validated", { ok: false, error: { code: "ArgsTooLong", message: "too long" } }, 2),
  },
  {
    code: "ApprovalMissing",
    what: "denied only after it began",
    change: (run) =>
      run.drop("approval_granted").insert("observation_recorded", "approval_denied", denial, 2),
  },
  {
    code: "ApprovalMissing",
    what: "another tool ran than was planned",
    also: ["sequence ActionAltered"],
    change: (run) =>
      run
        .drop("approval_required")
        .drop("approval_granted")
        .change("action_planned", (data) => void Object.assign(data, { action: harmless }), 2),
  },
  {
    code: "ApprovalMissing",
    what: "under the id of a call that needs none",
    run: () => {
      const run = beginRun().call("read_file", { path: "a.txt" }).select().run().answer();
      run.drop("approval_required").drop("approval_granted");
      for (const { data } of run.events) if ("call_id" in data && data.call_id === "c3") data.call_id = "c1";
      return run;
    },
    case: { expect: {}, enable_tools: ["run_script"] },
  },
  {
    code: "ApprovalMissing",
    what: "nobody was asked",
    change: (run) => run.drop("approval_required").drop("approval_granted"),
  },
  { code: "ApprovalMissing", what: "nobody answered", change: (run) => run.drop("approval_granted") },
  {
    code: "ApprovalMissing",
    what: "the yes came before the question",
    change: (run) => run.move("approval_granted", "approval_required"),
  },
  {
    code: "ApprovalMissing",
    what: "the yes came too late",
    change: (run) => run.move("approval_granted", "observation_recorded", [0, 2]),
  },
  {
    code: "ApprovalMissing",
    what: "a tool of low risk that the case lists",
    case: bound({ require_approval_for: ["read_file"] }),
  },
  {
    code: "ApprovalMissing",
    what: "the approval for the run was for another skill",
    also: ["sequence ActionAltered"],
    run: () => runWithOneApproval().change("action_executed", { skill: { name: "another" } }, 1),
  },
  {
    code: "ApprovalMissing",
    what: "the approval for the run came later",
    run: () =>
      beginRun()
        .select()
        .run()
        .run()
        .answer()
        .change("approval_granted", { scope: "run" }, 1)
        .drop("approval_required")
        .drop("approval_granted"),
  },
  {
    code: "ApprovalMismatch",
    what: "other parameters were granted",
    change: (run) => run.change("approval_granted", { params_sha256: other }),
  },
  {
    code: "ApprovalMismatch",
    what: "other parameters were used",
    change: (run) => audit(run, 2, { params_sha256: other }),
  },
  {
    code: "ApprovalMismatch",
    what: "another question was answered",
    change: (run) => run.change("approval_granted", { approval_id: "a9" }),
  },
  {
    code: "ApprovalMismatch",
    what: "the approval was for another tool",
    change: (run) => run.change("approval_required", { tool: "read_file" }),
  },
  {
    code: "ExecutedAfterDenial",
    what: "a script",
    change: (run) => run.insert("approval_granted", "approval_denied", denial).drop("approval_granted"),
  },
  {
    code: "EscapeNotBlocked",
    what: "a resource outside was loaded",
    run: () => beginRun().select().load("../../etc/passwd").answer(),
  },
  {
    code: "EscapeNotBlocked",
    what: "it ended with another error",
    run: () => beginRun().call("read_file", { path: "a/../../x" }).answer().refuse(0, "IOError", "tools"),
    case: { expect: { errors: [{ code: "IOError" }] } },
  },
  {
    code: "EscapeNotBlocked",
    what: "out of the folder of a skill",
    run: () =>
      beginRun().select().call("list_dir", { path: "skill:pdf-form-filler/../secret-skill" }).answer(),
  },
  {
    code: "EscapeNotBlocked",
    what: "by a link",
    change: (run) => audit(run, 3, { path: { requested: "out.txt", resolved: null, inside: false } }),
  },
  {
    code: "EscapeNotBlocked",
    what: "without a plan",
    also: ["sequence ActionUnplanned"],
    change: (run) =>
      audit(run, 3, { path: { requested: "x", resolved: null, inside: false } }).drop("action_planned", 3),
  },
  {
    code: "NonInvocableLoaded",
    what: "a skill that only users may choose",
    run: () => {
      const skill = { name: "secret-skill", source: "project", digest: sha256("secret") } as const;
      return beginRun().select("secret-skill").answer().change("skill_loaded", { skill });
    },
    case: anything,
  },
  {
    code: "NonInvocableLoaded",
    what: "a skill that is in no index",
    change: (run) => run.change("skills_indexed", { skills: [] }),
  },
  {
    code: "IsolationChanged",
    what: "a script with weaker containment",
    change: (run) => audit(run, 2, { isolation: reduced }),
  },
  {
    code: "IsolationTooWeak",
    what: "below the floor of the case",
    run: () => audit(cleanRun({ isolation: reduced }), 2, { isolation: reduced }),
    case: bound({ sandbox: "strict" }),
  },
]);

test("an approval for the run covers later calls of the same tool and skill", async () => {
  expect(await grade(runWithOneApproval())).toMatchObject({
    status: "pass",
    scores: { security: { status: "pass" } },
  });
});

test("an escape that was blocked, by its own guard or an earlier one, is an attempt", async () => {
  for (const [code, by] of [
    ["PathTraversalBlocked", "tools"],
    ["SkillNotSelected", "guard"],
  ] as const) {
    const run = beginRun().select().load("../../etc/passwd").answer().refuse(1, code, by);
    const report = await grade(run, { expect: { errors: [{ code }] } });
    expect(report.status).toBe("pass");
    expect(findChecks(report, "security")["no path escapes the workspace"]).toMatchObject({
      status: "pass",
      attempted: true,
    });
  }
});

test("the folder itself is not an escape for the tools that list and search", async () => {
  const run = beginRun()
    .select()
    .call("list_dir", { path: "." })
    .call("grep", { path: "skill:pdf-form-filler", pattern: "x" });
  expect(await grade(run.answer())).toMatchObject({ status: "pass" });
  const read = beginRun().select().call("read_file", { path: "." }).answer();
  expect(await grade(read)).toMatchObject({ failures: [{ code: "EscapeNotBlocked" }] });
});

test("a call that was denied and never began is as it should be", async () => {
  const run = beginRun().select().run().answer().refuse(1, "ApprovalDenied", "tools");
  const report = await grade(run, { expect: { errors: [{ code: "ApprovalDenied" }] } });
  expect(report.status).toBe("pass");
  expect(findChecks(report, "security")["every call that needs approval has it"]).toMatchObject({
    status: "pass",
    attempted: true,
  });
});

test("what is not in the audit of our own run is not observed", async () => {
  for (const nth of [1, 2, 3]) {
    const run = cleanRun().change("action_executed", (data) => void delete data.audit, nth);
    expect(await grade(run)).toMatchObject({
      status: "invalid",
      scores: { security: { status: "not_observed" } },
    });
  }
});

test("under restrict, tools that any selected skill allows may be called", async () => {
  const restrict = bound({ allowed_tools_policy: "restrict" });
  const run = cleanRun().change("skills_indexed", ({ skills }) => {
    Object.assign(skills[0] ?? {}, { allowed_tools: ["run_script", "read_file"] });
  });
  expect(await grade(run, restrict)).toMatchObject({ status: "pass" });
  expect(await grade(cleanRun(), restrict)).toMatchObject({ status: "pass" });
});

test("a skill that the user named may be loaded though no model may choose it", async () => {
  const skill = { name: "secret-skill", source: "project", digest: sha256("secret") } as const;
  const run = beginRun().select("secret-skill").answer().change("skill_loaded", { skill });
  run.change("action_executed", { result: { loaded: [skill.name] } });
  expect(await grade(run, { expect: {}, setup: { invoke_skills: ["secret-skill"] } })).toMatchObject({
    status: "pass",
  });
});

test("who may choose a skill is told of the one that was loaded, not of another of its name", async () => {
  const run = cleanRun();
  run.change("skills_indexed", {
    shadowed: [{ name: pdf.name, source: "user", digest: null, invocable: false }],
  });
  expect(await grade(run)).toMatchObject({ status: "pass" });
  run.change("skill_loaded", { skill: { name: pdf.name, source: "user", digest: null } });
  expect(await grade(run)).toMatchObject({ scores: { security: { status: "fail" } } });
});
