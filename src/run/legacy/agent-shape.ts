import { agentFold } from "../../aggregate/agent/agent-fold.ts";
import type { PlannedCase } from "../../aggregate/agent/case-row.ts";
import { caseReportOf, detailsIn } from "../../contract/agent-details.ts";
import type {
  AgentGate,
  AgentReport,
  AgentResult,
  AgentResultReader,
  GateResult,
} from "../../contract/agent-report.ts";
import { subjectName } from "../../contract/cell.ts";
import type { CaseReport, SubjectReport } from "../../contract/document.ts";
import type { CellReader, Rendered } from "../../contract/format.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";

/** A report on agents and conversations as the writers of Markdown, HTML and the like read it. */
export function agentShape(
  report: Rendered,
  cells: CellReader,
): { report: AgentReport; results: AgentResultReader } {
  const { run, tool, warnings, files, exitCode } = report;
  const suites = casesBySuite(report);
  const results = readOften(function* () {
    for (const { level, id, cases, subjects } of suites)
      for (const subject of subjects)
        for (const text of cells({ level, suite: id, subject: subjectName(subject) }))
          yield agentResult(parseCell(text), cases);
  });
  const fold = agentFold({ cases: suites.flatMap(plannedCases), seed: run.seed });
  for (const result of results()) fold.add(result);
  const { totals, pass_rate, metrics, conversations, cases } = fold.summary();
  const skipped = skippedCases(report);
  const { runsDir, deciders, mixedSkillVersion } = run.settings as {
    runsDir: string;
    deciders: string[];
    mixedSkillVersion?: string[];
  };
  const { level, backend, network, unproven } = run.containment;
  return {
    report: {
      schemaVersion: 1,
      command: "agent eval",
      tool,
      suite: [...new Set(suites.map(({ id }) => id))].join(", "),
      run: {
        id: run.id,
        startedAt: run.startedAt,
        finishedAt: run.finishedAt,
        models: deciders,
        seed: run.seed,
        concurrency: run.concurrency,
        store: run.store,
        runs_dir: runsDir,
        isolation: {
          level,
          backend,
          network: typeof network === "string" ? network : [...network],
          unproven: [...unproven],
        },
      },
      totals: {
        cases: suites.reduce((sum, suite) => sum + suite.cases.size, skipped.length),
        skipped: skipped.length,
        ...totals,
      },
      pass_rate,
      metrics,
      ...(conversations !== null && { conversations }),
      ...(mixedSkillVersion !== undefined && { mixed_skill_version: mixedSkillVersion }),
      gates: gateResults(report),
      cases,
      skipped,
      warnings,
      files,
      exitCode,
    },
    results,
  };
}

type CaseFacts = Pick<CaseReport, "digest" | "title" | "tags">;

/** A suite of one level: its cases by id, and who decided them in the order they were planned in. */
interface ShapedSuite {
  id: string;
  level: string;
  cases: ReadonlyMap<string, CaseFacts>;
  subjects: readonly SubjectReport[];
}

function casesBySuite(report: Rendered): ShapedSuite[] {
  const found = new Map<string, Map<string, CaseFacts>>();
  const nameOf = (level: string, suite: string) => JSON.stringify([level, suite]);
  const suites = report.suites.filter(({ level }) => isShaped(level));
  for (const { level, id } of suites) found.set(nameOf(level, id), new Map());
  for (const { level, suite, id, digest, title, tags } of report.cases)
    found.get(nameOf(level, suite))?.set(id, { digest, title, tags });
  return suites.map(({ level, id }) => {
    const cases = found.get(nameOf(level, id)) ?? new Map<string, CaseFacts>();
    const subjects = report.subjects.filter((subject) => subject.level === level && subject.suite === id);
    return { id, level, cases, subjects: inPlanOrder(subjects, [...cases.keys()], report) };
  });
}

function isShaped(level: string): boolean {
  return level === "agent" || level === "conversation";
}

/** Whose first case comes first, then models as they were named, each with its baseline behind it. */
function inPlanOrder(
  subjects: readonly SubjectReport[],
  cases: readonly string[],
  { run }: Rendered,
): SubjectReport[] {
  const deciders = run.settings.deciders as string[];
  const place = new Map(cases.map((id, index) => [id, index]));
  const firstCase = (of: SubjectReport) => {
    // A baseline may lack the first case of its model.
    const [row] = rowsOf(subjects.find(({ model, arm }) => model === of.model && arm !== "absent") ?? of);
    return place.get(row?.caseId ?? "") ?? cases.length;
  };
  const decider = ({ model }: SubjectReport) => deciders.indexOf(model ?? "");
  return subjects.toSorted(
    (a, b) =>
      firstCase(a) - firstCase(b) ||
      decider(a) - decider(b) ||
      Number(a.arm === "absent") - Number(b.arm === "absent"),
  );
}

function rowsOf({ details }: SubjectReport): { caseId: string; minPassRate: number }[] {
  return details.cases as { caseId: string; minPassRate: number }[];
}

/** Case by case, every model that decides it. */
function plannedCases({ id: suite, cases, subjects }: ShapedSuite): PlannedCase[] {
  const installed = subjects
    .filter(({ arm }) => arm !== "absent")
    .map((subject) => ({
      model: subject.model ?? "none",
      leastRates: new Map(rowsOf(subject).map(({ caseId, minPassRate }) => [caseId, minPassRate])),
    }));
  return [...cases].flatMap(([case_id, { digest: case_digest }]) =>
    installed.flatMap(({ model, leastRates }) => {
      const min_pass_rate = leastRates.get(case_id);
      if (min_pass_rate === undefined) return [];
      return [{ suite, case_id, case_digest, model, level: classOf(model), min_pass_rate }];
    }),
  );
}

function classOf(model: string): PlannedCase["level"] {
  if (model === "none") return "L0";
  return model === "mock" ? "L1" : "L2";
}

function agentResult(cell: CellResult, cases: ReadonlyMap<string, CaseFacts>): AgentResult {
  const { title = null, tags = [] } = cases.get(cell.caseId) ?? {};
  return {
    ...caseReportOf(cell),
    case_digest: cell.caseDigest,
    cell_key: cell.key,
    ...(title !== null && { title }),
    tags: [...tags],
    latency_ms: cell.latencyMs,
    run_dir: detailsIn(cell).runDir,
    condition: cell.arm === "absent" ? "no-skills" : "with-skills",
  };
}

const gateNames: Readonly<Record<string, AgentGate>> = {
  passRate: "min_pass_rate",
  triggerPrecision: "min_trigger_precision",
  triggerRecall: "min_trigger_recall",
  finalJson: "min_final_json",
};

function gateResults({ gates }: Rendered): GateResult[] {
  return gates.flatMap(({ level, metric, on, threshold, value, passed }) => {
    const gate = gateNames[metric];
    if (!isShaped(level) || gate === undefined) return [];
    return [{ gate, on: on === "lower" ? "lower" : "point", asked: threshold, actual: value, passed }];
  });
}

function skippedCases({ skipped }: Rendered): AgentReport["skipped"] {
  return skipped.flatMap(({ level, suite, caseId }) =>
    isShaped(level) && suite !== null && caseId !== null ? [{ suite, case_id: caseId, reason: "level" }] : [],
  );
}

const maxStored = 1000;

/** Writers read the results several times. Few of them are stored after the first time, many are read anew: memory stays flat. */
function readOften(read: AgentResultReader): AgentResultReader {
  let stored: AgentResult[] | null = null;
  return function* () {
    if (stored !== null) return yield* stored;
    const seen: AgentResult[] = [];
    for (const result of read()) {
      if (seen.length <= maxStored) seen.push(result);
      yield result;
    }
    if (seen.length <= maxStored) stored = seen;
  };
}
