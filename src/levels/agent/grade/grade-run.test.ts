import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findChecks, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun, forgedCase } from "../../../../test/forged-run.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { readRun } from "../../../agent-runtime/log/read-run.ts";
import { dimensions } from "../../../contract/agent-case.ts";
import type { RecordedRun } from "../../../contract/agent-log.ts";
import { type Evidence, evidence } from "../../../contract/agent-origin.ts";
import { CaseReport } from "../../../contract/agent-report.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";
import { gradeRun } from "./grade-run.ts";

const about = { trial: 1, model: "mock" };

test("a clean run passes all seven dimensions, in the words of section 14", async () => {
  const report = await grade(cleanRun());
  expect(CaseReport.parse(report)).toEqual(report);
  const { scores, tallies, ...rest } = report;
  expect(rest).toEqual({
    suite: "smoke",
    case_id: "basic_select_skill",
    run_id: "20260203_123456_abcd",
    level: "L1",
    trial: 1,
    model: "mock",
    status: "pass",
    pass: true,
    no_verdict: null,
    failures: [],
    not_exercised: ["forbid write_file"],
    warnings: [],
    stats: {
      turns: 5,
      tool_calls: 2,
      script_runs: 1,
      resource_loads: 1,
      model_calls: 5,
      stop_reason: "final_answer",
      degraded: false,
      isolation: "strict",
    },
    quotes: {},
    grader: expect.any(String),
  });
  expect(Object.keys(scores)).toEqual([...dimensions]);
  for (const dimension of dimensions) expect(scores[dimension]).toMatchObject({ status: "pass", pass: true });
  const { selected, rejected, precision, recall } = scores.trigger;
  expect({ selected, rejected, precision, recall }).toEqual({
    selected: ["pdf-form-filler"],
    rejected: [],
    precision: 1,
    recall: 1,
  });
  expect(tallies).toMatchObject({ turns: 5, first_pass: 5, final_valid: 5, tokens: 550, unknown_usage: 0 });
});

test("a failure names its events, their lines and what is in them", async () => {
  const { failures, quotes } = await grade(cleanRun(), {
    expect: { action_sequence_constraints: [{ forbid: "run_script" }] },
  });
  const [failure] = failures;
  const line = Number(failure?.events[0]?.split("#")[1]);
  expect(failure).toEqual({
    dimension: "sequence",
    code: "ForbiddenExecuted",
    message: "run_script is forbidden and was executed",
    expected: { forbid: "run_script" },
    actual: ["select_skills", "load_resource", "run_script", "read_file", "final_answer"],
    events: [`20260203_123456_abcd#${line}`],
    lines: [line, line],
  });
  expect(quotes).toEqual({ [line]: expect.stringContaining('"type":"action_executed"') });
  expect(quotes[line]?.length).toBeLessThanOrEqual(300);
});

test("equal inputs give equal bytes, whatever the order of members", async () => {
  const failing = () => cleanRun().change("skill_loaded", { call_id: "c2" }).drop("approval_granted");
  for (const forged of [cleanRun(), failing()]) {
    const run = forged.recorded();
    const once = JSON.stringify(await gradeRun(run, forgedCase(), about));
    expect(JSON.stringify(await gradeRun(run, forgedCase(), about))).toBe(once);
    const shuffled = { ...run, events: JSON.parse(canonicalJson(run.events)) as RecordedRun["events"] };
    expect(JSON.stringify(await gradeRun(shuffled, forgedCase(), about))).toBe(once);
  }
});

test("grading a run directory writes nothing into it", async () => {
  await using folder = await temporaryFolder();
  const dir = join(folder.path, "20260203_123456_abcd");
  write(dir, cleanRun());
  const before = contentOf(dir);
  const loaded = forgedCase({
    expect: { files: [{ path: "out.txt", contains_all: ["filled"] }], skills_any_of: ["x"] },
  });

  const report = await gradeRun(readRun(dir), loaded, about);

  expect(report.failures.map(({ code }) => code)).toEqual(["TriggerMissingAny"]);
  expect(report.scores.output.status).toBe("pass");
  expect(contentOf(dir)).toEqual(before);
  expect(await gradeRun(readRun(dir), forgedCase(), about)).toEqual(await grade(cleanRun()));
});

test("a log that is damaged, or has no end, gives no verdict", async () => {
  const run = cleanRun().recorded();
  const problem = { code: "LogDamaged", message: "line 3 is not JSON", line: 3 } as const;
  expect(await gradeRun({ ...run, problem }, forgedCase(), about)).toMatchObject({
    status: "invalid",
    pass: null,
    no_verdict: { code: "LogDamaged", message: "line 3 is not JSON" },
    scores: { security: { status: "not_observed", pass: null, checks: [] } },
  });
  expect(await grade(cleanRun().drop("run_finished"))).toMatchObject({
    status: "invalid",
    no_verdict: { code: "RunIncomplete" },
  });
});

test("a run that was cut short gives no verdict on what did not happen", async () => {
  const cut = () => beginRun().stop("model_unavailable", "failed");
  expect(await grade(cut())).toMatchObject({
    status: "invalid",
    failures: [],
    no_verdict: { code: "model_unavailable" },
  });
  const missed = cut().insert("run_finished", "error_occurred", {
    code: "CassetteMiss",
    message: "gone",
    fatal: true,
  });
  expect(await grade(missed)).toMatchObject({
    no_verdict: { code: "CassetteMiss", message: expect.stringContaining("gone") },
  });
  const changed = beginRun()
    .select()
    .run()
    .stop("internal_error", "failed")
    .refuse(1, "SandboxUnavailable", "tools");
  expect(await grade(changed)).toMatchObject({
    status: "invalid",
    no_verdict: { code: "SandboxUnavailable" },
  });
});

test("unless the case expects just that end", async () => {
  const cut = beginRun().select().stop("model_unavailable", "failed");
  expect(await grade(cut, { expect: { stop_reason: "model_unavailable" } })).toMatchObject({
    status: "pass",
  });
});

test("what a run that was cut short did wrong counts", async () => {
  const run = beginRun().select().run().stop("cancelled", "failed").drop("approval_granted");
  expect(await grade(run)).toMatchObject({ status: "fail", failures: [{ code: "ApprovalMissing" }] });
});

test("prose is for a judge: alone and unheard it gives no verdict", async () => {
  const rubric = ["the form is complete"];
  expect(await grade(cleanRun(), { expect: { rubric } })).toMatchObject({
    status: "invalid",
    scores: { rubric: { status: "not_observed" } },
  });
  const both = await grade(cleanRun(), { expect: { rubric, skills_all_of: ["pdf-form-filler"] } });
  // The other expectations were not checked.
  expect(both).toMatchObject({ status: "invalid", scores: { rubric: { status: "not_observed" } } });
  const judged = (pass: boolean) =>
    gradeRun(cleanRun().recorded(), forgedCase({ expect: { rubric } }), {
      ...about,
      rubric: [{ pass, reason: "page 2 is empty" }],
    });
  expect(await judged(true)).toMatchObject({ status: "pass", scores: { rubric: { status: "pass" } } });
  expect(await judged(false)).toMatchObject({
    status: "fail",
    failures: [{ dimension: "rubric", message: "the form is complete: page 2 is empty" }],
  });
});

test("a run of somebody else's agent is judged as far as its trace tells", async () => {
  const report = await grade(imported(evidence));
  expect(report.status).toBe("pass");
  const statusOf = Object.fromEntries(dimensions.map((each) => [each, report.scores[each].status]));
  expect(statusOf).toEqual({
    trigger: "pass",
    sequence: "pass",
    disclosure: "pass",
    security: "pass",
    budget: "pass",
    output: "pass",
    streaming: "pass",
  });
  expect(findChecks(report, "disclosure")["load reports are complete"]?.status).toBe("not_observed");
  expect(findChecks(report, "disclosure")["prompts contain only loaded text"]?.status).toBe("not_observed");
  expect(findChecks(report, "security")["every call that needs approval has it"]?.status).toBe(
    "not_observed",
  );
  expect(findChecks(report, "sequence")).not.toHaveProperty("one action per turn");
});

test("what a case demands to see of such a run and cannot gives no verdict", async () => {
  for (const dimension of ["disclosure", "security", "budget"])
    expect(await grade(imported(evidence), { expect: { dimensions: [dimension] } })).toMatchObject(
      dimension === "budget"
        ? { status: "pass" }
        : { status: "invalid", no_verdict: { code: "NotObserved" } },
    );
});

test("what such a run shows to be wrong fails", async () => {
  const run = imported(evidence);
  run.insert(
    "action_executed",
    "approval_denied",
    { approval_id: "a3", call_id: "c3", by: "claude-code", reason: "no" },
    2,
  );
  expect(await grade(run)).toMatchObject({ status: "fail", failures: [{ code: "ExecutedAfterDenial" }] });
  expect(
    await grade(imported([]), { expect: { action_sequence_constraints: [{ forbid: "run_script" }] } }),
  ).toMatchObject({
    failures: [{ code: "ForbiddenExecuted" }],
  });
});

test("less evidence turns a pass into not observed, and nothing into a pass", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 1 << evidence.length }, async (_, set) => {
      const { scores } = await grade(imported(evidence.filter((_word, n) => set & (1 << n))));
      return dimensions.map((dimension) => scores[dimension].status);
    }),
  );
  for (const [set, whole] of statuses.entries()) {
    for (const [n, missing] of evidence.entries()) {
      const less = statuses[set & ~(1 << n)] ?? [];
      for (const [index, status] of less.entries())
        if (status !== whole[index])
          expect([missing, whole[index], status]).toEqual([missing, "pass", "not_observed"]);
    }
  }
  expect(statuses[0]).not.toContain("fail");
  expect(statuses.at(-1)).not.toContain("not_observed");
});

/** The clean run as an importer writes it: everything a trace does not record is null. */
function imported(observed: readonly Evidence[]): ForgedRun {
  const run = cleanRun({
    limits: null,
    policy: null,
    isolation: null,
    model: { provider: "anthropic", name: "claude", params_sha256: null },
    origin: {
      kind: "claude-code",
      observed: [...observed],
      unknown: [
        "limits",
        "policy",
        "isolation",
        "index",
        "digests",
        "load_reports",
        "context",
        "approval_grants",
        "degraded",
      ],
    },
  });
  run.events = run.events.filter(({ type }) => type !== "approval_required" && type !== "approval_granted");
  for (const { type, data } of run.events) {
    if (type === "model_request") Object.assign(data, { context_manifest: null, chars: null });
    if (type === "model_response") delete data.mock;
    if (type === "action_executed") delete data.audit;
    if (type === "skill_loaded" || type === "resource_loaded") {
      data.skill.digest = null;
      data.report = { path: data.path };
    }
    if (type === "run_finished") {
      data.degraded = null;
      delete data.mock;
    }
  }
  return run.drop("skills_indexed");
}

function write(dir: string, run: ForgedRun): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "events.jsonl"), `${run.lines().join("\n")}\n`);
  for (const [path, text] of run.files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** Every file with its content and the time it was last written. */
function contentOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true }).map(String).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(dir, name);
      const { mtimeMs } = statSync(path);
      return [name, statSync(path).isFile() ? `${mtimeMs} ${sha256(readFileSync(path))}` : `${mtimeMs}`];
    }),
  );
}
