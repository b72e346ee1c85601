import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import {
  type ReportParts,
  reportFile,
  type SampleSkill,
  skillParts,
} from "../../../test/sample-report-file.ts";

/** Three skills and a report over them: all right, eight in ten right, none right. */
async function weatherProject() {
  const cli = await capturedCli();
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(join(cli.cwd, name)), { recursive: true });
    writeFileSync(join(cli.cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  };
  for (const [id, tags] of [
    ["perfect", ["Web", "stable"]],
    ["good", ["web"]],
    ["poor", []],
  ] as const)
    write(`skills/${id}/skill.json`, {
      id,
      name: id,
      version: "1.0.0",
      description: "A skill for a test.",
      tags,
      adapterType: "subprocess",
      entrypoint: "true",
    });
  write("report.json", reportFile(skill("perfect", 1), skill("good", 0.8), skill("poor", 0)));
  return {
    ...cli,
    write,
    read: (name: string) => readFileSync(join(cli.cwd, name), "utf8"),
    select: (argv: readonly string[], options?: { isTTY?: boolean }) =>
      cli.run(["select", "--from", "./skills", "--reports", "report.json", ...argv], options),
  };
}

function skill(skillId: string, completionRate: number, more: SampleSkill = {}): ReportParts {
  // Which files it was is not what these tests are about.
  return skillParts({ skillId, skillDigest: "", completionRate, compositeScore: completionRate, ...more });
}

const ids = (document: { selected: { skillId: string }[] }) =>
  document.selected.map(({ skillId }) => skillId);

test("without --output a terminal gets the table, anything else the document", async () => {
  await using cli = await weatherProject();

  const seen = await cli.select(["--min-completion", "0.5"], { isTTY: true });
  const piped = await cli.select(["--min-completion", "0.5"]);

  expect(seen.stdout).toContain("Rank  Skill ID  Completion  Error Rate     P95   Score");
  expect(Object.keys(piped.document)).toEqual([
    "schemaVersion",
    "command",
    "strategy",
    "selected",
    "rejected",
  ]);
  expect(piped.stdout).toContain('\n  "selected": [\n');
});

test("--output writes the document and stdout shows the table, also where it is not a terminal", async () => {
  await using cli = await weatherProject();

  const { exitCode, stdout, stderr } = await cli.select(["--top-k", "1", "--output", "out/selected.json"]);

  expect(exitCode).toBe(0);
  expect(stdout).toBe(`Rank  Skill ID  Completion  Error Rate     P95   Score
   1  perfect       100.0%        1.7%  412 ms  1.0000

Rejected
  good  rank 2 > topK 1
  poor  rank 3 > topK 1
`);
  expect(stderr).toBe("written to out/selected.json\n");
  expect(JSON.parse(cli.read("out/selected.json"))).toEqual({
    schemaVersion: 1,
    command: "select",
    strategy: { filters: {}, sortBy: "compositeScore", order: "desc", topK: 1 },
    selected: [
      {
        rank: 1,
        skillId: "perfect",
        skillVersion: "1.0.0",
        path: "skills/perfect/skill.json",
        sortValue: 1,
        stale: false,
        metrics: {
          completionRate: 1,
          errorRate: 0.0167,
          latencyP95Ms: 412,
          compositeScore: 1,
          tokenCost: null,
        },
      },
    ],
    rejected: [
      { skillId: "good", reasons: ["rank 2 > topK 1"] },
      { skillId: "poor", reasons: ["rank 3 > topK 1"] },
    ],
  });
});

test("--json prints the document alone, beside the file", async () => {
  await using cli = await weatherProject();

  const { document } = await cli.select(["--json", "--output", "selected.json"], { isTTY: true });

  expect(document).toEqual(JSON.parse(cli.read("selected.json")));
});

test("candidates come from a folder, a skill.json, a list of paths and an earlier selection", async () => {
  await using cli = await weatherProject();
  cli.write("list.json", ["skills/good", "./skills/poor/skill.json"]);
  await cli.select(["--top-k", "2", "--output", "selected.json"]);
  const from = async (path: string) =>
    ids((await cli.run(["select", "--from", path, "--reports", "report.json"])).document);

  expect(await from("skills")).toEqual(["perfect", "good", "poor"]);
  expect(await from("skills/good/skill.json")).toEqual(["good"]);
  expect(await from("skills/good")).toEqual(["good"]);
  expect(await from("list.json")).toEqual(["good", "poor"]);
  expect(await from("selected.json")).toEqual(["perfect", "good"]);
});

test("--benchmark counts the results of one benchmark alone, and names the nearest where there are none", async () => {
  await using cli = await weatherProject();
  cli.write("other.json", reportFile(skill("poor", 1, { suite: "other" })));
  const both = ["--reports", "report.json", "other.json", "--min-completion", "0.5"];

  const one = await cli.run(["select", "--from", "./skills", ...both, "--benchmark", "other", "--json"]);
  const none = await cli.run(["select", "--from", "./skills", ...both, "--benchmark", "othr", "--json"]);

  expect(ids(one.document)).toEqual(["poor"]);
  expect(one.stderr).not.toContain("different benchmarks");
  expect(none.document).toMatchObject({
    error: { code: "nothing-to-do", message: "no results of benchmark othr", hint: "did you mean other?" },
    exitCode: 2,
  });
});

test("a strategy filters and orders; --min-completion and --top-k beat it", async () => {
  await using cli = await weatherProject();
  cli.write(
    "strategy.yaml",
    "filters: { minCompletionRate: 0.9, requiredTags: [web] }\nsortBy: completionRate\norder: asc\ntopK: 1\n",
  );

  const plain = await cli.select(["--strategy", "strategy.yaml"]);
  const beaten = await cli.select(["--strategy", "strategy.yaml", "--min-completion", "0.5", "--top-k", "5"]);

  expect(plain.document).toMatchObject({
    selected: [{ skillId: "perfect", sortValue: 1 }],
    rejected: [
      { skillId: "good", reasons: ["completionRate 0.8 < 0.9"] },
      { skillId: "poor", reasons: ["completionRate 0 < 0.9", "tag web is missing"] },
    ],
  });
  expect(beaten.document).toMatchObject({
    strategy: { filters: { minCompletionRate: 0.5, requiredTags: ["web"] }, order: "asc", topK: 5 },
    selected: [{ skillId: "good" }, { skillId: "perfect" }],
  });
});

test("files are merged: the newest report of a benchmark counts, and benchmarks are averaged", async () => {
  await using cli = await weatherProject();
  const at = (finishedAt: string, ...skills: ReportParts[]) => reportFile(...skills, { run: { finishedAt } });
  cli.write("reports/new.json", at("2026-03-02T00:00:00.000Z", skill("good", 0.5)));
  cli.write(
    "reports/old.json",
    at("2026-03-01T00:00:00.000Z", skill("good", 1), skill("good", 1, { suite: "gaia-v1" })),
  );

  for (const files of [
    ["reports/new.json", "reports/old.json"],
    ["reports/*.json"],
    ["**/old.json", "reports/new.*"],
  ]) {
    const { document } = await cli.run(["select", "--from", "skills/good", "--reports", ...files]);
    expect(document.selected).toMatchObject([{ metrics: { completionRate: 0.75 } }]);
  }
});

test("skills that were measured on different benchmarks are a warning, and the document stays as it is", async () => {
  await using cli = await weatherProject();
  cli.write("report.json", reportFile(skill("good", 0.8), skill("poor", 0.9, { suite: "gaia-v1" })));

  const { stderr, document, exitCode } = await cli.select([]);

  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    "warning: the skills were measured on different benchmarks and cannot be compared: good on coding-easy; poor on gaia-v1\n",
  );
  expect(Object.keys(document)).not.toContain("warnings");
});

test("a skill without a report is rejected with that reason", async () => {
  await using cli = await weatherProject();
  cli.write("report.json", reportFile(skill("good", 1)));

  expect((await cli.select([])).document).toMatchObject({
    selected: [{ skillId: "good" }],
    rejected: [
      { skillId: "perfect", reasons: ["no report"] },
      { skillId: "poor", reasons: ["no report"] },
    ],
  });
});

test("nothing selected is a warning, the file is written all the same, and --exit-on-fail makes it exit 1", async () => {
  await using cli = await weatherProject();
  cli.write("strategy.json", { filters: { requiredTags: ["certified"] } });
  const strict = ["--strategy", "strategy.json", "--output", "none.json"];

  const gentle = await cli.select(strict);
  const hard = await cli.select([...strict, "--exit-on-fail", "--json"]);
  const again = await cli.run(["select", "--from", "none.json", "--json"]);

  expect(gentle).toMatchObject({
    exitCode: 0,
    stderr: "warning: nothing was selected: tag certified is missing\nwritten to none.json\n",
  });
  expect(gentle.stdout).toMatch(/^nothing selected\n\nRejected\n/);
  expect(hard).toMatchObject({ exitCode: 1, document: { selected: [], rejected: { length: 3 } } });
  expect(JSON.parse(cli.read("none.json"))).toMatchObject({ selected: [] });
  expect(again).toMatchObject({
    exitCode: 2,
    document: { error: { code: "nothing-to-do", path: "none.json" } },
  });
});

test("--exit-on-fail is content with one", async () => {
  await using cli = await weatherProject();

  expect(await cli.select(["--min-completion", "1", "--exit-on-fail"])).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
});

const select = (...argv: string[]) => ["select", "--from", "skills", ...argv];

test.each<[string, string[], string, string]>([
  ["no --from", ["select"], "usage", "missing required option --from"],
  ["a --from that is not there", ["select", "--from", "skils"], "skill-not-found", "skils"],
  ["a broken list", ["select", "--from", "list.json"], "skill-invalid", "$[1]"],
  ["an empty list", ["select", "--from", "empty.json"], "nothing-to-do", "empty.json contains no skills"],
  ["a broken selection", ["select", "--from", "selection.json"], "skill-invalid", "$.selected[0].path"],
  ["a pattern without files", select("--reports", "x-*.json"), "report-invalid", "no files match x-*.json"],
  ["a report that is not there", select("--reports", "gone.json"), "report-invalid", "gone.json"],
  ["a report that is none", select("--reports", "list.json"), "report-invalid", "list.json is not a report"],
  [
    "a report of another level",
    select("--reports", "queries.json"),
    "report-invalid",
    "queries.json is a report of trigger; expected a report of eval or run",
  ],
  ["a misspelt strategy", select("--strategy", "wrong.yaml"), "strategy-invalid", "$.filters.maxErrorRat"],
  ["no such strategy", select("--strategy", "gone.yaml"), "strategy-invalid", "gone.yaml does not exist"],
  [
    "a rate in percent",
    select("--min-completion", "80%"),
    "usage",
    "--min-completion takes a number from 0 to 1",
  ],
  ["no places", select("--top-k", "0"), "usage", "--top-k takes a whole number of at least 1"],
  ["an empty store", select("--store", ""), "usage", "--store is empty"],
  [
    "a store without reports",
    select("--store", "none.db"),
    "nothing-to-do",
    "none.db contains no finished report",
  ],
  [
    "an output that is a folder",
    select("--reports", "report.json", "--output", "skills"),
    "output-unwritable",
    "skills",
  ],
])("%s is exit 2 with its name, as text and as JSON", async (_, argv, code, named) => {
  await using cli = await weatherProject();
  cli.write("list.json", ["skills/good", 7]);
  cli.write("empty.json", []);
  cli.write("queries.json", reportFile({ run: { command: "trigger" } }));
  cli.write("selection.json", {
    schemaVersion: 1,
    command: "select",
    strategy: {},
    selected: [{}],
    rejected: [],
  });
  cli.write("wrong.yaml", "filters: { maxErrorRat: 0.1 }");

  const json = await cli.run([...argv, "--json"]);
  const text = await cli.run(argv);

  expect(json).toMatchObject({ exitCode: 2, document: { command: "select", error: { code }, exitCode: 2 } });
  expect(text).toMatchObject({ exitCode: 2, stdout: "" });
  expect(text.stderr).toContain(named);
});

test("words of strangers in reports and strategies stay text", async () => {
  await using cli = await weatherProject();
  const skillId = "\u001b[31m<img onerror>|=cmd()]]>\u202e";
  cli.write(
    "report.json",
    reportFile(skill("good", 1), skill("poor", 1, { suite: skillId }), skill(skillId, 1, { suite: skillId })),
  );
  cli.write("strategy.json", { filters: { requiredTags: ["\u001b[2J"] }, "\u001b[31m": 1 });

  const { stdout, stderr } = await cli.select(["--strategy", "strategy.json"], { isTTY: true });

  for (const char of ["\u001b[2J", "\u001b[31m<", "\u202e"]) expect(stdout + stderr).not.toContain(char);
  expect(stdout).toContain("tag \\e[2J is missing");
});
