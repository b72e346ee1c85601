import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeSkillProject } from "../../../test/builders/sample-skill-project.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import { hasGit } from "../../../test/catalog-project.ts";

const env = { PATH: process.env.PATH ?? "" };

/** Four skills in a repository whose branch main is checked out, everything committed. */
async function committedProject() {
  const world = await capturedCli();
  const at = (path: string) => join(world.cwd, path);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: world.cwd,
      env: { ...env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: "pipe",
    });
  const write = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "--message", "all");
  };
  writeSkillProject(world.cwd, { skills: 4, broken: { 2: "untested" } });
  write(".gitignore", "*.db*\nreports\n.agent/runs\n");
  git("init", "--quiet", "--initial-branch=main");
  commit();
  const run = (...argv: string[]) =>
    world.run(["test", ...argv, "--sandbox", "process", "--level", "unit", "agent", "conversation"], { env });
  return {
    ...world,
    ...{ at, git, write, commit },
    test: run,
    /** `<skill>: <why>` of what is affected. */
    async affected(ref = "main") {
      const { document } = await run("--changed", ref, "--dry-run", "--json");
      if (document.error !== undefined) return document.error.message;
      return document.changed.affected.map(
        ({ name, why }: { name: string; why: string }) => `${name}: ${why}`,
      );
    },
  };
}

type Project = Awaited<ReturnType<typeof committedProject>>;

describe.skipIf(!hasGit())("--changed with a git ref", () => {
  test.each<[string, (project: Project) => void, string[]]>([
    ["edited", ({ write }) => write("skills/skill-001/x.txt", "x"), ["skill-001/x.txt added"]],
    [
      "staged",
      ({ write, git }) => {
        write("skills/skill-001/skill.mjs", "//");
        git("add", "--all");
      },
      ["skill-001/skill.mjs changed"],
    ],
    [
      "deleted",
      ({ at }) => rmSync(at("skills/skill-001/tests/basic.eval.json")),
      ["skill-001/tests/basic.eval.json deleted"],
    ],
    [
      "moved from one skill into another",
      ({ at }) => renameSync(at("skills/skill-001/skill.mjs"), at("skills/skill-000/old.mjs")),
      ["skill-000/old.mjs added", "skill-001/skill.mjs deleted"],
    ],
    ["ignored", ({ write }) => write("skills/skill-001/cache.db", "x"), []],
    ["not of a skill", ({ write }) => write("README.md", "x"), []],
    ["touched", ({ write }) => write(".gitignore", "*.db*\nreports\n.agent/runs\n"), []],
  ])("finds the skill of a file that is %s", async (_, change, expected) => {
    await using project = await committedProject();
    change(project);
    const lines = expected.map((words) => `${words.split("/")[0]}: skills/${words} since main`);
    expect(await project.affected()).toEqual(lines);
  });

  test("finds it on a branch, and only among the paths that are named", async () => {
    await using project = await committedProject();
    project.git("switch", "--quiet", "--create", "topic");
    project.write("skills/skill-003/SYSTEM.md", "other");
    project.commit();

    expect(await project.affected()).toEqual(["skill-003: skills/skill-003/SYSTEM.md changed since main"]);
    expect(await project.affected("topic")).toEqual([]);
    const { document } = await project.test("skills/skill-000", "--changed=main", "--json");
    expect(document.changed).toEqual({ ref: "main", affected: [] });
  });

  test("finds who mentions a shared file, also by way of another one", async () => {
    await using project = await committedProject();
    project.write("shared/sum.mjs", 'import "./digits.mjs";\n');
    project.write("shared/digits.mjs", "export const ten = 10;\n");
    project.write("skills/skill-000/other.mjs", 'import "../../shared/sum";\n');
    project.commit();
    project.write("shared/digits.mjs", "export const ten = 11;\n");

    expect(await project.affected()).toEqual(["skill-000: shared/digits.mjs changed since main"]);
  });

  test("finds suites of the project that changed, or that name a skill which did", async () => {
    await using project = await committedProject();
    const suite = (skill: string) =>
      JSON.stringify({
        cases: [{ id: "a", input: "x", expect: { skills_all_of: [skill] }, mock: { turns: [] } }],
      });
    project.write("evals/suite.yaml", suite("skill-001"));
    project.commit();
    expect(await project.affected()).toEqual([]);

    project.write("skills/skill-001/notes.md", "x");
    expect(await project.affected()).toContain("evals: it names skill-001, which changed");
    project.commit();
    project.write("evals/suite.yaml", suite("skill-000"));
    expect(await project.affected()).toEqual(["evals: evals/suite.yaml changed since main"]);
  });

  test.each([
    ["eval-skills.config.yaml", "skills: { roots: [./skills] }\nconcurrency: 2\n", "changed"],
    ["package-lock.json", "{}\n", "added"],
    ["requirements.txt", "requests\n", "added"],
  ])("takes a change of %s for a change of everything", async (file, text, how) => {
    await using project = await committedProject();
    project.write(file, text);

    expect(await project.affected()).toEqual(
      ["skill-000", "skill-001", "skill-002", "skill-003"].map(
        (name) => `${name}: ${file} ${how} since main`,
      ),
    );
  });

  test("runs only that, says so, and a resumed run keeps to it after a commit", async () => {
    await using project = await committedProject();
    project.write(
      "skills/skill-001/tests/basic.eval.json",
      JSON.stringify([
        { id: "wrong", inputData: { a: 1, b: 1 }, expectedOutput: { value: 3 } },
        { id: "other", inputData: { a: 1, b: 1 }, expectedOutput: { value: 2 } },
      ]),
    );

    const first = await project.test("--changed=main", "--bail", "--concurrency", "1", "--json");
    expect(first.exitCode, first.stderr).toBe(1);
    expect(first.document.warnings).toContainEqual(
      expect.stringContaining("--changed main: 1 skill of 4 affected"),
    );
    project.commit();
    const rest = await project.run(["test", "--resume", "--sandbox", "process", "--json"], { env });

    expect(rest.document.run.id).toBe(first.document.run.id);
    expect(
      rest.document.cells.map(({ skillId, caseId }: Record<string, string>) => `${skillId} ${caseId}`),
    ).toEqual(["skill-001 wrong", "skill-001 other", "null picks-it"]);
    const other = await project.run(
      ["test", "--resume", "--changed=HEAD~1", "--sandbox", "process", "--json"],
      { env },
    );
    expect([other.exitCode, other.document.error.message]).toEqual([
      2,
      "--changed cannot be used with --resume: it would change the plan of the run",
    ]);
  });

  test("without a change is exit 0 with one line and no report, whatever is demanded", async () => {
    await using project = await committedProject();
    const { exitCode, stdout } = await project.test("--changed=main", "--require-all", "--max-untested", "0");
    expect([exitCode, stdout]).toEqual([0, "nothing changed since main\n"]);
    expect((await project.run(["history", "--json"])).document.rows).toEqual([]);
  });

  test("names changed skills without tests, which a gate may refuse", async () => {
    await using project = await committedProject();
    project.write("skills/skill-002/x.txt", "x");
    const plain = await project.test("--changed=main");
    expect([plain.exitCode, plain.stdout]).toEqual([
      0,
      "no tests to run for what changed since main; 1 skill without tests: skill-002\n",
    ]);
    expect((await project.test("--changed=main", "--max-untested", "0")).exitCode).toBe(1);
  });

  test("takes a branch by the name of its other word in full", async () => {
    await using project = await committedProject();
    project.git("branch", "reuse-all");
    project.write("skills/skill-001/x.txt", "x");
    expect(await project.affected("refs/heads/reuse-all")).toHaveLength(1);
  });

  test.each([
    ["nowhere", "--changed: git knows no commit nowhere"],
    ["-x", undefined],
    ["HEAD:skills", "--changed: git knows no commit HEAD:skills"],
    ["a\nb", '--changed: "a\\nb" is not a git ref'],
  ])("refuses %j before anything runs", async (ref, message) => {
    await using project = await committedProject();
    const { exitCode, document } = await project.test(`--changed=${ref}`, "--json");
    expect(exitCode).toBe(2);
    if (message !== undefined) expect(document.error.message).toBe(message);
  });

  test("needs git and a repository", async () => {
    await using project = await committedProject();
    const line = ["test", "--changed=main", "--sandbox", "process", "--json"];
    const without = await project.run(line, { env: { PATH: "/nowhere" } });
    expect([without.exitCode, without.document.error.message]).toEqual([
      2,
      "--changed: git is not installed",
    ]);
    rmSync(project.at(".git"), { recursive: true });
    const outside = await project.run(line, { env });
    expect([outside.exitCode, outside.document.error.message]).toEqual([
      2,
      expect.stringContaining("not a git repository"),
    ]);
  });
});
