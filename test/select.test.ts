import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { answering, countingTasks, quickProject } from "./built-cli.ts";

/** Three skills evaluated on five counting tasks: none right, all right, four right. */
async function evaluatedProject() {
  const project = await quickProject();
  await project.skill("weather_v1", answering("return 'no idea';"));
  await project.skill("weather_v2", answering("return input.n;"));
  await project.skill("weather_v3", answering("return input.n > 4 ? 0 : input.n;"));
  await project.write("tasks.json", countingTasks(5));
  const ended = await project.run([
    "eval",
    "--skills",
    "skills",
    "--tasks",
    "tasks.json",
    "--format",
    "json",
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  return project;
}

test("the best of what was evaluated is chosen, from the store, from files and from patterns alike", async () => {
  await using project = await evaluatedProject();
  const sources = [
    [],
    ["--reports", "reports/eval-result.json"],
    ["--reports", "./reports/eval-result-*.json"],
  ];

  for (const source of sources) {
    const line = ["select", "--from", "./skills", ...source, "--min-completion", "0.8", "--top-k", "2"];
    const { code, document, stderr } = await project.run(line);
    expect(code, stderr).toBe(0);
    expect(document).toMatchObject({
      schemaVersion: 1,
      command: "select",
      strategy: { filters: { minCompletionRate: 0.8 }, sortBy: "compositeScore", order: "desc", topK: 2 },
      selected: [
        { rank: 1, skillId: "weather_v2", path: "skills/weather_v2/skill.json", stale: false },
        { rank: 2, skillId: "weather_v3", stale: false, metrics: { completionRate: 0.8, tokenCost: null } },
      ],
      rejected: [{ skillId: "weather_v1", reasons: ["completionRate 0 < 0.8"] }],
    });
    expect(stderr).toBe("");
  }
});

test("the command line with every option runs as documented", async () => {
  await using project = await evaluatedProject();
  await project.write("strategy.yaml", "filters: { maxErrorRate: 0.1 }\nsortBy: latency\n");
  const line =
    "select --from ./skills --reports ./reports/eval-result-*.json --strategy ./strategy.yaml --min-completion 0.8 --top-k 2 --output ./selected.json --store ./eval-skills.db --exit-on-fail";

  const { code, stdout, stderr } = await project.run(line.split(" "));

  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^Rank {2}Skill ID +Completion +Error Rate +P95 +Score\n/);
  expect(JSON.parse(await project.read("selected.json")).strategy).toEqual({
    filters: { maxErrorRate: 0.1, minCompletionRate: 0.8 },
    sortBy: "latency",
    order: "asc",
    topK: 2,
  });
});

test("a skill that has changed since is stale, with a warning", async () => {
  await using project = await evaluatedProject();
  await project.write("skills/weather_v2/notes.txt", "changed");

  const { code, document, stderr } = await project.run(["select", "--from", "skills", "--top-k", "2"]);

  expect(code).toBe(0);
  expect(document.selected).toMatchObject([
    { skillId: "weather_v2", stale: true },
    { skillId: "weather_v3", stale: false },
  ]);
  expect(stderr).toBe("warning: weather_v2 has changed since its report was written; run eval again\n");
});

test("a store that is not there is exit 2, and is not made", async () => {
  await using project = await quickProject();
  await project.skill("lonely", answering("return 1;"));

  const { code, document } = await project.run([
    "select",
    "--from",
    "skills",
    "--store",
    "none.db",
    "--json",
  ]);

  expect(code).toBe(2);
  expect(document).toMatchObject({
    command: "select",
    error: { code: "nothing-to-do", path: "none.db" },
    exitCode: 2,
  });
  expect(existsSync(project.at("none.db"))).toBe(false);
});
