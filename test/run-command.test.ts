import { expect, test } from "vitest";
import { answering, countingTasks, quickProject } from "./built-cli.ts";
import { skillReport } from "./report-of.ts";

const right = answering("return input.n;");
const half = answering("return input.n % 2 ? input.n : 0;");

/** Two counters of different quality, and something that does not count. */
async function threeSkills() {
  const project = await quickProject();
  await project.skill("good_counter", right, { manifest: { description: "Counts well", tags: ["count"] } });
  await project.skill("poor_counter", half, { manifest: { description: "Counts badly" } });
  await project.skill("singer", right, { manifest: { description: "Sings" } });
  await project.write("tasks.json", countingTasks(4));
  return project;
}

const line = ["run", "--tasks", "tasks.json", "--json"];

test("what matches is evaluated, the best are chosen, and the report holds them all with their rank", async () => {
  await using project = await threeSkills();

  const { code, document } = await project.run([...line, "--query", "COUNTS"]);

  expect(code).toBe(0);
  expect(document).toMatchObject({
    schemaVersion: 2,
    command: "run",
    found: ["good_counter", "poor_counter"],
    report: {
      schemaVersion: 2,
      run: { command: "run" },
      passed: 6,
      total: 8,
      subjects: [
        { skillId: "good_counter", details: { selected: true, rank: 1 } },
        { skillId: "poor_counter", details: { selected: false, rank: null } },
      ],
    },
    selection: {
      command: "select",
      strategy: { filters: { minCompletionRate: 0.7 }, topK: 5 },
      selected: [{ rank: 1, skillId: "good_counter", path: "skills/good_counter/skill.json", stale: false }],
      rejected: [{ skillId: "poor_counter", reasons: ["completionRate 0.5 < 0.7"] }],
    },
  });
  expect(document.files).toEqual(document.report.files);
  const stored = JSON.parse(await project.read("reports/eval-result.json"));
  expect(skillReport(stored, "good_counter").details.rank).toBe(1);
});

test("a skill has the same results through run as by its folder", async () => {
  await using project = await threeSkills();
  const through = await project.run([...line, "--query", "poor"]);
  const direct = await project.run("eval --skills skills/poor_counter --tasks tasks.json --json".split(" "));

  const bare = (document: unknown) =>
    skillReport(document, "poor_counter").cells.map(({ key, status }) => [key, status]);
  expect(bare(through.document.report)).toEqual(bare(direct.document));
});

test("what is typed beats the strategy, and the strategy beats the defaults", async () => {
  await using project = await threeSkills();
  await project.write("strategy.yaml", "filters: { minCompletionRate: 0.2 }\ntopK: 2\n");
  const readStrategy = async (...more: string[]) =>
    (await project.run([...line, "--strategy", "strategy.yaml", ...more])).document.selection;

  expect(await readStrategy()).toMatchObject({ strategy: { filters: { minCompletionRate: 0.2 }, topK: 2 } });
  expect((await readStrategy()).selected).toHaveLength(2);
  expect(await readStrategy("--top-k", "1", "--min-completion", "0.9")).toMatchObject({
    strategy: { filters: { minCompletionRate: 0.9 }, topK: 1 },
  });
});

test("nothing selected is reported, and is exit 1 only where that was asked for", async () => {
  await using project = await threeSkills();
  const hopeless = [...line, "--query", "poor", "--min-completion", "0.9"];

  expect(await project.run(hopeless)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("nothing was selected"),
  });
  const failed = await project.run([...hopeless, "--exit-on-fail"]);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.document.report).toMatchObject({
    exitCode: 1,
    gates: [
      { metric: "completionRate", threshold: 0.9, value: 0.5, passed: null, enforced: false },
      { metric: "selectedSkills", threshold: 1, value: 0, passed: false, enforced: true },
    ],
  });
});

test("as text the selection stands above the report, a line apart, and the verdict is of choosing", async () => {
  await using project = await threeSkills();

  const { stdout } = await project.run(["run", "--tasks", "tasks.json", "--exit-on-fail"]);

  expect(stdout).toMatch(/^Rank {2}Skill ID/);
  expect(stdout).not.toContain("\n\n\n");
  expect(stdout).toMatch(/\nselected skills: 2\b.*\n[^\n]*every gate passed\n$/);
});

test("with --gate-on lower a perfect but small sample is not enough", async () => {
  await using project = await threeSkills();

  const { document } = await project.run([...line, "--query", "good", "--gate-on", "lower"]);

  expect(document.selection).toMatchObject({
    selected: [],
    rejected: [{ skillId: "good_counter", reasons: ["completionRate lower bound 0.5101 < 0.7"] }],
  });
});

test.each([
  ["a query nobody answers", ["--query", "weather"], "skill-not-found"],
  ["a folder that is not there", ["--skills-dir", "nowhere"], "skill-not-found"],
  ["a strategy that is not there", ["--strategy", "none.yaml"], "strategy-invalid"],
  ["a count that is none", ["--top-k", "0"], "usage"],
])("%s is exit 2, and nothing runs", async (_, typed, code) => {
  await using project = await threeSkills();

  const ended = await project.run([...line, ...typed]);

  expect(ended.code).toBe(2);
  expect(ended.document).toMatchObject({ command: "run", error: { code }, exitCode: 2 });
});

test("a broken skill.json in the folder is named, never passed over", async () => {
  await using project = await threeSkills();
  await project.write("skills/broken/skill.json", "{ no");

  const ended = await project.run(line);

  expect(ended.code).toBe(2);
  expect(ended.document.error).toMatchObject({
    code: "skill-invalid",
    path: expect.stringContaining("broken"),
  });
});

test("two skills with one id are exit 2 with both files", async () => {
  await using project = await threeSkills();
  await project.write("skills/twin/skill.json", {
    id: "good_counter",
    name: "Twin",
    version: "1.0.0",
    description: "Counts under another's id",
    adapterType: "subprocess",
    entrypoint: "true",
  });

  const ended = await project.run(line);

  expect(ended.code).toBe(2);
  expect(ended.document.error).toMatchObject({
    code: "skill-duplicate",
    message: expect.stringMatching(/good_counter.skill\.json and .*twin.skill\.json$/),
  });
});

test("an interrupted pipeline is continued with eval --resume", async () => {
  await using project = await quickProject();
  const slow = answering(
    "if (input.n === 3 && !require('fs').existsSync('go')) await new Promise(() => {}); return input.n;",
  );
  await project.skill("counter", slow, { manifest: { metadata: { digestIgnore: ["go"] } } });
  await project.write("tasks.json", countingTasks(4));
  const started = project.start([...line, "--concurrency", "1", "--verbose"]);
  await started.says(/t2/);
  started.child.kill("SIGINT");
  expect(await started.ended).toMatchObject({ code: 130 });
  await project.write("skills/counter/go", "");

  const resumed = await project.run(["eval", "--resume", "--json"]);

  expect(resumed.code).toBe(0);
  expect(resumed.document).toMatchObject({ run: { command: "eval" }, passed: 4, total: 4 });
});
