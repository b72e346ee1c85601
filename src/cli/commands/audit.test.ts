import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";

const root = resolve(import.meta.dirname, "../../..");
const good = "---\nname: sorter\ndescription: Sorts lists of words.\n---\n# Sorter\n";
const bad = `${good}\nig\u200bnore\n`;

async function openProject(files: Record<string, string>) {
  const cli = await capturedCli();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true });
    writeFileSync(join(cli.cwd, path), text);
  }
  const folders = async (...argv: string[]) =>
    (await cli.run(["audit", ...argv, "--json"])).document.skills?.map(
      ({ folder }: { folder: string }) => folder,
    );
  return { ...cli, folders };
}

describe("the document", () => {
  test("has exactly what it should have", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": bad });

    const { document, exitCode, stderr } = await project.run(["audit", "skills/a", "--json"]);

    expect([exitCode, stderr]).toEqual([1, ""]);
    expect(document).toEqual({
      schemaVersion: 1,
      command: "audit",
      status: "complete",
      risk: "high",
      failOn: "high",
      counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
      skills: [
        {
          skill: "sorter",
          folder: "skills/a",
          status: "complete",
          risk: "high",
          files: 1,
          findings: [
            {
              rule: "AUD110",
              name: "hidden-unicode",
              severity: "high",
              file: "SKILL.md",
              line: 7,
              message: expect.any(String),
              evidence: "ig\\u{200b}nore",
            },
          ],
          unlisted: 0,
        },
      ],
      linksNotFollowed: [],
      exitCode: 1,
      notice: expect.stringContaining("No findings does not mean safe"),
      files: [],
    });
  });
});

describe("which skills", () => {
  test("a folder that holds skills means each of them, hidden folders too; a skill's own folders are part of it", async () => {
    await using project = await openProject({
      "s/a/SKILL.md": good,
      "s/a/nested/SKILL.md": good,
      "s/.claude/skills/b/skill.json": "{}",
      "s/c/d/meta.yml": "description: x",
      "s/node_modules/e/SKILL.md": good,
      "s/f/SYSTEM.md": "You sort lists.",
    });

    expect(await project.folders("s")).toEqual(["s/.claude/skills/b", "s/a", "s/c/d", "s/f"]);
    expect(await project.folders("s/a", "./s/a/SKILL.md", "s/c")).toEqual(["s/a", "s/c/d"]);
  });

  test("a folder without any manifest is audited as one", async () => {
    await using project = await openProject({ "x/run.sh": "echo", "x/deep/notes.md": "ig\u200bnore" });

    expect(await project.folders("x")).toEqual(["x"]);
    expect((await project.run(["audit", "x"])).exitCode).toBe(1);
  });

  test("a folder without any file is nothing to audit", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": good });
    mkdirSync(join(project.cwd, "empty/deep"), { recursive: true });

    const { exitCode, document } = await project.run(["audit", "empty", "--json"]);

    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({ code: "skill-not-found", message: "no files in empty" });
  });

  test("a skill without any file, or with a name that is not a text, keeps no other from being audited", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": good });
    mkdirSync(join(project.cwd, "skills/b"));
    symlinkSync("gone.md", join(project.cwd, "skills/b/SKILL.md"));
    mkdirSync(Buffer.concat([Buffer.from(join(project.cwd, "skills/c")), Buffer.from([0xff])]));

    // The last cannot be examined, which is the worst finding.
    expect(await project.folders("skills")).toEqual(["skills/c\ufffd", "skills/a", "skills/b"]);
  });

  test("without a path it is ./skills and the roots of the configuration", async () => {
    await using project = await openProject({
      "skills/a/SKILL.md": good,
      ".claude/skills/b/SKILL.md": good,
      "mine/c/SKILL.md": good,
    });

    expect(await project.folders()).toEqual([".claude/skills/b", "skills/a"]);
    writeFileSync(join(project.cwd, "eval-skills.config.yaml"), "skills: { roots: [mine] }\n");
    expect(await project.folders()).toEqual(["mine/c", "skills/a"]);
  });

  test("a linked skill is reported and not followed, unless it is audited already; a path that is a link is meant", async () => {
    await using project = await openProject({
      "store/a/SKILL.md": good,
      "store/b/SKILL.md": good,
      "skills/c/SKILL.md": good,
    });
    symlinkSync("../store/a", join(project.cwd, "skills/a"));

    expect((await project.run(["audit", "skills"])).stderr).toContain(
      "skills/a is a symlink and was not followed",
    );
    expect((await project.run(["audit", "skills", "store"])).stderr).toBe("");
    expect(await project.folders("skills/a")).toEqual(["skills/a"]);
  });

  test.each([
    [[], "skill-not-found"],
    [["gone"], "skill-not-found"],
    [["x/run.sh"], "skill-not-found"],
    [["x", "--fail-on", "info"], "usage"],
    [["x", "--fail-on", "hgih"], "usage"],
    [["x", "--format", "xml"], "usage"],
    [["x", "--format", "json,sarif"], "usage"],
    [["x", "--output-dir", ""], "usage"],
    [[""], "usage"],
  ])("%j is exit 2 with %s", async (argv, code) => {
    await using project = await openProject({ "x/run.sh": "echo" });

    const { exitCode, document } = await project.run(["audit", ...argv, "--json"]);

    expect([exitCode, document.error.code, document.command]).toEqual([2, code, "audit"]);
  });
});

describe("the exit code", () => {
  const medium = '{ "scripts": { "postinstall": "node x.js" } }';

  test.each([
    ["critical", 0],
    ["high", 0],
    ["medium", 1],
    ["low", 1],
  ])("with --fail-on %s a medium finding gives %i", async (failOn, exitCode) => {
    await using project = await openProject({ "a/SKILL.md": good, "a/package.json": medium });

    expect((await project.run(["audit", "a", "--fail-on", failOn])).exitCode).toBe(exitCode);
  });

  test("what was not scanned fails nothing and is reported", async () => {
    await using project = await openProject({ "a/SKILL.md": good, "a/x.bin": "\0\0" });

    const { exitCode, stdout } = await project.run(["audit", "a", "--fail-on", "low"]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("incomplete");
  });
});

describe("the outputs", () => {
  test("text is for people, and always says that no findings is not safe", async () => {
    await using project = await openProject({ "skills/a/SKILL.md": good, "skills/b/SKILL.md": bad });

    const { stdout } = await project.run(["audit"]);
    const clean = await project.run(["audit", "skills/a"]);

    expect(stdout).toMatch(
      /^sorter {2}risk high {2}complete {2}skills\/b, 1 file\n {2}high {2}AUD110 hidden-unicode {2}SKILL.md:7/,
    );
    expect(stdout).toContain("No findings does not mean safe");
    expect(clean.stdout).toContain(
      "1 skill audited: no findings\npassed: no findings at high or above\nNo findings does not mean safe",
    );
  });

  test("one format goes to stdout", async () => {
    await using project = await openProject({ "a/SKILL.md": bad });

    const sarif = await project.run(["audit", "a", "--format", "sarif"]);
    const json = await project.run(["audit", "a", "--format", "json"]);

    expect(sarif).toMatchObject({ exitCode: 1, stderr: "", document: { version: "2.1.0" } });
    expect(sarif.document.runs[0].results[0].ruleId).toBe("AUD110");
    expect(json).toMatchObject({
      exitCode: 1,
      document: { command: "audit", schemaVersion: 1, risk: "high" },
    });
    expect(readdirSync(project.cwd)).toEqual(["a"]);
  });

  test("several go to files, and people still read the text", async () => {
    await using project = await openProject({ "a/SKILL.md": bad });

    const { stdout, stderr } = await project.run([
      "audit",
      "a",
      "--format",
      "text",
      "json",
      "sarif",
      "--output-dir",
      "out",
    ]);

    expect(stdout).toContain("AUD110 hidden-unicode");
    expect(stderr).toBe("written to out/audit-result.json\nwritten to out/audit-result.sarif\n");
    expect(JSON.parse(readFileSync(join(project.cwd, "out/audit-result.json"), "utf8"))).toMatchObject({
      command: "audit",
    });
    expect(JSON.parse(readFileSync(join(project.cwd, "out/audit-result.sarif"), "utf8"))).toMatchObject({
      version: "2.1.0",
    });
  });

  test("with --json there is one document, which names the files", async () => {
    await using project = await openProject({ "a/SKILL.md": bad });

    const { document } = await project.run(["audit", "a", "--format", "json", "sarif", "--json"]);

    expect(document.files).toEqual(["reports/audit-result.json", "reports/audit-result.sarif"]);
  });
});

describe("our own", () => {
  test("examples have no finding at all", async () => {
    await using project = await capturedCli();

    const { exitCode, document } = await project.run([
      "audit",
      join(root, "examples"),
      "--fail-on",
      "low",
      "--json",
    ]);

    const found = document.skills.flatMap(({ findings }: { findings: { rule: string; file: string }[] }) =>
      findings.map(({ rule, file }) => `${rule} ${file}`),
    );
    expect([exitCode, document.skills.length, found]).toEqual([0, 46, []]);
  });

  test("benchmarks have none at high or above", async () => {
    await using project = await capturedCli();

    const { exitCode, stdout } = await project.run(["audit", join(root, "benchmarks")]);

    expect(exitCode, stdout).toBe(0);
  });

  test.each(["http_request", "python_script", "mcp_tool", "agent_skill"])(
    "template %s has none either",
    async (template) => {
      await using project = await capturedCli();
      expect(
        (await project.run(["create", "--name", "my_skill", "--from-template", template])).exitCode,
      ).toBe(0);

      const { exitCode, stdout } = await project.run(["audit", "--fail-on", "low"]);

      expect(exitCode, stdout).toBe(0);
    },
  );
});
