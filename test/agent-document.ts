import { caseFigures } from "../src/cases/case-figures.ts";
import { agentGates } from "../src/cases/case-request.ts";
import type { AgentCase, AgentSubject, SuitePlan } from "../src/cases/plan-cases.ts";
import { agentDetails, asJson } from "../src/contract/agent-details.ts";
import type { CaseReport } from "../src/contract/agent-report.ts";
import { subjectName } from "../src/contract/cell.ts";
import type { ReportFile } from "../src/contract/document.ts";
import type { LevelFold, SuiteRun } from "../src/contract/level.ts";
import type { LoadedCase } from "../src/contract/loaded-case.ts";
import type { CellResult } from "../src/contract/result.ts";
import { evaluateGates } from "../src/engine/gates.ts";
import { makeDocument } from "../src/engine/make-document.ts";
import type { PreparedRun } from "../src/engine/prepared-run.ts";
import { openSummary } from "../src/engine/summarize.ts";
import { agentLevel } from "../src/levels/agent/level.ts";
import { sampleResult } from "../src/store/samples.ts";
import { sampleCaseReport } from "./sample-case-report.ts";

type CaseClass = CaseReport["level"];

/** The cell of an agent case, but for what is given; a model that is not `mock` decides for itself. */
export function agentCell(given: Partial<CellResult & { grader: string }> = {}): CellResult {
  const { grader = "1", ...cell } = given;
  const { model = "mock", suite = "smoke", caseId = "c0", trial = 1, status = "pass" } = cell;
  const graded = sampleCaseReport({ grader, level: caseClass(model) });
  return sampleResult({
    key: `sha256:${[suite, model, cell.arm, caseId, trial].join(" ")}`,
    level: "agent",
    suite,
    skillId: null,
    caseId,
    caseDigest: `sha256:${caseId}`,
    model,
    arm: "installed",
    cause: status === "invalid" ? "no-verdict" : null,
    output: { runDir: "/work/.agent/runs/20260203_123456_abcd" },
    details: asJson(agentDetails(graded, ".agent/runs/20260203_123456_abcd")),
    ...cell,
  });
}

function caseClass(model: string | null): CaseClass {
  return model === "mock" ? "L1" : "L2";
}

/** The document of a run of `agent eval` whose cells came out like this; figures are made of them as in a run. */
export async function agentDocument(cells: readonly CellResult[]): Promise<ReportFile> {
  const seed = 0;
  const plans = makePlans(cells);
  const figures = caseFigures(plans, seed);
  const suites = plans.map((plan): SuiteRun => makeSuite(plan, figures.foldOf(plan.level)));
  const summary = openSummary(suites);
  for (const cell of cells) {
    const suite = suites.find(({ id }) => id === cell.suite);
    if (suite !== undefined) summary.add(suite, cell);
  }
  const subjects = await summary.subjects();
  const models = [...new Set(cells.flatMap(({ model }) => model ?? []))];
  const ready: PreparedRun = {
    suites: () => suites,
    containment: { level: "strict", backend: "bubblewrap 0.11.0", network: "none", unproven: [] },
    secrets: [],
    redact: (value) => value,
    warnings: [],
    skipped: [],
    seed,
    skillIds: [],
    models,
    conditions: () => ({
      models: models.filter((model) => model !== "mock").join(", ") || null,
      isolation: "strict",
      grader: figures.graders().join(", ") || null,
    }),
    settings: () => ({ runsDir: ".agent/runs", deciders: models }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const document = makeDocument({
    run: { id: "r", startedAt: "2026-02-03T12:34:56.789Z", isResumed: false, wasDone: false },
    finishedAt: "2026-02-03T12:35:02.100Z",
    command: "agent eval",
    concurrency: 4,
    granted: [],
    timesRecorded: null,
    machine: null,
    store: "./eval-skills.db",
    version: "0.0.0-test",
    ready,
    suites,
    subjects,
    gates: evaluateGates(agentGates(suites, { on: "point" }), { subjects, overall: summary.overall() }),
    judges: [],
    warnings: [],
    files: [],
    exitCode: 0,
  });
  return { ...document, cases: [...document.cases], cells: [...cells] };
}

function makePlans(cells: readonly CellResult[]): SuitePlan[] {
  return [...new Set(cells.map(({ suite }) => suite))].map((suite) => {
    const own = cells.filter((cell) => cell.suite === suite);
    const cases = new Map<string, AgentCase>();
    const subjects = new Map<string, { subject: AgentSubject; cases: Set<AgentCase> }>();
    for (const cell of own) {
      const one = cases.get(cell.caseId) ?? makeCase(cell, own);
      cases.set(one.id, one);
      const subject = makeSubject(cell);
      const known = subjects.get(subjectName(subject)) ?? { subject, cases: new Set() };
      subjects.set(subjectName(subject), known);
      known.cases.add(one);
    }
    const lists = new Map([...subjects.values()].map((row) => [row.subject, [...row.cases]]));
    return {
      level: agentLevel.name,
      suite,
      cases: [...cases.values()],
      subjects: [...lists.keys()],
      casesOf: (subject) => lists.get(subject) ?? [],
    };
  });
}

function makeSubject({ model, arm }: CellResult): AgentSubject {
  return {
    ...{ skillId: null, skillVersion: "", skillDigest: "sha256:skills", identity: null },
    ...{
      model: model ?? "mock",
      arm: arm === "absent" ? "absent" : "installed",
      caseClass: caseClass(model),
    },
  };
}

function makeCase({ caseId: id, caseDigest: digest, suite, model }: CellResult, all: readonly CellResult[]) {
  const loaded = { suite, level: caseClass(model), case: { id, min_pass_rate: 1 } } as unknown as LoadedCase;
  const trials = Math.max(...all.filter(({ caseId }) => caseId === id).map(({ trial }) => trial));
  return {
    ...{ id, digest, title: null, input: "", expected: {}, tags: [], weight: 1, loaded, trials },
    ...{
      skills: null,
      inputs: [],
      limits: null,
      policy: null,
      judge: null,
      deadlineMs: 1000,
      contentDigest: digest,
    },
  } satisfies AgentCase;
}

function makeSuite({ suite, cases, subjects, casesOf }: SuitePlan, fold: LevelFold): SuiteRun {
  const never = () => Promise.reject(new Error("nothing is run"));
  return {
    level: agentLevel,
    id: suite,
    version: "",
    digest: `sha256:${suite}`,
    subjects,
    casesOf: (subject) => casesOf(subject as AgentSubject),
    trials: Math.max(1, ...cases.map(({ trials }) => trials)),
    cells: Object.assign([], { size: 0 }),
    retries: 0,
    scoring: { scoringMethod: "mean", k: 1, maxLatencyMs: 30_000 },
    execute: never,
    score: never,
    stampOf: () => null,
    fold,
    lineOf: () => null,
    isPartial: false,
  };
}
