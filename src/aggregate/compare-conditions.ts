import { canonicalJson } from "../base/canonical-json.ts";
import { listed } from "../base/listed.ts";
import type { AgentReportFile } from "../contract/agent-report.ts";
import type { ReportDiff } from "../contract/diff.ts";
import type { PlanReportFile } from "../contract/planbench-report.ts";
import type { ReportFile, SkillReportWithCells } from "../contract/report.ts";
import type { TriggerReport } from "../contract/trigger-report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import type { JudgedSide } from "./trigger-side.ts";

/** Whether both runs put the same load on the machine; only then do latencies say something about the skill. */
export function haveSameLoad(a: AnyRun, b: AnyRun): boolean {
  return concurrencyOf(a) === concurrencyOf(b);
}

/** What every report tells of its run. */
type AnyRun = { run: { id: string; concurrency: number } };

/** What differs between two runs besides the skills, and may be the reason why the figures do. */
export function differingConditions(
  a: ReportFile,
  b: ReportFile,
  pairs: readonly { a: SkillReportWithCells; b: SkillReportWithCells }[],
  labels: ReportDiff["labels"],
): string[] {
  const differs = differingIn(labels);
  const versions = new Map(
    pairs.map((pair) => [
      pair.b.benchmarkId,
      [pair.a.benchmarkVersion || null, pair.b.benchmarkVersion || null],
    ]),
  );
  return [
    ...differs(
      "different concurrency",
      concurrencyOf(a),
      concurrencyOf(b),
      "; latencies do not compare, and neither does their share of the composite",
    ),
    ...differs("different deadline", deadlineOf(a), deadlineOf(b)),
    ...differs("different containment", levelOf(a), levelOf(b)),
    ...differs("different network of skills", networkOf(a), networkOf(b)),
    ...[...versions].flatMap(([id, [left = null, right = null]]) =>
      differs(`different version of benchmark ${id}`, left, right),
    ),
    ...differs("different version of eval-skills", a.tool.version || null, b.tool.version || null),
  ];
}

/** The same for two reports of `trigger`. */
export function differingTriggerConditions(
  a: TriggerReport,
  b: TriggerReport,
  labels: ReportDiff["labels"],
): string[] {
  const differs = differingIn(labels);
  return [
    ...differs("different concurrency", concurrencyOf(a), concurrencyOf(b), "; latencies do not compare"),
    ...differs("different version of eval-skills", a.tool.version || null, b.tool.version || null),
  ];
}

/** The same for two reports of `agent eval`. */
export function differingAgentConditions(
  a: AgentReportFile,
  b: AgentReportFile,
  labels: ReportDiff["labels"],
): string[] {
  const differs = differingIn(labels);
  return [
    ...differs("different concurrency", concurrencyOf(a), concurrencyOf(b), "; latencies do not compare"),
    ...differs("different models", realModels(a), realModels(b)),
    ...differs("different isolation", a.run.isolation.level, b.run.isolation.level),
    ...differs("different grader", gradersOf(a), gradersOf(b)),
    ...differs("different version of eval-skills", a.tool.version || null, b.tool.version || null),
  ];
}

/** The same for two reports of `planbench`. */
export function differingPlanConditions(
  a: PlanReportFile,
  b: PlanReportFile,
  labels: ReportDiff["labels"],
): string[] {
  const differs = differingIn(labels);
  const told = ({ run }: PlanReportFile) => ({
    model: run.model || null,
    answeredBy: run.answeredBy.toSorted().join(", ") || null,
    parameters: run.parameters === null ? null : canonicalJson(run.parameters),
    schema: run.schema.digest || null,
    repairs: String(run.maxRepairs),
  });
  const [left, right] = [told(a), told(b)];
  return [
    ...differs("different concurrency", concurrencyOf(a), concurrencyOf(b), "; latencies do not compare"),
    ...differs("different model", left.model, right.model),
    ...(left.model === right.model
      ? differs("different model behind the same name", left.answeredBy, right.answeredBy)
      : []),
    ...differs("different parameters", left.parameters, right.parameters),
    ...differs("different schema", left.schema, right.schema),
    ...differs("different limit of repairs", left.repairs, right.repairs),
    ...differs("different version of eval-skills", a.tool.version || null, b.tool.version || null),
  ];
}

function realModels({ run }: AgentReportFile): string | null {
  return (
    run.models
      .filter((model) => model !== "mock")
      .toSorted()
      .join(", ") || null
  );
}

function gradersOf({ results }: AgentReportFile): string | null {
  return [...new Set(results.map(({ grader }) => grader))].toSorted().join(", ") || null;
}

/** Skills that another judge spoke about, or the same one asked in another way: that may be the whole difference. */
export function differingJudges(
  pairs: readonly { a: JudgedSide; b: JudgedSide }[],
  labels: ReportDiff["labels"],
): string[] {
  const skills = new Map<string, string[]>();
  for (const { a, b } of pairs) {
    if (a.judge === b.judge) continue;
    const change = `${labels.a} ${a.judge}; ${labels.b} ${b.judge}`;
    skills.set(change, [...(skills.get(change) ?? []), b.skillId]);
  }
  return [...skills].map(([change, names]) => `different judge of ${listed(names, 3)}: ${change}`);
}

function differingIn(labels: ReportDiff["labels"]) {
  return (what: string, left: string | null, right: string | null, then = "") =>
    left === right ? [] : [`${what}: ${labels.a} ${left ?? unknown}, ${labels.b} ${right ?? unknown}${then}`];
}

const unknown = "not recorded";

function concurrencyOf({ run }: AnyRun): string | null {
  return run.id === "" || run.concurrency === 0 ? null : String(run.concurrency);
}

function levelOf({ run }: ReportFile): string | null {
  return isRecorded(run) ? run.containment.level : null;
}

function networkOf({ run }: ReportFile): string | null {
  if (!isRecorded(run)) return null;
  const { network } = run.containment;
  return typeof network === "string" ? network : network.join(" ");
}

function deadlineOf({ run }: ReportFile): string | null {
  return isRecorded(run) ? `${run.timeoutMs} ms` : null;
}
