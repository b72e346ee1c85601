import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import type { Diagnosis } from "../../contract/findings.ts";

const withPrograms = { env: { PATH: process.env.PATH ?? "" } };
const withoutPrograms = { env: { PATH: "/var/empty" } };

const agent = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: Sorts words. Use when a list of words has to be sorted.\n${more}---\n# Sorter\n`;
const unit = (id: string) =>
  JSON.stringify({
    id,
    name: id,
    version: "1.0.0",
    description: "Sorts words. Use when a list of words has to be sorted.",
    adapterType: "http",
    entrypoint: "http://127.0.0.1:9/",
  });
const prompt = (id: string, tools: readonly string[] = []) =>
  JSON.stringify({
    schema_version: "ah32.skill.v1",
    meta: { id, name: id, description: "Sorts words. Use when a list of words has to be sorted." },
    entry: { system_prompt: "SYSTEM.md" },
    tools: tools.map((name) => ({
      name,
      description: "Sorts words",
      parameters: { type: "object", properties: {} },
    })),
  });

async function openProject(files: Readonly<Record<string, string>>) {
  const cli = await capturedCli();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true });
    writeFileSync(join(cli.cwd, path), text);
  }
  const doctor = (...argv: string[]) => cli.run(["doctor", ...argv]);
  const codes = async (...argv: string[]) => {
    const { document } = await doctor(...argv, "--json");
    return document.diagnostics.map(({ code, file }: { code: string; file: string }) => `${code} ${file}`);
  };
  return { ...cli, doctor, codes };
}

describe("skills", () => {
  test("naming some folders says what is checked, not what is installed: siblings beside them count", async () => {
    const evalFile = (sibling: string) =>
      `triggering:\n  should_match: [sort these words]\n  should_not_match: [{ query: bake bread, belongs_to: ${sibling} }]\n`;
    await using project = await openProject({
      "skills/sorter/SKILL.md": agent("sorter"),
      "skills/sorter/eval.yaml": evalFile("baker"),
      "skills/baker/SKILL.md": agent("baker"),
      "skills/lost/SKILL.md": agent("lost"),
      "skills/lost/eval.yaml": evalFile("nobody"),
    });

    expect((await project.codes("skills/sorter")).filter((line: string) => line.startsWith("TRG07"))).toEqual(
      [],
    );
    expect((await project.codes("skills/lost")).filter((line: string) => line.startsWith("TRG07"))).toEqual([
      "TRG07 skills/lost/eval.yaml",
    ]);
  });

  test("prose about the output is a note in one line, and no finding", async () => {
    const prose = { output: { markers: ["x"], output_schema: "A heading for each risk, then a table." } };
    const skill = (id: string) => ({
      [`skills/${id}/skill.json`]: JSON.stringify({ ...JSON.parse(prompt(id)), ...prose }),
      [`skills/${id}/SYSTEM.md`]: "Sort what the user gives you, and answer with a table of the words.\n",
    });
    await using project = await openProject({ ...skill("one"), ...skill("two") });

    const { document } = await project.doctor("--json");

    expect(document.diagnostics.filter(({ code }: { code: string }) => /^(?:PTS1|AHM02)/.test(code))).toEqual(
      [],
    );
    expect(document.notes).toEqual([
      {
        code: "PTS11",
        message:
          "2 skills state their output in prose: markers and length are checked, the text only by a judge",
        skills: ["one", "two"],
      },
    ]);
    expect((await project.doctor()).stdout).toContain("PTS11: 2 skills state their output in prose");
  });

  test("the document has exactly what it should have", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": agent("b", "version: 1.0.0\n") });

    const { document, exitCode, stderr } = await project.doctor("./skills", "--json");

    expect([exitCode, stderr]).toEqual([1, ""]);
    expect(document).toEqual({
      schemaVersion: 1,
      command: "doctor",
      skills: [
        {
          id: "b",
          kind: "agent-skill",
          kinds: ["agent-skill"],
          folder: "skills/a",
          source: "project",
          tokens: { metadata: 17, body: 4, resources: 0, isCapped: false },
          errors: 1,
          warnings: 1,
          unlisted: 0,
        },
      ],
      diagnostics: [
        {
          code: "SKM05",
          severity: "error",
          kind: "agent-skill",
          skill: "b",
          file: "skills/a/SKILL.md",
          line: 2,
          column: expect.any(Number),
          jsonPath: "$.name",
          message: 'name "b" does not match folder "a"',
          hint: expect.any(String),
        },
        expect.objectContaining({ code: "SKM10", severity: "warning", line: 4 }),
      ],
      notes: [],
      counts: { skills: 1, errors: 1, warnings: 1, clean: 0 },
      profile: "strict",
      failOn: "error",
      files: [],
      exitCode: 1,
    });
  });

  test("all kinds, each with what is wrong with it, and what shows only beside others", async () => {
    await using project = await openProject({
      "s/good/SKILL.md": agent("good"),
      "s/unit/skill.json": unit("unit"),
      "s/deep/twin/skill.json": unit("unit"),
      "s/ask/skill.json": prompt("ask"),
      "s/ask/SYSTEM.md": "Sort the words.",
      "s/broken/skill.json": "{",
      "s/broken/SKILL.md": agent("broken"),
    });

    const { document } = await project.doctor("s", "--json");

    expect(document.counts).toEqual({ skills: 5, errors: 2, warnings: 0, clean: 3 });
    expect(await project.codes("s")).toEqual(["SKD02 s/broken/skill.json", "SKD04 s/unit/skill.json"]);
    expect(await project.codes("s", "--kind", "agent-skill", "prompt-tool")).toEqual([
      "SKD02 s/broken/skill.json",
    ]);
    const { document: units } = await project.doctor("s", "--kind", "unit", "--json");
    expect(units.skills.map(({ folder }: { folder: string }) => folder)).toEqual([
      "s/broken",
      "s/deep/twin",
      "s/unit",
    ]);
  });

  test("a skill with two kinds is shown with both, also where one has errors", async () => {
    await using project = await openProject({
      "my_calc/skill.json": unit("my_calc"),
      "my_calc/SKILL.md": agent("my-calc"),
    });

    const { document } = await project.doctor("my_calc", "--json");

    expect(document.skills).toMatchObject([{ kinds: ["unit", "agent-skill"], tokens: { body: 4 } }]);
    expect(document.diagnostics).toMatchObject([{ code: "SKM05", hint: "rename the folder to my-calc" }]);
  });

  test("an id of a root that another root hides is a warning", async () => {
    await using project = await openProject({
      ".agent/skills/a/SKILL.md": agent("a"),
      ".claude/skills/a/SKILL.md": agent("a"),
    });

    const { document } = await project.doctor("--json");

    expect(document.diagnostics).toMatchObject([
      {
        code: "SKD05",
        file: ".claude/skills/a/SKILL.md",
        message: "a (project) is shadowed by .agent/skills/a",
      },
    ]);
  });

  test("two manifests of one id in one folder are told apart", async () => {
    await using project = await openProject({ "u/skill.json": unit("u"), "u/other.json": unit("u") });

    const { document } = await project.doctor("u", "u/other.json", "--json");

    expect(document.diagnostics).toMatchObject([
      { code: "SKD04", file: "u/other.json", message: 'duplicate id "u" in u and u/other.json' },
    ]);
  });

  test("a prompt-tool beside its twin and beside a skill with a tool of the same name", async () => {
    const script = "def sort_words():\n    return {}\n";
    const files = (folder: string, id: string) => ({
      [`s/${folder}/skill.json`]: prompt(id, ["sort_words"]),
      [`s/${folder}/SYSTEM.md`]: "Sort the words.",
      [`s/${folder}/scripts/sort_words.py`]: script,
    });
    await using project = await openProject({
      ...files("a", "aa"),
      ...files("aa", "aa"),
      ...files("bb", "bb"),
    });

    const { document } = await project.doctor("s", "--json");

    const about = (code: string) =>
      document.diagnostics
        .filter((one: { code: string }) => one.code === code)
        .map(({ file, message }: { file: string; message: string }) => `${file} ${message}`);
    expect(about("SKD04")).toEqual(['s/aa/skill.json duplicate id "aa" in s/a and s/aa']);
    expect(about("PTS01")).toEqual(["s/aa/skill.json manifest: SKD04"]);
    expect(about("PTS05")).toEqual([
      "s/a/skill.json tool sort_words also in bb",
      "s/aa/skill.json tool sort_words also in bb",
      "s/bb/skill.json tool sort_words also in aa",
    ]);
  });

  test("--fix fixes what it can, shows it, and reports what is left", async () => {
    await using project = await openProject({ "s/a/skill.md": agent("a"), "s/b/SKILL.md": agent("c") });

    const { stdout, exitCode } = await project.doctor("s", "--fix");

    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^fixed s\/a\/skill\.md → s\/a\/SKILL\.md {2}SKD07\n/);
    expect(stdout).toMatch(/2 skills: 1 clean, 1 error\n/);
    expect(readdirSync(join(project.cwd, "s/a"))).toEqual(["SKILL.md"]);
    expect((await project.doctor("s", "--fix", "--json")).document).toMatchObject({ fixes: [], exitCode: 1 });
  });

  test("a folder that was named and is not a skill is a finding; a path that leads nowhere is exit 2", async () => {
    await using project = await openProject({ "empty/notes/x.bin": "", "loose/Skill.json": unit("loose") });

    expect(await project.codes("empty")).toEqual(["SKD01 empty"]);
    expect(await project.codes("loose")).toEqual(["SKD07 loose/Skill.json"]);
    expect(await project.codes("loose", "--profile", "lenient")).toEqual([
      "SKD01 loose",
      "SKD07 loose/Skill.json",
    ]);
    expect((await project.doctor("empty", "--fix")).stderr).toContain("--fix found nothing to fix");
    expect((await project.doctor("empty")).exitCode).toBe(1);
    const { exitCode, document } = await project.doctor("emty", "--json");
    expect([exitCode, document.error.code, document.error.hint]).toEqual([
      2,
      "skill-not-found",
      "did you mean empty?",
    ]);
  });

  test("the profile says how bad it is, and --fail-on what fails", async () => {
    await using project = await openProject({ "a/SKILL.md": agent("b") });
    const exitCode = async (...argv: string[]) => (await project.doctor("a", ...argv)).exitCode;

    expect(await exitCode()).toBe(1);
    expect(await exitCode("--profile", "lenient")).toBe(0);
    expect(await exitCode("--profile", "lenient", "--fail-on", "warning")).toBe(1);
  });

  test.each([
    [["a", "--profile", "strct"], "usage"],
    [["a", "--kind", "unit,prompt-tool"], "usage"],
    [["a", "--fail-on", "info"], "usage"],
    [["a", "--format", "markdown"], "usage"],
    [["a", "--sandbox", "strict"], "usage"],
    [["--machine", "--kind", "unit"], "usage"],
    [["--machine", "--format", "sarif"], "usage"],
    [[""], "usage"],
  ])("%j is exit 2 with %s", async (argv, code) => {
    await using project = await openProject({ "a/SKILL.md": agent("a") });

    const { exitCode, document } = await project.doctor(...argv, "--json");

    expect([exitCode, document.error.code]).toEqual([2, code]);
  });
});

describe("the outputs", () => {
  const files = { "skills/a/SKILL.md": agent("a", "version: 1.0.0\n"), "skills/b/SKILL.md": agent("c") };

  test("text is for people", async () => {
    await using project = await openProject(files);

    const { stdout, stderr, exitCode } = await project.doctor("skills");

    expect([stderr, exitCode]).toEqual(["", 1]);
    expect(stdout).toBe(
      [
        "c  skills/b  agent-skill, 17 + 4 tokens",
        '  ✗ SKM05  SKILL.md:2  name "c" does not match folder "b" (write name: b, or rename the folder)',
        "",
        "skills/a  agent-skill, 17 + 4 tokens",
        '  ! SKM10  SKILL.md:4  unknown field "version" (move it under metadata, as version)',
        "",
        "2 skills: 0 clean, 1 error, 1 warning",
        "--fix can fix SKM10 in 1 file",
        "all names and descriptions: 34 tokens",
        "failed: 1 error",
        "",
      ].join("\n"),
    );
  });

  test("one format goes to stdout: JSON, SARIF, commands to GitHub that it can read as such", async () => {
    await using project = await openProject(files);
    const github = { env: { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: join(project.cwd, "skills") } };

    const json = await project.doctor("skills", "--format", "json");
    const sarif = await project.doctor("skills", "--format", "sarif");
    const commands = await project.run(["doctor", "skills", "--format", "github"], github);

    expect(json.document).toMatchObject({ schemaVersion: 1, command: "doctor", counts: { skills: 2 } });
    expect(sarif).toMatchObject({ exitCode: 1, stderr: "", document: { version: "2.1.0" } });
    expect(commands.stdout.split("\n").map((line) => line.split("::")[1])).toEqual([
      "error title=SKM05 in c,file=b/SKILL.md,line=2,col=1",
      "warning title=SKM10 in a,file=a/SKILL.md,line=4,col=1",
      undefined,
    ]);
    expect(readdirSync(project.cwd)).toEqual(["skills"]);
  });

  test("several go to files, commands to stderr, and people still read the text", async () => {
    await using project = await openProject(files);

    const argv = ["skills", "--format", "json", "sarif", "github", "--output-dir", "out"];
    const { stdout, stderr } = await project.doctor(...argv);

    expect(stdout).toContain("failed: 1 error");
    expect(stderr).toMatch(
      /^written to out\/doctor-result.json\nwritten to out\/doctor-result.sarif\n::error /,
    );
    const read = (name: string) => JSON.parse(readFileSync(join(project.cwd, "out", name), "utf8"));
    expect(read("doctor-result.json")).toMatchObject({ command: "doctor", exitCode: 1 });
    expect(read("doctor-result.sarif").runs[0].results).toHaveLength(2);
  });
});

describe("the machine", () => {
  test("without bubblewrap doctor reports it in red, leaves nothing behind, and exits 1", async () => {
    await using cli = await capturedCli();

    const { exitCode, stdout, stderr } = await cli.run(["doctor"], withoutPrograms);

    expect(stdout).toMatch(/^containment\n {2}! level +process: skills run with your permissions/);
    expect(stdout).toMatch(/✗ bubblewrap +not found/);
    expect(stdout).toMatch(/\n\d+ ok, \d+ notes?, \d+ problems?\n$/);
    expect(stderr).toBe("no skills found in ./skills, .agent/skills, .agents/skills, .claude/skills\n");
    expect(exitCode).toBe(1);
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test("beside skills both are reported, in formats that know only skills on stderr; with --machine there are none", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": agent("a") });
    const run = (...argv: string[]) => project.run(["doctor", ...argv], withoutPrograms);

    const { stdout } = await run();
    expect(stdout).toMatch(/^containment\n[\s\S]* problems?\n\n✓ skills\/a {2}agent-skill/);
    expect(stdout).toMatch(/\n1 skill: 1 clean\nfailed: problems on this machine, see above\n$/);
    expect((await run("--format", "sarif")).stderr).toContain("warning: bubblewrap: not found");
    const { document } = await run("--machine", "--json");
    expect(Object.keys(document)).toEqual([
      "schemaVersion",
      "command",
      "level",
      "checks",
      "probe",
      "exitCode",
    ]);
    expect((await run("skills", "--machine", "--json")).document).toMatchObject({
      counts: { clean: 1 },
      level: "process",
      exitCode: 1,
    });
  });

  test("a level that is demanded and cannot be proven is exit 2, as in a run", async () => {
    await using cli = await capturedCli();

    const { exitCode, document } = await cli.run(
      ["doctor", "--sandbox", "strict", "--json"],
      withoutPrograms,
    );

    expect(exitCode).toBe(2);
    expect(document.error.code).toBe("sandbox-unavailable");
  });

  test("a configuration that cannot be read is one of the red lines", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "eval-skills.config.yaml"), "concurrency: 0\n");

    const { exitCode, document } = await cli.run(["doctor", "--json"], withoutPrograms);

    expect(exitCode).toBe(1);
    const line = document.checks.find(({ name }: Diagnosis) => name === "configuration");
    expect(line).toMatchObject({
      state: "bad",
      found: expect.stringContaining("$.concurrency must be at least 1"),
    });
  });
});

describeStrict("on a machine with bubblewrap", () => {
  test("every group of the probe holds, and the document reports each check", async () => {
    await using cli = await capturedCli();

    const { document } = await cli.run(["doctor", "--sandbox", "strict", "--json"], withPrograms);

    expect(document).toMatchObject({ command: "doctor", level: "strict" });
    const lines = document.checks.filter(({ topic }: Diagnosis) => topic === "containment");
    const states = lines.map(({ name, state }: Diagnosis) => `${name} ${state}`);
    const groups = ["files", "environment", "network", "processes", "privileges", "limits"];
    expect(states).toEqual(["level", ...groups].map((name) => `${name} ok`));
    expect(document.probe).toContainEqual(
      expect.objectContaining({ group: "limits", name: expect.stringContaining("CPU"), ok: true }),
    );
  });
});
