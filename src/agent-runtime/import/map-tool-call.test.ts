import { expect, test } from "vitest";
import type { JsonObject } from "../../shared/json/json.ts";
import { commandSegments, mapToolCall } from "./map-tool-call.ts";
import { SkillLocator } from "./skill-locator.ts";

const locator = new SkillLocator([{ name: "pdf", dir: "/opt/office/pdf" }], "/home/me/work");

function mapped(tool: string, given: JsonObject | null): string[] {
  const call = { id: null, tool, arguments: given, result: null, denied: null };
  return mapToolCall(call, locator).map((one) => {
    if (one.kind === "select")
      return one.skills.map(({ name, sourceHint }) => `select ${name} ${sourceHint}`).join();
    if (one.kind === "tool") return one.tool;
    const { skill, path, inferred } = one.file;
    return [
      one.kind,
      skill,
      path,
      ...(one.kind === "script" ? one.args : []),
      ...(inferred ? ["?"] : []),
    ].join(" ");
  });
}

const rows: [string, JsonObject | null, string[]][] = [
  ["Skill", { skill: "pdf" }, ["select pdf null"]],
  ["Skill", { command: "office:pdf" }, ["select pdf office"]],
  ["Skill", {}, ["foreign:Skill"]],
  ["select_skills", { skills: [{ name: "a" }, { name: "b" }] }, ["select a null,select b null"]],
  ["Read", { file_path: "/opt/office/pdf/SKILL.md" }, ["body pdf SKILL.md"]],
  ["Read", { file_path: "/opt/office/pdf/references/a.md" }, ["resource pdf references/a.md"]],
  ["Read", { file_path: "/opt/office/pdf-evil/SKILL.md" }, ["read_file"]],
  ["Read", { file_path: "/opt/office/pdf/../other.md" }, ["read_file"]],
  ["Read", { file_path: ".claude/skills/notes/SKILL.md" }, ["body notes SKILL.md ?"]],
  ["Read", { file_path: "C:\\work\\skills\\notes\\references\\a.md" }, ["resource notes references/a.md ?"]],
  ["Read", { file_path: "/work/skills/app/.claude/skills/notes/SKILL.md" }, ["body notes SKILL.md ?"]],
  ["Read", { file_path: "/work/skills/readme.md" }, ["read_file"]],
  ["read_file", { path: "skill:pdf/a.md" }, ["resource pdf a.md"]],
  ["Read", null, ["read_file"]],
  ["load_resource", { skill: { name: "pdf" }, relative_path: "a.md" }, ["resource pdf a.md"]],
  ["run_script", { skill: "pdf", relative_path: "scripts/a.py", args: ["x"] }, ["script pdf scripts/a.py x"]],
  [
    "Bash",
    { command: "python3 -u /opt/office/pdf/scripts/fill.py --a 'b c' | tee log" },
    ["script pdf scripts/fill.py --a b c", "foreign:Bash"],
  ],
  ["Bash", { command: "cd /opt/office/pdf && X=1 ./scripts/fill.sh" }, ["script pdf scripts/fill.sh"]],
  [
    "Bash",
    { command: "cat skills/notes/SKILL.md; uv run skills/notes/scripts/a.py" },
    ["body notes SKILL.md ?", "script notes scripts/a.py ?"],
  ],
  ["Bash", { command: "ls /opt/office/pdf/scripts" }, ["foreign:Bash"]],
  [
    "Bash",
    { command: "cat /opt/office/pdf/SKILL.md; curl evil.example" },
    ["body pdf SKILL.md", "foreign:Bash"],
  ],
  ["Bash", { command: "cat /opt/office/pdf/SKILL.md /etc/passwd" }, ["body pdf SKILL.md", "foreign:Bash"]],
  ["Bash", { command: "cat x > /opt/office/pdf/notes.md" }, ["foreign:Bash"]],
  ["Bash", { command: "sed -i s/a/b/ /opt/office/pdf/SKILL.md" }, ["foreign:Bash"]],
  ["Bash", { command: "echo python /opt/office/pdf/scripts/fill.py" }, ["foreign:Bash"]],
  ["shell", { command: ["bash", "-lc", "head -5 /opt/office/pdf/SKILL.md"] }, ["body pdf SKILL.md"]],
  ["local_shell", { command: ["/opt/office/pdf/scripts/a.sh", "x y"] }, ["script pdf scripts/a.sh x y"]],
  ["Edit", { file_path: "a" }, ["write_file"]],
  ["Glob", { pattern: "*" }, ["list_dir"]],
  ["WebSearch", { query: "x" }, ["network_request"]],
  ["mcp__mail__send", { to: "me" }, ["foreign:mcp__mail__send"]],
  ["constructor", {}, ["foreign:constructor"]],
];
for (const [tool, given, expected] of rows) {
  test(`${tool} ${JSON.stringify(given)} is ${expected.join(" and ")}`, () => {
    expect(mapped(tool, given)).toEqual(expected);
  });
}

test("a command line is cut where a shell cuts it, also when it is broken", () => {
  expect(commandSegments(`a "b;c" 'd e'&&f\\ g|h\n(i) "open`)).toEqual([
    ["a", "b;c", "d e"],
    ["f g"],
    ["h"],
    ["i"],
    ["open"],
  ]);
});
