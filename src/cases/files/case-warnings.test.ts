import { expect, test } from "vitest";
import { parse } from "yaml";
import { caseProject, scriptedCase } from "../../../test/case-project.ts";

const a = scriptedCase("a");

/** What a case says besides id and input → the warning, or none. A turn is short for a call of that tool. */
const rows = `
{note: 1} → s/a/case.json: unknown key $.note ignored
{expect: {output: {case_sensitive: false}}} → s/a/case.json: $.expect.output checks nothing
{calls: [grep]} → none
{calls: [run_script]} → s/a/case.json: $.mock.turns[0] of case a uses run_script, which is not enabled: it will fail sequence (UnexpectedRefusal); add "enable_tools": ["run_script"] and "approvals": [{"tool":"run_script","decision":"grant"}]
{calls: [run_script], expect: {errors: [{code: ToolNotAllowed}]}} → none
{calls: [run_script], expect: {errors: [{code: ToolNotAllowed, tool: grep}]}} → not enabled
{calls: [run_script], expect: {errors: [{code: ToolNotAllowed, min: 0, max: 0}]}} → not enabled
{calls: [run_script], approvals: [{tool: run_script, decision: grant}]} → add "enable_tools": ["run_script"]
{calls: [run_script], enable_tools: [run_script]} → not approved: it will fail sequence (UnexpectedRefusal); add "approvals": [
{calls: [run_script], enable_tools: [run_script], approvals: [{tool: run_script, decision: grant}]} → none
{calls: [run_script], enable_tools: [run_script], approvals: [{tool: run_script, match: {skill: {name: k}}, decision: grant}]} → none
{calls: [run_script], enable_tools: [run_script], approvals: [{tool: run_script, match: {args: [x]}, decision: grant}]} → not approved
{calls: [run_script], enable_tools: [run_script], approvals: [{tool: run_script, decision: deny}]} → denied by approvals
{calls: [run_script], enable_tools: [run_script], approvals: [{tool: run_script, decision: deny}], expect: {errors: [{code: ApprovalDenied}]}} → none
{calls: [run_script, run_script], enable_tools: [run_script], approvals: [{tool: run_script, match: {args: ["0"]}, decision: grant}]} → $.mock.turns[1]
{calls: [run_script, run_script], enable_tools: [run_script], approvals: [{tool: run_script, match: {args: ["0"]}, decision: grant, scope: run}]} → none
{calls: [grep], constraints: {require_approval_for: [grep]}} → not approved
{calls: [grep], constraints: {deny_tools: [grep]}} → in constraints.deny_tools
{calls: [sum]} → "enable_tools": ["sum"]`;

test.each(rows.trim().split("\n"))("%s", async (line) => {
  const [caseText = "", warning = ""] = line.split(" → ");
  const { calls, ...written } = parse(caseText);
  const mock = calls === undefined ? undefined : { turns: calls.map(turnOf) };
  await using project = await caseProject({ "s/a/case.json": { id: "a", input: "x", mock, ...written } });

  const [suite] = await project.load("s");

  expect(suite?.warnings).toEqual(warning === "none" ? [] : [expect.stringContaining(warning)]);
});

function turnOf(tool: string, index: number) {
  const script = { skill: { name: "k" }, relative_path: "scripts/x.py", args: [String(index)] };
  return tool === "run_script"
    ? { action: { type: "run_script", payload: script } }
    : { action: { type: "call_tool", payload: { tool, arguments: {} } } };
}

test("files that are not cases are left alone and reported", async () => {
  await using project = await caseProject({
    "s/a.json": a,
    "s/schema.json": { type: "object" },
    "s/queries.json": [],
    "s/b/expected/x": "",
  });
  const [suite] = await project.load("s");
  expect(suite?.warnings).toEqual([
    "s/b has an expected/ folder but no case.json or case.yaml",
    "s/queries.json is a separate suite: pass its path to run it",
    "s/schema.json is not a case: it has neither input nor expect, so it was skipped",
  ]);
});
