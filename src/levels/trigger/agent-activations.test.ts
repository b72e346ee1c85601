import { expect, test } from "vitest";
import { readAgentLine } from "./agent-activations.ts";

const read = (line: unknown) =>
  readAgentLine(Buffer.from(typeof line === "string" ? line : JSON.stringify(line)));

const used = (...blocks: object[]) => ({
  type: "assistant",
  message: { role: "assistant", content: blocks },
});
const tool = (name: string, input: unknown) => ({ type: "tool_use", id: "t1", name, input });

test.each<[string, unknown, string[]]>([
  ["a line of the simple kind", { type: "skill", name: "pdf" }, ["pdf"]],
  ["the Skill tool by its input skill", used(tool("Skill", { skill: "pdf", args: "x" })), ["pdf"]],
  ["the Skill tool by its input command", used(tool("Skill", { command: "pdf" })), ["pdf"]],
  ["the Skill tool by its input name", used(tool("Skill", { name: "pdf" })), ["pdf"]],
  ["reading the instructions", used(tool("Read", { file_path: "/p/.claude/skills/pdf/SKILL.md" })), ["pdf"]],
  [
    "reading them by a relative path",
    used(tool("Read", { file_path: ".claude/skills/pdf/SKILL.md" })),
    ["pdf"],
  ],
  [
    "another tool first",
    used({ type: "text", text: "hm" }, tool("Bash", { command: "ls" }), tool("Skill", { skill: "a b" })),
    ["a b"],
  ],
  ["two at once", used(tool("Skill", { skill: "a" }), tool("Skill", { skill: "b" })), ["a", "b"]],
  [
    "a message of a sub-agent",
    { ...used(tool("Skill", { skill: "pdf" })), parent_tool_use_id: "t0" },
    ["pdf"],
  ],
  [
    "reading something else of a skill",
    used(tool("Read", { file_path: "/p/.claude/skills/pdf/notes.md" })),
    [],
  ],
  [
    "reading a file that only sounds alike",
    used(tool("Read", { file_path: "/p/my-skills/pdf/SKILL.md.bak" })),
    [],
  ],
  ["a word about a skill", used({ type: "text", text: 'Skill {"skill":"pdf"}' }), []],
  ["what a user says", { type: "user", message: { content: [tool("Skill", { skill: "pdf" })] } }, []],
  ["odd shapes", used(tool("Skill", null), tool("Skill", { skill: 7 }), tool("Read", { file_path: [] })), []],
  ["no content", { type: "assistant", message: null }, []],
  ["a name without end", { type: "skill", name: "x".repeat(300) }, []],
])("%s", (_name, line, activated) => {
  expect(read(line)).toEqual({ activated, problem: null });
});

test.each([
  "",
  "prose",
  '"text"',
  "[1]",
  "{",
  '{"name":"pdf"}',
  '{"type":7}',
  "null",
  `${'{"type":'.repeat(5000)}`,
])("%.20s is not a line of an agent", (line) => {
  expect(read(line)).toBeNull();
});

test("an agent that ends in an error says so, unless it was let take few steps only", () => {
  expect(
    read({ type: "result", is_error: true, subtype: "success", result: "Invalid API key" }),
  ).toMatchObject({
    problem: "Invalid API key",
  });
  expect(read({ type: "result", is_error: true, subtype: "error_during_execution" })).toMatchObject({
    problem: 'it ended with "error_during_execution"',
  });
  expect(read({ type: "result", is_error: true, subtype: "error_max_turns" })).toMatchObject({
    problem: null,
  });
  expect(read({ type: "result", is_error: false, result: "fine" })).toMatchObject({ problem: null });
});
