import { agentDetails, asJson } from "../src/contract/agent-details.ts";
import type { AgentReport, AgentResult } from "../src/contract/agent-report.ts";
import { subjectName } from "../src/contract/cell.ts";
import type { ReportFile } from "../src/contract/document.ts";
import type { LevelFold, SuiteRun } from "../src/contract/level.ts";
import type { LoadedCase } from "../src/contract/loaded-case.ts";
import type { CellResult } from "../src/contract/result.ts";
import { sampleResult } from "../src/contract/sample-result.ts";
import { sampleAgentReport } from "../src/reporters/agent/sample-agent-report.ts";
import { agentGates } from "../src/run/agents/agent-gates.ts";
import { agentLevel } from "../src/run/agents/agent-level.ts";
import { caseFigures } from "../src/run/agents/case-figures.ts";
import { caseScore } from "../src/run/agents/case-score.ts";
import type { AgentCase, AgentSubject, SuitePlan } from "../src/run/agents/plan-cases.ts";
import { conversationLevel } from "../src/run/conversations/conversation-level.ts";
import { evaluateGates } from "../src/run/gates.ts";
import { makeDocument } from "../src/run/make-document.ts";
import type { PreparedRun } from "../src/run/prepared-run.ts";
import { openSummary } from "../src/run/summarize.ts";

/** The document of a run of `agent eval` whose cells came out like this; figures are made of them as in a run. */
export async function agentDocument(
  results: readonly AgentResult[],
  given: Partial<AgentReport> = {},
): Promise<ReportFile> {
  const told = sampleAgentReport(results, given);
  const { run } = told;
  const plans = plansOf(results);
  const figures = caseFigures(plans, run.seed);
  const suites = plans.map((plan): SuiteRun => suiteOf(plan, figures.foldOf(plan.level)));
  const summary = openSummary(suites, run.seed);
  const cells = results.map(cellOf);
  for (const cell of cells) {
    const suite = suites.find(({ id, level }) => id === cell.suite && level.name === cell.level);
    if (suite !== undefined) summary.add(suite, cell);
  }
  const subjects = await summary.subjects();
  const ready: PreparedRun = {
    suites: () => suites,
    containment: { level: "strict", backend: run.isolation.backend, network: "none", unproven: [] },
    redact: (value) => value,
    warnings: [],
    skipped: told.skipped.map(({ suite, case_id, reason }) => ({
      level: "agent",
      suite,
      skillId: null,
      caseId: case_id,
      reason,
    })),
    seed: run.seed,
    skillIds: [],
    models: run.models,
    conditions: () => ({
      models: run.models.filter((model) => model !== "mock").join(", ") || null,
      isolation: run.isolation.level,
      grader: figures.graders().join(", ") || null,
    }),
    settings: () => ({ runsDir: run.runs_dir, deciders: run.models }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const document = makeDocument({
    run: { id: run.id, startedAt: run.startedAt, isResumed: false, wasDone: false },
    finishedAt: run.finishedAt,
    command: "agent eval",
    concurrency: run.concurrency,
    store: run.store,
    version: told.tool.version,
    ready,
    suites,
    subjects,
    gates: evaluateGates(agentGates(suites, { on: "point" }), { subjects, overall: summary.overall() }),
    judges: [],
    warnings: told.warnings,
    files: told.files,
    exitCode: told.exitCode,
  });
  return { ...document, cases: [...document.cases], cells };
}

function levelOf({ conversation }: AgentResult): "agent" | "conversation" {
  return conversation === undefined ? "agent" : "conversation";
}

function subjectOf({ model, condition, level }: AgentResult): AgentSubject {
  return {
    skillId: null,
    skillVersion: "",
    skillDigest: "sha256:skills",
    model,
    arm: condition === "no-skills" ? "absent" : "installed",
    caseClass: level,
    identity: null,
  };
}

function plansOf(results: readonly AgentResult[]): SuitePlan[] {
  const names = new Set(results.map((result) => JSON.stringify([result.suite, levelOf(result)])));
  return [...names].map((name) => {
    const [suite, level] = JSON.parse(name) as [string, "agent" | "conversation"];
    const own = results.filter((result) => result.suite === suite && levelOf(result) === level);
    const cases = new Map<string, AgentCase>();
    const subjects = new Map<string, { subject: AgentSubject; cases: Set<AgentCase> }>();
    for (const result of own) {
      const one = cases.get(result.case_id) ?? caseOf(result, own);
      cases.set(one.id, one);
      const subject = subjectOf(result);
      const known = subjects.get(subjectName(subject)) ?? { subject, cases: new Set() };
      subjects.set(subjectName(subject), known);
      known.cases.add(one);
    }
    const lists = new Map([...subjects.values()].map((row) => [row.subject, [...row.cases]]));
    return {
      level,
      suite,
      cases: [...cases.values()],
      subjects: [...lists.keys()],
      casesOf: (subject) => lists.get(subject) ?? [],
    };
  });
}

function caseOf(result: AgentResult, all: readonly AgentResult[]): AgentCase {
  const { case_id: id, suite, level, title, tags, case_digest: digest } = result;
  return {
    id,
    digest,
    title: title ?? null,
    input: "",
    expected: {},
    tags,
    weight: 1,
    loaded: { suite, level, case: { id, min_pass_rate: 1 } } as unknown as LoadedCase,
    skills: null,
    limits: null,
    policy: null,
    judge: null,
    trials: Math.max(...all.filter(({ case_id }) => case_id === id).map(({ trial }) => trial)),
    deadlineMs: 1000,
    contentDigest: digest,
  };
}

function suiteOf({ level, suite, cases, subjects, casesOf }: SuitePlan, fold: LevelFold): SuiteRun {
  const never = () => Promise.reject(new Error("nothing is run"));
  return {
    level: level === "conversation" ? conversationLevel : agentLevel,
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

function cellOf(result: AgentResult): CellResult {
  const { conversation, run_dir } = result;
  const score = caseScore(result);
  const evidence = conversation && asJson({ record: conversation, contract: null, aliases: {} });
  return sampleResult({
    key: result.cell_key,
    level: levelOf(result),
    suite: result.suite,
    skillId: null,
    caseId: result.case_id,
    caseDigest: result.case_digest,
    trial: result.trial,
    model: result.model,
    arm: subjectOf(result).arm,
    status: result.status,
    ...(score.score === null ? { cause: score.cause, reason: score.message } : { reason: score.reason }),
    latencyMs: result.latency_ms,
    warnings: result.warnings,
    output: evidence ?? (run_dir === null ? { actual: [] } : { runDir: `/work/${run_dir}` }),
    details: asJson(agentDetails(result, run_dir)),
  });
}
