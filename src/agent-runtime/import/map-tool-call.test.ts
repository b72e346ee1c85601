import { expect, test } from "vitest";
import type { JsonObject } from "../../shared/json/json.ts";
import { claudeTools } from "./claude-tools.ts";
import { mapToolCall } from "./map-tool-call.ts";
import { shellCommands } from "./shell-command.ts";
import { SkillLocator } from "./skill-locator.ts";
import { commonTools } from "./tool-map.ts";

const tools = { ...commonTools, ...claudeTools };
const locator = new SkillLocator([{ name: "pdf", dir: "/opt/office/pdf" }], "/home/me/work");

function mapped(tool: string, given: JsonObject | null): string[] {
  const {
    mapped: found,
    hides,
    isDoubtful = false,
  } = mapToolCall({ tool, arguments: given }, locator, tools);
  const words = found.map((one) => {
    if (one.kind === "select")
      return one.skills.map(({ name, sourceHint }) => `select ${name} ${sourceHint}`).join();
    if (one.kind === "tool") return one.tool;
    const { skill, path, inferred } = one.file;
    const args = one.kind === "script" ? one.args : [];
    return [one.kind, skill, path, ...args, ...(inferred ? ["?"] : [])].join(" ");
  });
  return [...words, ...(isDoubtful ? ["doubtful"] : hides.length > 0 ? ["opaque"] : [])];
}

const rows: [string, JsonObject | null, string[]][] = [
  ["Skill", { skill: "pdf" }, ["select pdf null"]],
  ["Skill", { command: "office:pdf" }, ["select pdf office"]],
  ["Skill", {}, ["foreign:Skill", "doubtful"]],
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
  ["Read", null, ["read_file", "doubtful"]],
  ["load_resource", { skill: { name: "pdf" }, relative_path: "a.md" }, ["resource pdf a.md"]],
  ["run_script", { skill: "pdf", relative_path: "scripts/a.py", args: ["x"] }, ["script pdf scripts/a.py x"]],
  [
    "Bash",
    { command: "python3 /opt/office/pdf/scripts/fill.py --a 'b c'" },
    ["script pdf scripts/fill.py --a b c"],
  ],
  ["Bash", { command: "cd /opt/office/pdf && ./scripts/fill.sh" }, ["script pdf scripts/fill.sh"]],
  [
    "Bash",
    { command: "cd /opt/office/pdf && python3 -m scripts.fill a" },
    ["script pdf scripts/fill.py a", "foreign:Bash", "opaque"],
  ],
  [
    "Bash",
    { command: "cat skills/notes/SKILL.md; node skills/notes/scripts/a.js" },
    ["body notes SKILL.md ?", "script notes scripts/a.js ?"],
  ],
  ["shell", { command: ["bash", "-lc", "sed -n 1,99p /opt/office/pdf/SKILL.md"] }, ["body pdf SKILL.md"]],
  ["local_shell", { command: ["/opt/office/pdf/scripts/a.sh", "x y"] }, ["script pdf scripts/a.sh x y"]],
  // What is plainly done is seen; that nothing else is done is not.
  ["Bash", { command: "ls" }, ["foreign:Bash", "opaque"]],
  [
    "Bash",
    { command: "X=1 python3 /opt/office/pdf/scripts/fill.py" },
    ["script pdf scripts/fill.py", "foreign:Bash", "opaque"],
  ],
  [
    "Bash",
    { command: "python3 -c 'import os' /opt/office/pdf/scripts/fill.py" },
    ["script pdf scripts/fill.py", "foreign:Bash", "opaque"],
  ],
  [
    "Bash",
    { command: "python3 /opt/office/pdf/scripts/fill.py $(rm -rf x)" },
    ["script pdf scripts/fill.py $", "foreign:Bash", "delete_file", "opaque"],
  ],
  [
    "Bash",
    { command: "/opt/office/pdf/scripts/fill.sh | tee log" },
    ["script pdf scripts/fill.sh", "foreign:Bash", "write_file", "opaque"],
  ],
  [
    "Bash",
    { command: "cat /opt/office/pdf/SKILL.md; curl evil.example" },
    ["body pdf SKILL.md", "foreign:Bash", "network_request", "opaque"],
  ],
  [
    "Bash",
    { command: "cat /opt/office/pdf/SKILL.md /etc/passwd" },
    ["body pdf SKILL.md", "foreign:Bash", "opaque"],
  ],
  ["Bash", { command: "cat x > /opt/office/pdf/notes.md" }, ["foreign:Bash", "write_file", "opaque"]],
  ["Bash", { command: "sed -i s/a/b/ a.txt" }, ["foreign:Bash", "write_file", "opaque"]],
  [
    "Bash",
    { command: "bash -lc 'rm a; mv b c'" },
    ["foreign:Bash", "delete_file", "delete_file", "write_file", "opaque"],
  ],
  [
    "Bash",
    { command: "sudo -u root curl -o a https://x.example" },
    ["foreign:Bash", "network_request", "write_file", "opaque"],
  ],
  ["Bash", { command: "find . -name x | xargs -n 1 rm" }, ["foreign:Bash", "opaque"]],
  [
    "Bash",
    { command: "python -m pip install x 2>&1 >/dev/null" },
    ["foreign:Bash", "network_request", "opaque"],
  ],
  [
    "Bash",
    { command: "cat <<'EOF' > a.py\nrm -rf /\nEOF\necho done" },
    ["foreign:Bash", "write_file", "opaque"],
  ],
  ["Bash", { command: "echo 'a > b; rm c' # rm d" }, ["foreign:Bash", "opaque"]],
  ["Bash", { command: "echo python /opt/office/pdf/scripts/fill.py" }, ["foreign:Bash", "opaque"]],
  ["Bash", {}, ["foreign:Bash", "doubtful"]],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Delete File: a\n*** Update File: b\n" },
    ["delete_file", "write_file"],
  ],
  ["Read", {}, ["read_file", "doubtful"]],
  ["TodoWrite", { todos: [] }, ["foreign:TodoWrite"]],
  ["Read", { file_path: "/mnt/skills/public/docx/SKILL.md" }, ["body docx SKILL.md ?"]],
  ["Read", { file_path: "/mnt/skills/public/docx/references/a.md" }, ["resource docx references/a.md ?"]],
  ["Bash", { command: "python3 /mnt/skills/public/docx/scripts/a.py" }, ["script docx scripts/a.py ?"]],
  ["Edit", { file_path: "a" }, ["write_file"]],
  ["Glob", { pattern: "*" }, ["list_dir"]],
  ["WebSearch", { query: "x" }, ["network_request"]],
  ["mcp__mail__send", { to: "me" }, ["foreign:mcp__mail__send", "opaque"]],
  ["constructor", {}, ["foreign:constructor", "opaque"]],
];
for (const [tool, given, expected] of rows) {
  test(`${tool} ${JSON.stringify(given)} is ${expected.join(" and ")}`, () => {
    expect(mapped(tool, given)).toEqual(expected);
  });
}

test("a command line is cut where a shell cuts it, also when it is broken", () => {
  const words = (line: string) => shellCommands(line).map((command) => command.words.join("|"));
  expect(words(`a "b;c" 'd e'&&f\\ g|h\n(i) "open`)).toEqual(["a|b;c|d e", "f g", "h", "i", "open"]);
  expect(shellCommands("a>b 2>>c 2>&1 &>d <e")[0]).toMatchObject({ words: ["a"], writes: ["b", "c", "d"] });
});

test("a skill lies where its SKILL.md does, also below folders that hold several", () => {
  const places = new SkillLocator([], "/w");
  places.learn('{"path":"/data/skills/office/forms/pdf/SKILL.md"}');
  expect(places.locate("/data/skills/office/forms/pdf/tools/a.py")).toMatchObject({
    skill: "pdf",
    path: "tools/a.py",
  });
  expect(places.locate("/data/skills/office/forms/x.md")).toMatchObject({ skill: "office" });
});
