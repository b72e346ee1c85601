import { expect, test } from "vitest";
import type { ApprovalRule } from "../../contract/agent-case.ts";
import type { Approver } from "../../contract/agent-parts.ts";
import type { ApprovalRequest } from "../../contract/agent-record.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { flagsApprover, interactiveApprover, parseApproveFlag, scriptedApprover } from "./approvers.ts";

const decide = (approver: Approver, tool: string, params: JsonObject = {}) =>
  approver.decide(
    {
      ...{ approval_id: "a1", call_id: "c1", tool, risk: "medium", reason: "", params },
      ...{ params_sha256: "", replay: "" },
    } satisfies ApprovalRequest,
    neverAborted,
  );

const rule = (match: JsonObject | undefined, decision: "grant" | "deny" = "grant"): ApprovalRule => ({
  ...{ tool: "run_script", match, decision, scope: "call" },
});

const params = {
  skill: { name: "pdf", source: "project" },
  relative_path: "scripts/fill.py",
  args: ["a", "b"],
};

test.each<[string, JsonObject | undefined, boolean]>([
  ["nothing at all", undefined, true],
  ["nothing", {}, true],
  ["a member", { relative_path: "scripts/fill.py" }, true],
  ["another value", { relative_path: "scripts/other.py" }, false],
  ["a part of an object", { skill: { name: "pdf" } }, true],
  ["a member that is not there", { skill: { version: null } }, false],
  ["a member of everything", { toString: {} }, false],
  ["a whole list", { args: ["a", "b"] }, true],
  ["a part of a list", { args: ["a"] }, false],
  ["an object for a list", { args: {} }, false],
])("a rule that names %s", async (_, match, fits) => {
  const answer = await decide(scriptedApprover([rule(match)]), "run_script", params);
  expect(answer.decision).toBe(fits ? "grant" : "deny");
});

test("the first rule that fits wins, and without one the answer is no", async () => {
  const rules = [rule({ args: [] }), rule({}, "deny"), rule({})];
  expect(await decide(scriptedApprover(rules), "run_script", params)).toMatchObject({
    decision: "deny",
    reason: "rule 2 denies it",
  });
  expect(await decide(scriptedApprover(rules), "write_file")).toMatchObject({ decision: "deny" });
});

test.each<[string, object]>([
  ["run_script", { tool: "run_script", scope: "call" }],
  ["run_script:run", { tool: "run_script", scope: "run" }],
  ["write_file:call", { tool: "write_file", scope: "call" }],
  ["write_file:run", { problem: expect.stringContaining("call by call") }],
  ["run_script:always", { problem: expect.stringContaining(":call or :run") }],
  ["run_script:run:call", { problem: expect.stringContaining(":call or :run") }],
  [":run", { problem: "names no tool" }],
])("--approve %s", (typed, read) => {
  expect(parseApproveFlag(typed)).toEqual(read);
});

test("flags answer what they name, and nobody is asked about the rest", async () => {
  const flags = flagsApprover([{ tool: "run_script", scope: "run" }]);
  expect(await decide(flags, "run_script")).toEqual({ decision: "grant", scope: "run", by: "flag" });
  expect(await decide(flags, "write_file")).toMatchObject({ decision: "unasked" });
});

test("a person is asked where no flag speaks, and without a terminal nobody is", async () => {
  const saying = (answer: "yes" | "run" | "no") => interactiveApprover(async () => answer);
  const terminal = { by: "terminal" };
  expect(await decide(saying("yes"), "x")).toEqual({ decision: "grant", scope: "call", ...terminal });
  expect(await decide(saying("run"), "x")).toEqual({ decision: "grant", scope: "run", ...terminal });
  expect(await decide(saying("no"), "x")).toMatchObject({ decision: "deny", ...terminal });
  const alone = flagsApprover([{ tool: "x", scope: "call" }]);
  expect(await decide(alone, "x")).toMatchObject({ decision: "grant", by: "flag" });
  expect(await decide(alone, "y")).toMatchObject({ decision: "unasked" });
});
