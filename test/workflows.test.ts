import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ReportFile } from "../src/contract/document.ts";
import { emptyProject } from "./built-cli.ts";
import { projectShell, type ShellEnd } from "./project-shell.ts";
import { calculatorIn, weatherIn } from "./project-skills.ts";

type Project = Awaited<ReturnType<typeof emptyProject>>;

interface Step {
  line: string;
  /** 0 where it is left out. */
  exitCode?: number;
  /** What has to be there before: the user's own work between two commands. */
  before?: (project: Project) => unknown;
  /** What has to hold afterwards. */
  after?: (end: ShellEnd, project: Project) => unknown;
}

const setUp: Step[] = [
  {
    line: "eval-skills init --dir .",
    after: (_, project) =>
      expect(readdirSync(project.path)).toEqual([
        ".eval-skills",
        "benchmarks",
        "eval-skills.config.yaml",
        "reports",
        "skills",
      ]),
  },
  { line: "eval-skills config list" },
  { line: "eval-skills config get llm.model", after: ({ stdout }) => expect(stdout).toContain("gpt-4o") },
  { line: "eval-skills config set concurrency 8" },
];

const oneSkill: Step[] = [
  { line: "eval-skills create --name my_calc --from-template python_script" },
  {
    before: (project) => calculatorIn(project, "my_calc"),
    line: "eval-skills eval --skills ./skills/my_calc/skill.json --benchmark coding-easy --runs 3 --format json markdown",
    after: ({ stdout }) => expect(stdout).toMatch(/✓ my_calc {2}60 passed {2}Completion 100\.0% \[/),
  },
  {
    line: "cat ./reports/eval-result-*.md",
    after: ({ stdout }) => expect(stdout).toContain("all 60 passed"),
  },
];

const candidates: Step[] = [
  {
    before: weatherIn,
    line: 'eval-skills find --query "weather" --skills-dir ./skills',
    after: ({ stdout }) =>
      expect(stdout.match(/^weather_v\d/gm)).toEqual(["weather_v1", "weather_v2", "weather_v3"]),
  },
  {
    line: 'eval-skills find --query "weather" --tag web --adapter http --min-completion 0.7 --skills-dir ./skills --limit 10 --store ./eval-skills.db',
    after: ({ stdout, stderr }) => {
      expect(stdout).toBe("");
      expect(stderr).toMatch(/no skill in \.\/skills matches/);
    },
  },
  {
    line: "eval-skills eval --skills ./skills/weather_v1 ./skills/weather_v2 ./skills/weather_v3 --benchmark web-search-basic --runs 3",
    after: ({ stdout }) => expect(stdout).toMatch(/^✗ weather_v1 /m),
  },
  {
    line: "eval-skills select --from ./skills --reports ./reports/eval-result-*.json --min-completion 0.8 --top-k 2",
    after: ({ stdout }) =>
      // Both are perfect; which of them is first is decided by their speed.
      expect(
        JSON.parse(stdout)
          .selected.map(({ skillId }: { skillId: string }) => skillId)
          .sort(),
      ).toEqual(["my_calc", "weather_v2"]),
  },
  {
    before: (project) =>
      project.write(
        "strategy.yaml",
        "filters: { maxErrorRate: 0.1, requiredTags: [web] }\nsortBy: compositeScore\n",
      ),
    line: "eval-skills select --from ./skills --reports ./reports/eval-result-*.json --strategy ./strategy.yaml --min-completion 0.8 --top-k 2 --output ./selected.json --store ./eval-skills.db --exit-on-fail",
    after: async ({ stdout }, project) => {
      expect(stdout).toMatch(/Rank +Skill ID[\s\S]*1 +weather_v2/);
      expect(JSON.parse(await project.read("selected.json"))).toMatchObject({
        command: "select",
        selected: [{ rank: 1, skillId: "weather_v2", path: "skills/weather_v2/skill.json" }],
      });
    },
  },
];

const everyOption: Step[] = [
  {
    line: "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --task-tag math --concurrency 4 --timeout 30000 --retries 2 --runs 3 --evaluator exact --format json markdown html csv junit --output-dir ./reports --exit-on-fail --min-completion 0.7 --gate-on lower --benchmarks-dir ./benchmarks --store ./eval-skills.db --sandbox auto --seed 0",
    after: (_, project) =>
      expect(readdirSync(project.at("reports"))).toEqual(
        expect.arrayContaining(["json", "md", "html", "csv", "xml"].map((ending) => `eval-result.${ending}`)),
      ),
  },
  {
    line: "eval-skills eval --skills ./skills/my_calc --benchmark coding-easy --case coding_003 --concurrency 1 --verbose",
    after: ({ stderr }) => expect(stderr).toContain("coding_003"),
  },
];

const pipeline: Step[] = [
  {
    line: 'eval-skills run --query "calc" --skills-dir ./skills --benchmark coding-easy',
    after: ({ stdout }) => expect(stdout).toMatch(/my_calc/),
  },
  {
    before: (project) => calculatorIn(project, "production_skill"),
    line: "eval-skills run --skills-dir ./skills --benchmark coding-easy --top-k 3 --min-completion 0.7 --format json markdown html --output-dir ./reports",
    after: async (_, project) => {
      const { subjects } = ReportFile.parse(JSON.parse(await project.read("reports/eval-result.json")));
      const ranked = Object.fromEntries(
        subjects.map(({ skillId, details }) => [skillId, typeof details.rank === "number"]),
      );
      expect(ranked).toEqual({
        my_calc: true,
        production_skill: true,
        weather_v1: false,
        weather_v2: false,
        weather_v3: false,
      });
    },
  },
  {
    line: "eval-skills eval --skills ./skills/production_skill --benchmark coding-easy --exit-on-fail --min-completion 0.8 --format json",
  },
];

/** A report under another name, of a skill that has lost three tasks or of one that has not. */
const keepReport = async (project: Project, name: string, isForgetful: boolean) => {
  calculatorIn(project, "production_skill", { isForgetful });
  const line = "eval --skills skills/production_skill --runs 3 --format json --output-dir kept";
  await project.run(line.split(" "));
  copyFileSync(project.at("kept/eval-result.json"), project.at("reports", name));
};

const regressionCheck =
  "eval-skills report diff ./reports/baseline.json ./reports/latest.json --label-a baseline --label-b latest --output ./reports/regression-check.md --fail-on-regression";

const reports: Step[] = [
  {
    line: "eval-skills report convert --input ./reports/eval-result.json --format html --output ./reports/eval-result.html",
    after: async (_, project) =>
      expect(await project.read("reports/eval-result.html")).toContain("production_skill"),
  },
  {
    before: async (project) => {
      await keepReport(project, "v1.json", false);
      await keepReport(project, "v2.json", true);
    },
    line: "eval-skills report diff ./reports/v1.json ./reports/v2.json --label-a v1.0 --label-b v2.0 --output ./reports/diff.md",
    after: async (_, project) =>
      expect(await project.read("reports/diff.md")).toContain("# v1.0 → v2.0: 1 skill regressed"),
  },
  {
    before: (project) => {
      copyFileSync(project.at("reports/v1.json"), project.at("reports/baseline.json"));
      copyFileSync(project.at("reports/v1.json"), project.at("reports/latest.json"));
    },
    line: regressionCheck,
    after: async (_, project) =>
      expect(await project.read("reports/regression-check.md")).toContain("unchanged"),
  },
  {
    before: (project) => copyFileSync(project.at("reports/v2.json"), project.at("reports/latest.json")),
    line: regressionCheck,
    exitCode: 1,
    after: async (_, project) =>
      expect(await project.read("reports/regression-check.md")).toContain("**✗ regressed**"),
  },
];

test("the commands of every workflow run as they are typed, one after the other in one project", {
  timeout: 120_000,
}, async () => {
  await using project = await emptyProject();
  const shell = projectShell(project);

  for (const step of [...setUp, ...oneSkill, ...candidates, ...everyOption, ...pipeline, ...reports]) {
    await step.before?.(project);
    const end = await shell(step.line);
    expect(end.code, `${step.line}\n${end.stdout}${end.stderr}`).toBe(step.exitCode ?? 0);
    await step.after?.(end, project);
  }
  expect(readFileSync(project.at("reports/eval-result.html"), "utf8")).not.toMatch(
    /<(?:script|link)[^>]* src=/,
  );
});
