import type { ReportDiff } from "../contract/diff.ts";
import type { ReportFile, SkillReportWithCells } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";

/** Whether both runs put the same load on the machine; only then do latencies say something about the skill. */
export function haveSameLoad(a: ReportFile, b: ReportFile): boolean {
  return concurrencyOf(a) === concurrencyOf(b);
}

/** What differs between two runs besides the skills, and may be the reason why the figures do. */
export function differingConditions(
  a: ReportFile,
  b: ReportFile,
  pairs: readonly { a: SkillReportWithCells; b: SkillReportWithCells }[],
  labels: ReportDiff["labels"],
): string[] {
  const differs = (what: string, left: string | null, right: string | null, then = "") =>
    left === right ? [] : [`${what}: ${labels.a} ${left ?? unknown}, ${labels.b} ${right ?? unknown}${then}`];
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

const unknown = "not recorded";

function concurrencyOf({ run }: ReportFile): string | null {
  return isRecorded(run) ? String(run.concurrency) : null;
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
