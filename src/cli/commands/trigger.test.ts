import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scripts, triggeringIn, triggerProject } from "../../../test/trigger-project.ts";
import type { ReportFile } from "../../contract/document.ts";

const byModel = ["--judge-model", "lab/judge", "--json"];

test("wrong green: a judge that fails known requests decides nothing, whatever is allowed, unless it is trusted", async () => {
  // Right about the queries of the suite, wrong about everything else.
  await using project = await triggerProject(scripts.perfect, false);
  project.addSkill("crane");
  const argv = ["trigger", "skills/crane", ...byModel];

  const refused = await project.run([...argv, "--max-invalid", "1", "--allow-inconclusive"]);
  const trusted = await project.run([...argv, "--trust-judge"]);
  const again = await project.run(["trigger", "--resume", trusted.document.run.id]);

  expect([refused.exitCode, trusted.exitCode]).toEqual([3, 0]);
  expect(refused.document.cells).toMatchObject(
    Array.from({ length: 8 }, () => ({ status: "invalid", cause: "judge-unreliable" })),
  );
  const problem = "the judge lab/judge (triggers) is off by 0.50 on answers of known score";
  expect(refused.document.judges).toMatchObject([
    { model: "lab/judge (triggers)", canaries: { problem: expect.stringContaining(problem) } },
  ]);
  expect(trusted.document.judges).toMatchObject([
    { cells: 8, trustedDespite: expect.stringContaining(problem) },
  ]);
  expect(again.stdout).toContain(`trusted anyway: ${problem}`);
});

describe.each(["1", "10"])("with %s workers", (workers) => {
  test("a perfect judge, one that never fires and one that always does come out exactly as they are", async () => {
    const figures: Record<string, unknown> = {};
    for (const [name, script] of Object.entries(scripts)) {
      await using project = await triggerProject(script);
      project.addSkill("crane", { positives: 30, negatives: 30 });
      const { document, exitCode } = await project.run([
        "trigger",
        "skills/crane",
        ...byModel,
        "--concurrency",
        workers,
      ]);
      const [subject] = document.subjects;
      const { tp, fp, tn, fn } = subject.details.metrics.query;
      const metricValue = (metric: string) => subject.metrics[metric].value;
      const [precision, recall, mcc] = ["precision", "recall", "mcc"].map(metricValue);
      figures[name] = {
        exitCode,
        passed: document.passed,
        total: document.total,
        tp,
        fp,
        tn,
        fn,
        precision,
        recall,
        mcc,
      };
    }

    expect(figures).toEqual({
      perfect: {
        exitCode: 0,
        passed: 60,
        total: 60,
        tp: 30,
        fp: 0,
        tn: 30,
        fn: 0,
        precision: 1,
        recall: 1,
        mcc: 1,
      },
      never: {
        exitCode: 1,
        passed: 30,
        total: 60,
        tp: 0,
        fp: 0,
        tn: 30,
        fn: 30,
        precision: null,
        recall: 0,
        mcc: null,
      },
      always: {
        exitCode: 1,
        passed: 30,
        total: 60,
        tp: 30,
        fp: 30,
        tn: 0,
        fn: 0,
        precision: 0.5,
        recall: 1,
        mcc: null,
      },
    });
  });
});

test.each<[string, (call: number) => string | number | Promise<string | number>, string]>([
  ["that is rate-limited for ever", () => 429, "quota"],
  ["whose server fails", () => 500, "transport"],
  ["that answers past its deadline", () => new Promise(() => {}), "timeout"],
])("a judge %s leaves every query inconclusive, and no negative passes", async (_, reply, code) => {
  await using project = await triggerProject((_question, call) => reply(call));
  project.addSkill("crane", { positives: 3, negatives: 3 });

  const { document, exitCode } = await project.run([
    "trigger",
    "skills/crane",
    ...byModel,
    "--timeout",
    "200",
  ]);

  expect(exitCode).toBe(3);
  expect(document).toMatchObject({ passed: 0, exitCode: 3 });
  const { queries, ...figures } = triggeringIn(document);
  expect(figures).toMatchObject({ passed: 0, failed: 0, inconclusive: 6 });
  expect(queries).toHaveLength(6);
  for (const { verdict, cause, judgments } of queries) {
    expect({ verdict, cause }).toEqual({ verdict: "invalid", cause: "judge-error" });
    expect(judgments[0]).toMatchObject({ outcome: "error", code });
  }
});

test("a judge that is not there leaves every query inconclusive", async () => {
  await using project = await triggerProject(() => 500);
  project.addSkill("crane", { positives: 2, negatives: 2 });
  project.configureUser('models: { lab: { baseUrl: "http://127.0.0.1:9/v1" } }\nllm: { retries: 0 }\n');

  const { document, exitCode } = await project.run(["trigger", "skills/crane", ...byModel]);

  expect(exitCode).toBe(3);
  expect(triggeringIn(document)).toMatchObject({ passed: 0, failed: 0, inconclusive: 4 });
});

test("a judge that answers in prose: every query counts as failed, is stored invalid, and what it meant decides nothing", async () => {
  await using project = await triggerProject(() => "I would say decision: yes, because it fits.");
  project.addSkill("crane", { positives: 2, negatives: 2 });

  const { document, exitCode } = await project.run([
    "trigger",
    "skills/crane",
    ...byModel,
    "--format",
    "junit",
  ]);

  expect(exitCode).toBe(3);
  const result = triggeringIn(document);
  expect(result).toMatchObject({
    passed: 0,
    failed: 4,
    inconclusive: 0,
    invalidRate: 1,
    lenient: { yes: 4, no: 0 },
  });
  for (const query of result.queries) {
    expect(query).toMatchObject({ verdict: "invalid", cause: "no-verdict", yes: 0, no: 0, invalid: 1 });
    expect(query.judgments[0]).toMatchObject({ outcome: "invalid", lenientDecision: "yes" });
  }
  expect(result.metrics.query).toMatchObject({ tp: 0, fp: 0, tn: 0, fn: 0, coverage: 0, recall: null });
  const junit = readFileSync(join(project.cwd, "reports/trigger-result.xml"), "utf8");
  expect(junit.match(/<error [^>]*type="invalid"/g)).toHaveLength(4);
  const tolerated = await project.run(["trigger", "skills/crane", ...byModel, "--max-invalid", "1"]);
  expect(tolerated.exitCode).toBe(0);
});

test("answers are paid for once: a second run asks nobody, and --no-cache asks again", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane", { positives: 2, negatives: 2 });
  const first = await project.run(["trigger", "skills/crane", ...byModel, "--runs", "4"]);

  const second = await project.run(["trigger", "skills/crane", ...byModel, "--runs", "4"]);

  expect(project.questions).toHaveLength(16);
  expect(triggeringIn(first.document)).toMatchObject({ cached: 0, usd: 0.004 });
  const again = triggeringIn(second.document);
  expect(again).toMatchObject({ cached: 16, passed: 4 });
  expect(again.queries[0]?.judgments[0]).toMatchObject({ cached: true, tokensIn: 200 });
  await project.run(["trigger", "skills/crane", ...byModel, "--runs", "4", "--no-cache"]);
  expect(project.questions).toHaveLength(32);
});

test("--dry-run counts judgments and their cost, asks nobody and leaves nothing behind", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");

  const { document, exitCode } = await project.run([
    "trigger",
    "skills/crane",
    ...byModel,
    "--runs",
    "8",
    "--dry-run",
  ]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ dryRun: true, queries: 8, judgments: 64, cached: 0 });
  expect(document.maxUsd).toBeGreaterThan(document.usd);
  expect(project.questions).toHaveLength(0);
  expect(existsSync(join(project.cwd, "eval-skills.db"))).toBe(false);
  expect(existsSync(join(project.cwd, "reports"))).toBe(false);
});

test("--max-cost is never exceeded: judgments that were not made are errors, and nothing passes by that", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane", { positives: 10, negatives: 10 });

  const { document, exitCode } = await project.run([
    "trigger",
    "skills/crane",
    ...byModel,
    "--max-cost",
    "0.005",
  ]);

  expect(exitCode).toBe(3);
  const { passed, inconclusive, usd } = document.subjects[0].details;
  expect(usd).toBeLessThanOrEqual(0.005);
  expect(passed).toBe(project.questions.length);
  expect(passed + inconclusive).toBe(20);
  const unpaid = document.cells.filter(
    // Refused while it was asked, or not begun at all.
    ({ output, cause }: ReportFile["cells"][number]) =>
      cause === "budget" || (output as { code?: string } | null)?.code === "budget",
  );
  expect(unpaid).toHaveLength(inconclusive);
  expect(document.gates).toContainEqual(expect.objectContaining({ metric: "runCostUsd", passed: true }));
});

test("what was recorded is replayed without a network; what was not is an error", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane", { positives: 2, negatives: 2 });
  await project.run(["trigger", "skills/crane", ...byModel, "--record", "tapes"]);

  const replayed = await project.run(["trigger", "skills/crane", ...byModel, "--replay", "tapes"], {
    LAB_KEY: "",
  });
  project.addSkill("crane", { positives: 3, negatives: 2 });
  const grown = await project.run(["trigger", "skills/crane", ...byModel, "--replay", "tapes"], {
    LAB_KEY: "",
  });

  expect(replayed).toMatchObject({ exitCode: 0 });
  expect(grown.exitCode).toBe(3);
  const errors = triggeringIn(grown.document).queries.filter(({ error }) => error > 0);
  expect(errors.length).toBeGreaterThan(0);
  for (const { judgments } of errors) expect(judgments[0]).toMatchObject({ code: "not-recorded" });
  expect(project.questions).toHaveLength(4);
});

test("trigger --case judges these queries alone, and an unknown id is refused", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  const all = await project.run(["trigger", "skills/crane", "--json"]);
  const [{ queryId }] = all.document.subjects[0].details.queries;

  const { document } = await project.run(["trigger", "skills/crane", "--json", "--case", queryId]);
  const unknown = await project.run(["trigger", "skills/crane", "--json", "--case", "nobody"]);

  expect(document.total).toBe(1);
  expect(document.cells.map(({ caseId }: { caseId: string }) => caseId)).toEqual([queryId]);
  expect(unknown.document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
});

test("what a row of CSV is says nothing where no CSV is written", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  const argv = ["trigger", "skills/crane", "--csv-rows", "cells"];

  const idle = await project.run([...argv, "--format", "json"]);
  const used = await project.run([...argv, "--format", "csv"]);

  const warning = "--csv-rows has no effect: csv is not among the formats";
  expect([idle, used].map(({ stderr }) => stderr.includes(warning))).toEqual([true, false]);
});

test("without a model the router judges, and says so", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");

  const { stderr, document } = await project.run(["trigger", "skills/crane", "--json"]);

  expect(stderr).toContain("no model configured: the router judges");
  const { details } = document.subjects[0];
  expect(details.judge).toMatchObject({
    kind: "router",
    model: null,
    label: "router (lexical)",
    why: "no model configured",
  });
  expect(details.metrics.baselines.lexical).toBeNull();
  expect(project.questions).toHaveLength(0);
});

test("a skill that takes no part is told apart from one that stays quiet by its words", async () => {
  await using project = await triggerProject(() => 500);
  project.addSkill("crane");
  project.addSkill("boat");
  const { document } = await project.run(["trigger", "skills/crane", "--allow", "boat", "--json"]);
  expect(document).toMatchObject({
    passed: 4,
    total: 8,
    exitCode: 1,
    warnings: ["no request can load crane: it takes no part (not-allowed)"],
  });
});

test("a resumed run asks only what has no verdict yet, and goes by its plan", async () => {
  let isDown = true;
  await using project = await triggerProject((question, call) =>
    isDown && call > 3 ? 500 : scripts.perfect(question),
  );
  project.addSkill("crane", { positives: 4, negatives: 4 });
  const first = await project.run(["trigger", "skills/crane", ...byModel, "--concurrency", "1"]);
  isDown = false;
  const callsBefore = project.questions.length;

  const second = await project.run(["trigger", "--resume", "--json"]);
  const changed = await project.run(["trigger", "--resume", first.document.run.id, "--runs", "4", "--json"]);

  expect(first.exitCode).toBe(3);
  expect(second.exitCode).toBe(0);
  expect(second.document).toMatchObject({ passed: 8, total: 8, run: { id: first.document.run.id } });
  expect(project.questions.length - callsBefore).toBe(5);
  expect(changed.document.error.message).toBe(
    "--runs cannot be used with --resume: it would change the plan of the run",
  );
  project.addSkill("crane", { positives: 5 });
  const edited = await project.run(["trigger", "--resume", first.document.run.id, "--json"]);
  expect(edited.document.error.message).toContain("cannot be resumed: skill crane");
});

test("a cell is one answer: a resumed run asks for those that are missing, and a query has one line", async () => {
  let isDown = true;
  await using project = await triggerProject((question, call) =>
    isDown && call > 5 ? 500 : scripts.perfect(question),
  );
  project.addSkill("crane", { positives: 1, negatives: 1 });
  const four = [...byModel, "--concurrency", "1", "--runs", "4"];
  const first = await project.run(["trigger", "skills/crane", ...four]);
  isDown = false;
  const callsBefore = project.questions.length;

  const second = await project.run(["trigger", "--resume", "--json"]);

  const trials = (document: ReportFile) => document.cells.map(({ trial, status }) => [trial, status]);
  expect(first.exitCode).toBe(3);
  expect(trials(first.document)).toEqual(
    [1, 1, 2, 2, 3, 3, 4, 4].map((trial, index) => [trial, index < 5 ? "pass" : "invalid"]),
  );
  expect(triggeringIn(first.document)).toMatchObject({ passed: 0, inconclusive: 2 });
  expect(second.exitCode).toBe(0);
  expect(project.questions.length - callsBefore).toBe(3);
  expect(triggeringIn(second.document)).toMatchObject({ passed: 2, inconclusive: 0 });
  const lines = readFileSync(join(project.cwd, "reports/.eval.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).verdict)).toEqual(["invalid", "invalid", "pass", "pass"]);
});

test("any number of answers is allowed: fewer than four must agree, and are marked", async () => {
  let calls = 0;
  await using project = await triggerProject((question) =>
    question.query.startsWith("stay") && ++calls > 1 ? scripts.always() : scripts.perfect(question),
  );
  project.addSkill("crane", { positives: 1, negatives: 1 });

  const { document, exitCode } = await project.run(["trigger", "skills/crane", ...byModel, "--runs", "3"]);

  expect(exitCode).toBe(3);
  expect(document.subjects[0].details.queries).toMatchObject([
    { verdict: "pass", unreplicated: true, yes: 3, repeats: 3 },
    { verdict: "invalid", cause: "undecided", unreplicated: true, yes: 2, no: 1 },
  ]);
});

test("a run is not resumed among other siblings, or with a judge that is trusted less by now", async () => {
  await using project = await triggerProject(({ query }, call) =>
    call === 1 ? "DECISION=YES REASON=x" : query.startsWith("label ") ? "DECISION=NO REASON=x" : 500,
  );
  project.addSkill("crane");
  const first = await project.run(["trigger", "skills/crane", ...byModel, "--concurrency", "1"]);
  const resume = async () => (await project.run(["trigger", "--resume", "--json"])).document.error.message;
  const refused = `run ${first.document.run.id} cannot be resumed:`;

  const label = (n: number) => ({ skill: "crane", query: `label ${n}`, label: n % 2 ? "yes" : "no" });
  project.write("gold.jsonl", Array.from({ length: 30 }, (_, n) => JSON.stringify(label(n))).join("\n"));
  await project.run(["trigger", "calibrate", "--gold", "gold.jsonl", "--catalog", "skills", ...byModel]);
  expect(await resume()).toBe(
    `${refused} what the judge of crane is trusted with has changed since it started`,
  );
  project.addSkill("boat");
  expect(await resume()).toContain("the catalog around the skills");
});

test("a request that belongs to a sibling is counted for it, by whichever of its names", async () => {
  await using project = await triggerProject(() => 500);
  project.addSkill("crane");
  project.write(
    "skills/crane/skill.json",
    JSON.stringify({
      ...{ id: "crane_unit", name: "crane", version: "1.0.0", description: "Folds crane paper." },
      ...{ adapterType: "subprocess", entrypoint: "node crane.mjs" },
    }),
  );
  project.write("skills/crane/crane.mjs", "");
  project.write(
    "skills/boat/SKILL.md",
    "---\nname: boat\ndescription: Builds wooden ships.\n---\n\nBuild.\n",
  );
  const negative = "{ query: fold a crane of paper, belongs_to: crane }";
  project.write("skills/boat/eval.yaml", `triggering:\n  should_not_match: [${negative}]\n`);
  const { document } = await project.run(["trigger", "skills/boat", "--json"]);
  expect(triggeringIn(document).confusion).toMatchObject([
    { intended: "crane_unit", chosen: { crane_unit: 1 } },
  ]);
});

test("every query has one line in the log, as in the report, and a skip has one with its reason", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane", { positives: 1, negatives: 1 });
  project.addSkill("fox");
  project.write("skills/fox/eval.yaml", "triggering: { should_match: [] }\n");

  const { document } = await project.run(["trigger", "skills", ...byModel]);

  const lines = readFileSync(join(project.cwd, "reports/.eval.jsonl"), "utf8").trimEnd().split("\n");
  const [skip, ...queries] = lines.map((line) => JSON.parse(line));
  expect(skip).toMatchObject({
    schemaVersion: 1,
    kind: "trigger",
    skillId: "fox",
    verdict: null,
    skipped: "empty-lists",
  });
  expect(Object.keys(queries[0]).slice(0, 8)).toEqual([
    "schemaVersion",
    "kind",
    "runId",
    "skillId",
    "queryId",
    "query",
    "side",
    "verdict",
  ]);
  expect(queries).toHaveLength(2);
  for (const reported of triggeringIn(document).queries)
    expect(queries).toContainEqual(expect.objectContaining(reported));
});

test.each<[string, string[], string]>([
  [
    "repetitions that can never clear the threshold",
    ["skills/crane", ...byModel.slice(0, 2), "--runs", "4", "--threshold", "0.9"],
    "4 judgments can never reach a threshold of 0.9",
  ],
  [
    "a judge that needs a model without one",
    ["skills/crane", "--judge", "catalog"],
    "judge of crane needs a model",
  ],
  ["an agent without its program", ["skills/crane", "--judge", "agent"], "needs an agent command"],
  ["vectors without an embedder", ["skills/crane", "--require-vectors"], "needs an embedder"],
  ["a skill that is not there", ["skills/cran"], "no skill at skills/cran"],
  ["a threshold of 1", ["skills/crane", "--threshold", "1"], "between 0 and 1"],
  ["a sibling that is not there", ["skills/crane", "--allow", "cran"], "--allow names cran"],
  ["nothing", [], "trigger needs at least one of <skills...>"],
])("%s: exit 2 with words that help", async (_, argv, words) => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");

  const { document, exitCode } = await project.run(["trigger", ...argv, "--json"]);

  expect(exitCode).toBe(2);
  expect(document.error.message).toContain(words);
});

test("a block with an error stops the pass and names the place; one without tests is nothing to do", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  project.write("skills/crane/eval.yaml", 'triggering:\n  should_match: ["a b", ""]\n');
  const broken = await project.run(["trigger", "skills/crane", "--json"]);
  const result = await project.run(["trigger", "skills/crane"]);
  project.write("skills/crane/eval.yaml", "cases: []\n");
  const none = await project.run(["trigger", "skills/crane", "--json"]);
  const required = await project.run(["trigger", "skills/crane", "--json", "--require-triggering"]);
  project.write("skills/crane/eval.yml", "triggering:\n  should_match: [hi]\n");
  const misnamed = await project.run(["trigger", "skills/crane", "--json"]);

  expect(broken.document.error).toMatchObject({
    code: "suite-invalid",
    jsonPath: "$.triggering.should_match[1]",
  });
  expect(broken.document.error.message).toContain("skills/crane/eval.yaml:2");
  expect(result.stderr.match(/eval\.yaml/g)).toHaveLength(1);
  expect(none.document.error.code).toBe("nothing-to-do");
  expect(none.document.error.hint).toContain("`triggering` block to skills/crane/eval.yaml,");
  expect(misnamed.document.error.hint).toBe("skills/crane/eval.yml is not read: rename it to eval.yaml");
  expect(required.exitCode).toBe(1);
});

test("gates: below the line is exit 1, an undefined figure is not a verdict", async () => {
  await using project = await triggerProject(scripts.never);
  project.addSkill("crane", { positives: 0, negatives: 4 });
  const met = await project.run(["trigger", "skills/crane", ...byModel]);
  const undefinedFigure = await project.run(["trigger", "skills/crane", ...byModel, "--min-recall", "0.5"]);
  project.addSkill("fox", { positives: 1, negatives: 4 });
  const below = await project.run(["trigger", "skills/fox", ...byModel, "--min-recall", "0.5"]);

  expect(met.exitCode).toBe(0);
  expect(undefinedFigure.exitCode).toBe(3);
  const readRecall = ({ document }: { document: ReportFile }) =>
    document.gates.filter(({ metric }) => metric === "recall");
  expect(readRecall(undefinedFigure)).toMatchObject([
    { subject: { skillId: "crane" }, threshold: 0.5, value: null, passed: null },
  ]);
  expect(below.exitCode).toBe(1);
  expect(readRecall(below)).toMatchObject([{ subject: { skillId: "fox" }, value: 0, passed: false }]);
});

test("a judge below the agreement that was asked for informs, but lets nothing pass", async () => {
  await using project = await triggerProject(({ query }) =>
    /[02468]$/.test(query) ? "DECISION=YES REASON=Even." : "DECISION=NO REASON=Odd.",
  );
  project.addSkill("crane", { positives: 2, negatives: 2 });
  const gold = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({ skill: "crane", query: `label ${n}`, label: n % 4 < 2 ? "yes" : "no" }),
  );
  writeFileSync(join(project.cwd, "gold.jsonl"), gold.join("\n"));

  const calibrated = await project.run(["trigger", "calibrate", "--gold", "gold.jsonl", ...byModel]);
  const judged = await project.run(["trigger", "skills/crane", ...byModel]);

  expect(calibrated.exitCode).toBe(0);
  expect(calibrated.document.calibration).toMatchObject({
    labels: 40,
    unanswered: 0,
    agreement: 0.5,
    kappa: 0,
  });
  expect(judged.exitCode).toBe(3);
  const result = triggeringIn(judged.document);
  expect(result).toMatchObject({ passed: 0, failed: 2, inconclusive: 2 });
  expect(result.queries.filter(({ cause }) => cause === "uncalibrated")).toHaveLength(2);
});

test("a calibration that most labels got no answer for says nothing, and what was known before stays", async () => {
  let isDown = false;
  await using project = await triggerProject(({ query }, call) =>
    isDown && call % 10 > 0 ? 500 : `DECISION=${/[02468]$/.test(query) ? "YES" : "NO"} REASON=x.`,
  );
  project.addSkill("crane", { positives: 1, negatives: 1 });
  const label = (n: number) => ({ skill: "crane", query: `label ${n}`, label: n % 2 ? "no" : "yes" });
  project.write("gold.jsonl", Array.from({ length: 30 }, (_, n) => JSON.stringify(label(n))).join("\n"));
  const calibrate = () =>
    project.run(["trigger", "calibrate", "--gold", "gold.jsonl", "--no-cache", ...byModel]);

  expect((await calibrate()).document).toMatchObject({ isKept: true, calibration: { kappa: 1 } });
  isDown = true;
  const { exitCode, document } = await calibrate();
  expect({ exitCode, isKept: document.isKept }).toEqual({ exitCode: 3, isKept: false });
  isDown = false;
  const { document: after } = await project.run(["trigger", "skills/crane", ...byModel]);
  expect(after.subjects[0].details.notes.join()).not.toContain("gate");
});

test("the key of a judge is in no report, log or recording", async () => {
  await using project = await triggerProject(() => "DECISION=YES REASON=key-of-the-lab-0123 says so.");
  project.addSkill("crane", { positives: 1, negatives: 0 });
  project.write("set.json", '[{"query": "use key-of-the-lab-0123 here", "should_trigger": true}]');

  const { stdout, document } = await project.run([
    "trigger",
    "skills/crane",
    "--set",
    "set.json",
    ...byModel,
  ]);

  expect(stdout).not.toContain("key-of-the-lab");
  for (const file of ["trigger-result.json", "trigger-result.md", ".eval.jsonl"])
    expect(readFileSync(join(project.cwd, "reports", file), "utf8")).not.toContain("key-of-the-lab");
  const { queries } = triggeringIn(document);
  expect(queries[1]?.query).toBe("use [redacted] here");
  expect(queries[0]?.judgments[0]).toMatchObject({ reason: "[redacted] says so." });
});

test("a dry run adds up what one model is asked for several skills", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  project.addSkill("fox", { block: "  judge: { model: lab/judge, reask: 1 }\n" });
  const countTokens = async (path: string) => {
    const { document } = await project.run(["trigger", path, ...byModel, "--dry-run"]);
    return document.tokensIn;
  };

  expect(await countTokens("skills")).toBe(
    (await countTokens("skills/crane")) + (await countTokens("skills/fox")),
  );
});

test("further queries come from a set, and the model of the configuration is never asked for them", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane", { positives: 1, negatives: 1 });
  project.write("more.json", '[{"query": "please fold a crane", "should_trigger": true}]');
  project.configureUser(`llm: { model: judge, baseUrl: "${project.url}" }\n`);

  const { document } = await project.run(["trigger", "skills/crane", "--set", "more.json", "--json"]);
  const broken = await project.run(["trigger", "skills/crane", "--set", "nowhere.json", "--json"]);

  expect(document.total).toBe(3);
  expect(document.subjects[0].details.judge.kind).toBe("router");
  expect(project.questions).toHaveLength(0);
  expect(broken.document.error.code).toBe("suite-invalid");
});

test("what an agent costs cannot be limited, and that is said", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  const asAgent = ["--judge", "agent", "--agent", "true", "--max-cost", "1", "--json"];

  const { document } = await project.run(["trigger", "skills/crane", ...asAgent]);

  expect(document.error.message).toContain("--max-cost cannot be used with --judge agent");
});

test("an agent that is typed and asked nothing is a warning", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");

  const { document, exitCode } = await project.run(["trigger", "skills/crane", ...byModel, "--agent", "x"]);

  expect(exitCode).toBe(0);
  expect(document.warnings).toContain(
    "--agent has no effect: no skill is judged by an agent; add --judge agent",
  );
});

test.each(["no-such-agent --json", "./missing/agent.sh", "./skills"])(
  "an agent that cannot be started, %s, is found before anything is asked, and in a dry run",
  async (agent) => {
    await using project = await triggerProject(scripts.perfect);
    project.addSkill("crane");
    const argv = ["trigger", "skills/crane", "--judge", "agent", "--agent", agent, "--json"];

    const [run, dry] = [await project.run(argv), await project.run([...argv, "--dry-run"])];

    expect([run.exitCode, dry.exitCode]).toEqual([2, 2]);
    expect(run.document.error.message).toMatch(
      /^--agent: the program .*(no-such-agent is not on PATH|agent\.sh does not exist|skills is not an executable file)$/,
    );
    expect(dry.document.error).toEqual(run.document.error);
  },
);

test.each<[what: string, llm: string, lab: string, typed: string[], most: number, warning: string | null]>([
  ["a typed number holds", "", "", ["--concurrency", "8"], 8, null],
  ["the cap of all models", "concurrency: 2", "", ["--concurrency", "8"], 2, "llm.concurrency"],
  [
    "the cap of a provider",
    "concurrency: 4",
    ", concurrency: 3",
    ["--concurrency", "8"],
    3,
    "models.lab.concurrency",
  ],
  ["a cap of what nobody typed is not a warning", "concurrency: 2", "", [], 2, null],
  ["a cap above it changes nothing", "concurrency: 9", "", ["--concurrency", "8"], 8, null],
])("%s for judges that are models", async (_, llm, lab, typed, most, warning) => {
  let [active, peak] = [0, 0];
  await using project = await triggerProject(async (question) => {
    peak = Math.max(peak, ++active);
    await new Promise((done) => setTimeout(done, 40));
    active--;
    return scripts.perfect(question);
  });
  project.configureUser(`models: { lab: { baseUrl: "${project.url}"${lab} } }\nllm: { ${llm} }\n`);
  project.addSkill("crane", { positives: 8, negatives: 8 });

  const { document } = await project.run(["trigger", "skills/crane", ...byModel, ...typed]);

  expect(peak).toBe(most);
  expect(document.run.concurrency).toBe(most);
  expect(document.warnings.filter((words: string) => words.includes("--concurrency"))).toEqual(
    warning === null ? [] : [`--concurrency 8 is lowered to ${most} by ${warning} of the configuration`],
  );
});

test("a bad skill of a folder stops no other, and one that is named stops the run", async () => {
  await using project = await triggerProject(scripts.perfect);
  project.addSkill("crane");
  project.addSkill("broken");
  project.write("skills/broken/SKILL.md", "no frontmatter");

  const folder = await project.run(["trigger", "skills", ...byModel]);
  const named = await project.run(["trigger", "skills/crane", "skills/broken", ...byModel]);

  expect(folder.exitCode).toBe(2);
  expect(folder.document).toMatchObject({ passed: 8, total: 8, exitCode: 2 });
  expect(folder.document.notLoaded).toMatchObject([{ path: "skills/broken", code: "SKM01" }]);
  expect([named.exitCode, named.document.error.code]).toEqual([2, "skill-invalid"]);

  project.write("skills/crane/eval.yaml", "cases: []");
  const without = await project.run(["trigger", "skills", ...byModel]);
  expect(without.document.error.message).toMatch(
    /^no skill has trigger tests: crane \(no-block\); skills\/broken not loaded: /,
  );
});
