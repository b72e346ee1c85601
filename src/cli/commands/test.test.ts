import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Breakage, skillName, writeSkillProject } from "../../../test/builders/sample-skill-project.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import type { ReportFile } from "../../contract/document.ts";
import { reportFormats } from "../../contract/format.ts";
import { levels } from "../../levels/levels.ts";
import { testLevels } from "../../operations/test/options.ts";

/** A project of skills, in which `test` runs inside this process. */
async function skillProject(skills: number, broken: Record<number, Breakage> = {}) {
  const world = await capturedCli();
  writeSkillProject(world.cwd, { skills, broken });
  return {
    ...world,
    write(path: string, content: unknown) {
      mkdirSync(dirname(join(world.cwd, path)), { recursive: true });
      writeFileSync(join(world.cwd, path), typeof content === "string" ? content : JSON.stringify(content));
    },
    /** Runs `test` with process sandbox, and a model that no key is there for. */
    test: (...argv: string[]) => world.run(["test", "--sandbox", "process", ...argv], { env: path }),
  };
}

const path = { PATH: process.env.PATH ?? "" };

/** What did not pass, as `<level> <skill or suite> <case>`. */
function failures({ cells }: ReportFile): string[] {
  return cells
    .filter(({ status }) => status !== "pass")
    .map(({ level, skillId, suite, caseId }) => `${level} ${skillId ?? suite} ${caseId}`)
    .sort();
}

test("it knows every level there is", () => {
  expect([...testLevels]).toEqual(levels.map(({ name }) => name));
});

test("twenty skills with tests at four levels are one run, one report, the exact list of failures and exit 1", {
  timeout: 60_000,
}, async () => {
  const broken = { 1: "unit", 2: "trigger", 3: "conversation", 5: "agent", 6: "untested" } as const;
  await using project = await skillProject(20, broken);

  const { exitCode, document, stderr } = await project.test("--json", "--format", ...reportFormats);

  expect(exitCode, stderr).toBe(1);
  expect(failures(document)).toEqual([
    "agent skill-005 picks-it",
    "conversation skill-003 repeats-it",
    expect.stringMatching(/^trigger skill-002 /),
    "unit skill-001 small",
  ]);
  expect(document).toMatchObject({ passed: 140, total: 144, run: { command: "test" } });
  expect(document.suites).toHaveLength(1 + 14 + 1 + 14 + 5);
  expect(document.skipped).toEqual([
    { level: null, suite: null, skillId: "skill-006", caseId: null, reason: "untested" },
  ]);
  for (const extension of ["json", "md", "html", "xml", "txt", "github.md", "sarif", "ndjson"])
    expect(readFileSync(join(project.cwd, `reports/test-result.${extension}`), "utf8"), extension).toContain(
      "skill-006",
    );
});

describe("gates", () => {
  test("without one nothing may fail; --min-completion accepts a share of every subject", async () => {
    await using project = await skillProject(2, { 1: "unit" });

    const strict = await project.test("--level", "unit");
    const lenient = await project.test("--level", "unit", "--min-completion", "0.5");

    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toContain("1 skill below the 100% threshold: skill-001 (50.0%)");
    expect(lenient.exitCode, lenient.stderr).toBe(0);
    expect(lenient.stdout.trimEnd().split("\n").at(-1)).toContain("1 of 4 failed, every gate passed");
  });

  test.each([
    ["0", 1],
    ["1", 0],
    ["40%", 1],
    ["0.5", 0],
  ])("--max-untested %s over one of two skills ends with %i", async (most, exitCode) => {
    await using project = await skillProject(2, { 1: "untested" });

    const end = await project.test("--level", "trigger", "--max-untested", most);

    expect(end.exitCode, end.stderr).toBe(exitCode);
    expect(end.stdout).toContain("1 skill (no tests): skill-001");
  });

  test("a share that is none is refused", async () => {
    await using project = await skillProject(1);

    const { exitCode, stderr } = await project.test("--max-untested", "many");

    expect(exitCode).toBe(2);
    expect(stderr).toContain("neither a number of skills nor a share");
  });
});

describe("selection", () => {
  test.each<[argv: string[], cells: string[]]>([
    [
      ["--level", "agent"],
      ["agent picks-it", "agent picks-it"],
    ],
    [["--level", "conversation"], ["conversation repeats-it"]],
    [
      ["--level", "unit", "--skill", "*-002"],
      ["unit small", "unit zero"],
    ],
    [
      ["--case", "skill-000/z*", "--case", "small*"],
      ["unit small", "unit small", "unit zero"],
    ],
    [
      ["skills/skill-003"],
      ["contract contract", "conversation repeats-it", ...Array<string>(4).fill("trigger")],
    ],
    [["skills/skill-000/tests/basic.eval.json"], ["unit small", "unit zero"]],
  ])("%s", async (argv, expected) => {
    await using project = await skillProject(4, { 1: "untested" });

    const { document, exitCode, stderr } = await project.test(...argv, "--json");

    expect(exitCode, stderr).toBe(0);
    const cells = document.cells.map(({ level, caseId }: ReportFile["cells"][number]) =>
      level === "trigger" ? level : `${level} ${caseId}`,
    );
    expect(cells.sort()).toEqual(expected);
  });

  test.each<[argv: string[], message: string]>([
    [["--case", "nowhere"], "no test matches"],
    [["--case", "small", "nowhere"], "--case: no case matches nowhere"],
    [["--skill", "skill-00[0]"], "--skill: no skill matches skill-00[0]"],
    [["--skill", "skill-*", "skil-000"], "--skill: no skill matches skil-000"],
    [["skills/skill-000/tests/basic.eval.jsn"], "skills/skill-000/tests/basic.eval.jsn"],
    [["skills", "skills/skill-000/tests/gone.eval.json"], "skills/skill-000/tests/gone.eval.json"],
  ])("%s is refused, whatever else matches", async (argv, message) => {
    await using project = await skillProject(1);

    const { exitCode, stderr } = await project.test(...argv);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});

test("--dry-run says what would run, by level, and runs nothing", async () => {
  await using project = await skillProject(4, { 1: "untested" });

  const { stdout, exitCode } = await project.test("--dry-run", "--runs", "2");

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/unit +2 suites +4 tasks +8 cells +no model/);
  expect(stdout).toMatch(/conversation +1 suite +1 case +2 cells/);
  expect(stdout).toContain("1 skill without tests: skill-001");
  expect(stdout.trimEnd()).toMatch(/nothing was run$/);
});

describe("what needs a model", () => {
  const judged = [
    {
      id: "nice",
      inputData: { a: 1, b: 1 },
      expectedOutput: { type: "llm_judge", judgePrompt: "it is nice" },
    },
  ];

  test("is left out at every level and named in one line; the rest runs", async () => {
    await using project = await skillProject(1);
    project.write("skills/skill-000/tests/judged.eval.json", judged);
    project.write(".agent/evals/real/suite.yaml", { cases: [{ id: "real", input: "hello", expect: {} }] });

    const { stdout, exitCode, stderr } = await project.test();

    expect(exitCode, stderr).toBe(0);
    expect(stdout.match(/needs a model/g)).toHaveLength(1);
    expect(stdout).toContain(
      "1 task, 1 case (needs a model: add --model, or --replay with recorded calls): nice, real",
    );
  });

  test("is exit 2 with --require-all, before anything runs", async () => {
    await using project = await skillProject(1);
    project.write("skills/skill-000/tests/judged.eval.json", judged);

    const { exitCode, stderr } = await project.test("--require-all");

    expect(exitCode).toBe(2);
    expect(stderr).toContain("--require-all: 1 test needs a model: nice");
  });
});

describe("what cannot run", () => {
  test("an unreadable skill is listed while the others run", async () => {
    await using project = await skillProject(2);
    project.write("skills/skill-001/skill.json", "{");

    const { exitCode, stdout } = await project.test("--level", "unit");

    expect(exitCode).toBe(2);
    expect(stdout).toContain("skills/skill-001 not loaded");
    expect(stdout).toContain("✓ skill-000");
  });

  test("a skill that cannot be called does not stop the others either", async () => {
    await using project = await skillProject(2);
    project.write("skills/skill-001/adapter.config.json", { type: "subprocess", envKeys: [] });
    const manifest = JSON.parse(readFileSync(join(project.cwd, "skills/skill-001/skill.json"), "utf8"));
    project.write("skills/skill-001/skill.json", { ...manifest, entrypoint: "node gone.mjs" });

    const { exitCode, stdout } = await project.test("--level", "unit");

    expect(exitCode).toBe(2);
    expect(stdout).toContain("skills/skill-001 not loaded");
    expect(stdout).toContain("✓ skill-000");
  });

  test("two suites with one id are an error that names both files", async () => {
    await using project = await skillProject(2);
    const suite = {
      id: "same",
      name: "Same",
      version: "1",
      tasks: [{ id: "a", inputData: {}, expectedOutput: { value: 1 } }],
    };
    for (const n of [0, 1]) project.write(`skills/${skillName(n)}/tests/basic.eval.json`, suite);

    const { exitCode, stderr } = await project.test("--level", "unit");

    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "two unit suites have the id same in skills/skill-000/tests/basic.eval.json and skills/skill-001/tests/basic.eval.json",
    );
  });

  test("mistakes of all files are reported at once", async () => {
    await using project = await skillProject(2);
    for (const n of [0, 1]) project.write(`skills/${skillName(n)}/tests/basic.eval.json`, [{ id: "a" }]);

    const { exitCode, stderr } = await project.test("--level", "unit");

    expect(exitCode).toBe(2);
    expect(stderr).toContain("skill-000");
    expect(stderr).toContain("skill-001");
  });

  test("skills without tests have a contract all the same, and are not called tested", async () => {
    await using project = await skillProject(1, { 0: "untested" });

    const { exitCode, document } = await project.test("--json");

    expect([exitCode, document.passed, document.total]).toEqual([0, 1, 1]);
    expect(document.skipped).toMatchObject([{ skillId: "skill-000", reason: "untested" }]);
  });

  test.each<[string, number, RegExp]>([
    ["an empty folder", 0, /there are no skills and no tests in \./],
    ["skills without tests, where contracts are not asked for", 1, /there are skills in \., but no tests/],
  ])("%s is nothing to do", async (_, skills, words) => {
    await using project = await skillProject(skills, { 0: "untested" });

    const { exitCode, stderr } = await project.test("--level", "unit", "trigger");

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe("eval-skills alone", () => {
  test("in a project says what there is, how the last run came out, and three commands to type next", async () => {
    await using project = await skillProject(4, { 1: "untested", 2: "unit" });

    const before = await project.run([]);
    await project.test("--level", "unit");
    const after = await project.run([]);

    expect(before.exitCode).toBe(0);
    expect(before.stdout).toMatch(/skills +4\nunit +2 skills, 2 files\n/);
    expect(before.stdout).toContain("1 skill: skill-001");
    expect(before.stdout).toMatch(/last run +none/);
    expect(before.stdout.split("next:\n")[1]?.trimEnd().split("\n")).toHaveLength(3);
    expect(after.stdout).toMatch(/last run .* UTC, test: 1 of 4 did not pass/);
    expect(after.stdout).toContain("eval-skills report show reports/test-result.json");
  });

  test("elsewhere shows its help", async () => {
    await using world = await capturedCli();

    expect((await world.run([])).stdout).toContain("Usage: eval-skills");
  });
});

test("a bench and a suite of the project run with the rest, and test the skills they use", async () => {
  await using project = await skillProject(1, { 0: "untested" });
  const answer = { action: { type: "final_answer", payload: { content: "filed" } } };
  const select = {
    action: { type: "select_skills", payload: { skills: [{ name: "skill-000" }], reason: "x" } },
  };
  const filed = {
    id: "filed",
    input: "file it",
    expect: { skills_all_of: ["skill-000"] },
    mock: { turns: [select, answer] },
  };
  project.write(".agent/evals/smoke/suite.yaml", { cases: [filed] });
  const say = { id: "hello", title: "Say hello", op: "insert_text", text: "Hello" };
  const plan = { schema_version: "ah32.plan.v1", host_app: "wps", actions: [say] };
  const planned = { id: "planned", source: "fixed", input: "a good plan", outputs: [plan] };
  const target = { type: "model", model: "mock" };
  const bench = { id: "plans", schema: "ah32.plan.v1", target, markers: ["ah32.plan.v1"], cases: [planned] };
  project.write("benchmarks/plans.planbench.yaml", bench);

  const { document, exitCode, stdout } = await project.test("--json");

  expect(exitCode, stdout).toBe(0);
  expect(document.suites.map(({ level, id }: ReportFile["suites"][number]) => `${level} ${id}`)).toEqual([
    "contract doctor+audit",
    "agent smoke",
    "planbench plans",
  ]);
  expect(document.skipped).toEqual([]);
});

test("with --changed, an edit of one skill runs the cells of that skill, at every level, and no others", async () => {
  await using project = await skillProject(8);
  const before = await project.test("--json");
  const kept = await project.test("--changed", "--json");
  expect(kept.document.run.reused.cells).toBe(before.document.total);

  for (const n of [0, 3]) project.write(`skills/${skillName(n)}/scripts/notes.txt`, "new");
  const { document } = await project.test("--changed", "--json");
  const ran = document.cells.filter(
    ({ reusedFrom }: ReportFile["cells"][number]) => reusedFrom === undefined,
  );
  const whose = ran.map(({ skillId, suite }: ReportFile["cells"][number]) => skillId ?? suite);
  expect(new Set(whose)).toEqual(new Set([skillName(0), skillName(3)]));
  expect(ran).toHaveLength(8 + 6);
});

test("the configuration that init writes hides no skills beside the usual roots", async () => {
  await using world = await capturedCli();
  await world.run(["init", "--dir", "."]);
  await world.run(["create", "--name", "here", "--from-template", "python_script"]);
  await world.run([
    "create",
    "--name",
    "there",
    "--from-template",
    "agent_skill",
    "--output-dir",
    ".claude/skills",
  ]);

  const { document } = await world.run(["test", "--dry-run", "--json"], { env: path });

  expect(document).toMatchObject({ skills: 2, untested: [], cells: 4 });
});
