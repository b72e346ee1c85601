import { describe, expect, test } from "vitest";
import { samplePolicy, sampleSkill } from "../../../test/sample-tools.ts";
import type { AgentPolicy } from "../../contract/limits.ts";
import { effectiveTools, policyProblem } from "./effective-tools.ts";

const low = ["read_file", "list_dir", "grep"];
const requesting = (...mapped: string[]) =>
  sampleSkill("/s", {
    name: mapped.join("-"),
    allowedTools: { tokens: [], mapped, unmapped: ["TodoWrite"] },
  });
const silent = sampleSkill("/s", {
  tools: [{ name: "add", description: "", parameters: null, script: "scripts/add.py" }],
});

const rows: [string, Partial<AgentPolicy>, Parameters<typeof effectiveTools>[1], string[]][] = [
  ["by default those that only read", {}, [], low],
  [
    "what is switched on",
    { enable_tools: ["write_file", "run_script"] },
    [],
    [...low, "run_script", "write_file"],
  ],
  [
    "less what is denied",
    { enable_tools: ["run_script"], deny_tools: ["run_script", "grep"] },
    [],
    low.slice(0, 2),
  ],
  ["a tool of a skill, by its own name", { enable_tools: ["add"] }, [silent], [...low, "add"]],
  ["a tool that some skill may bring", { enable_tools: ["add"] }, [], [...low, "add"]],
  ["no tool of a skill unless it is named", {}, [silent], low],
  ["no tool of a skill that is denied", { enable_tools: ["add"], deny_tools: ["add"] }, [silent], low],
  ["whatever a skill requests, under report", {}, [requesting("grep")], low],
  [
    "what a skill requests, under restrict",
    { allowed_tools_policy: "restrict" },
    [requesting("grep")],
    ["grep"],
  ],
  [
    "what any skill requests, under restrict",
    { allowed_tools_policy: "restrict", enable_tools: ["write_file"] },
    [requesting("grep"), requesting("write_file")],
    ["grep", "write_file"],
  ],
  [
    "all, where one skill says nothing",
    { allowed_tools_policy: "restrict" },
    [requesting("grep"), silent],
    low,
  ],
  ["all, where no skill is selected", { allowed_tools_policy: "restrict" }, [], low],
  [
    "nothing more than that, whatever is requested",
    { allowed_tools_policy: "restrict" },
    [requesting("write_file")],
    [],
  ],
];

describe("the effective set", () => {
  test.each(rows)("has %s", (_, policy, selected, expected) => {
    expect(effectiveTools({ ...samplePolicy, ...policy }, selected)).toEqual(expected);
  });
});

test("a script is for the skill it belongs to to allow, not for its neighbour", () => {
  const policy: AgentPolicy = {
    ...samplePolicy,
    enable_tools: ["run_script"],
    allowed_tools_policy: "restrict",
  };
  const [reader, runner] = [requesting("read_file"), requesting("run_script")];
  const selected = [reader, runner];
  expect(policyProblem(policy, "run_script", { owner: runner, selected })).toBeNull();
  expect(policyProblem(policy, "run_script", { owner: reader, selected })).toBe("restricted");
});
