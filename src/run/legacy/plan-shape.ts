import { cutMark } from "../../base/cut-mark.ts";
import { parseStrictJson } from "../../base/strict-json.ts";
import { subjectName } from "../../contract/cell.ts";
import type { GateReport, SubjectReport } from "../../contract/document.ts";
import type { CellReader, Rendered } from "../../contract/format.ts";
import type { Json } from "../../contract/json.ts";
import { type Stratum, strata } from "../../contract/planbench-file.ts";
import type {
  PlanEvidence,
  PlanGate,
  PlanReport,
  PlanResultReader,
  PlanTable,
} from "../../contract/planbench-report.ts";
import { parseCell } from "../../contract/result.ts";
import { planbenchLevel, planResult } from "../planbench/planbench-level.ts";

/** What a run of a bench says among its settings. */
type PlanSettings = Pick<
  PlanReport["run"],
  | "bench"
  | "model"
  | "answeredBy"
  | "parameters"
  | "samples"
  | "maxRepairs"
  | "schema"
  | "skills"
  | "isolation"
> & { includePlan: boolean };

/** A report of `planbench` as the writers of Markdown, HTML and the like read it. */
export function planShape(
  report: Rendered,
  cells: CellReader,
): { report: PlanReport; results: PlanResultReader } {
  const { run, tool, warnings, files, exitCode } = report;
  const { name: level } = planbenchLevel;
  const subjects = report.subjects.filter((subject) => subject.level === level).sort(byStratum);
  const summary = subjects.flatMap(({ details }) => (details.table ?? []) as unknown as PlanTable);
  const settings = run.settings as Partial<PlanSettings>;
  const counted = summary.filter(({ route }) => route !== "fixed");
  const sum = (count: (table: PlanTable) => number) => counted.reduce((all, table) => all + count(table), 0);
  return {
    report: {
      schemaVersion: 1,
      command: "planbench",
      tool,
      run: {
        id: run.id,
        startedAt: run.startedAt,
        finishedAt: run.finishedAt,
        bench: settings.bench ?? report.suites.find((suite) => suite.level === level)?.id ?? "",
        model: settings.model ?? run.models[0] ?? "",
        answeredBy: settings.answeredBy ?? [],
        parameters: settings.parameters ?? null,
        samples: settings.samples ?? run.trials,
        maxRepairs: settings.maxRepairs ?? 0,
        seed: run.seed,
        schema: settings.schema ?? { name: "", digest: "" },
        skills: settings.skills ?? {},
        concurrency: run.concurrency,
        store: run.store,
        isolation: settings.isolation ?? null,
      },
      passed: sum(({ ok }) => ok),
      total: sum(({ planned }) => planned),
      gate: gateOf(
        report.gates.filter((gate) => gate.level === level),
        subjects,
      ),
      summary,
      warnings,
      files,
      exitCode,
    },
    *results() {
      for (const subject of subjects)
        for (const text of cells({ level, suite: subject.suite, subject: subjectName(subject) })) {
          const cell = parseCell(text);
          const result = planResult(cell);
          yield settings.includePlan === true ? { ...result, plan: planOf(cell.output) } : result;
        }
    },
  };
}

function byStratum(a: SubjectReport, b: SubjectReport): number {
  const order: readonly (string | null)[] = strata;
  return order.indexOf(a.arm) - order.indexOf(b.arm);
}

const gateNames: Readonly<Record<string, PlanGate["gate"]>> = {
  ok0Rate: "min_ok0",
  successRate: "min_success",
  sampleP95Ms: "max_p95_ms",
};

function gateOf(gates: readonly GateReport[], subjects: readonly SubjectReport[]): PlanReport["gate"] {
  const checks = gates.flatMap((gate): PlanGate[] => {
    const name = gateNames[gate.metric];
    const subject = subjects.find(
      ({ suite, arm }) => suite === gate.subject?.suite && arm === gate.subject.arm,
    );
    if (name === undefined || subject === undefined) return [];
    return [
      {
        gate: name,
        route: subject.arm as Stratum,
        on: gate.on === "lower" ? "lower" : "point",
        asked: gate.threshold,
        // What too few samples say decides nothing, and is shown all the same.
        actual: gate.value ?? figureOf(subject, gate),
        passed: gate.passed,
      },
    ];
  });
  const passed = gates.some((gate) => gate.passed === null) ? null : gates.every((gate) => gate.passed);
  return { passed, checks };
}

function figureOf({ metrics }: SubjectReport, { metric, on }: GateReport): number | null {
  const figure = metrics[metric];
  return (on === "lower" ? figure?.interval?.lower : figure?.value) ?? null;
}

/** The last output: what it says where it is JSON, else its text. */
function planOf(evidence: Json): Json {
  const { output = null, isOutputCut = false } = (evidence ?? {}) as Partial<PlanEvidence>;
  if (output === null) return null;
  if (isOutputCut) return `${output}${cutMark}`;
  const read = parseStrictJson(output.trim());
  return read.ok ? (read.value as Json) : output;
}
