import type { GateReport } from "../../contract/document.ts";
import type { Rendered } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { Fact } from "../../contract/view.ts";
import { binomialTail } from "../../shared/statistics/compare-counts.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { metricLabel } from "./gate-words.ts";

/** How far from the line the skill is that a reader is told about. */
const distance = 0.1;

/** What a gate on a rate itself is worth: how often one that is clearly on the wrong side of it passes by luck. */
export function pointGateFacts(
  { gates, subjects }: Pick<Rendered, "gates" | "subjects">,
  levels: readonly Level[],
): Fact[] {
  const onPoints = gates.filter(({ on, enforced }) => on === "point" && enforced);
  const families = groupedBy(onPoints, ({ level, metric, op, threshold }) =>
    JSON.stringify([level, metric, op, threshold]),
  );
  return [...families.values()].flatMap((family) => {
    const cases = family.map((gate) => casesOf(gate, subjects)).filter((count) => count > 0);
    const [gate] = family;
    if (gate === undefined || cases.length === 0) return [];
    return pointFact(
      gate,
      Math.min(...cases),
      levels.find(({ name }) => name === gate.level),
    );
  });
}

function pointFact({ metric, op, threshold }: GateReport, cases: number, level: Level | undefined): Fact[] {
  const unit = level?.metrics.find(({ name }) => name === metric)?.unit;
  if (unit !== "share" || threshold <= 0 || threshold >= 1) return [];
  const isFloor = op === ">=";
  const least = isFloor ? threshold : 1 - threshold;
  const worse = Math.max(least - distance, least / 2);
  // The case is the unit: as if all trials of one went alike.
  const chance = binomialTail(Math.ceil(cases * least - rounding), cases, worse);
  const at = (share: number) => `${Number((share * 100).toFixed(1))}%`;
  const nouns = level?.nouns.case ?? (["case", "cases"] as const);
  const gate = `point gate on ${metricLabel(metric, level)} at ${at(threshold)} with ${pluralize(cases, ...nouns)}`;
  const subject = level?.nouns.subject ?? "subject";
  const value = `${gate}: a ${subject} at ${at(isFloor ? worse : 1 - worse)} passes ${howOften(chance)}`;
  return [{ label: "Gate", value }];
}

const rounding = 1e-9;

function howOften(chance: number): string {
  if (chance < 0.005) return "less than 1 time in 200";
  return chance > 0.5
    ? `about ${Math.round(chance * 10)} times in 10`
    : `about 1 time in ${Math.round(1 / chance)}`;
}

/** The cases that the figure of a gate is about; of a gate on a whole run, those of all subjects. */
function casesOf({ level, metric, subject: gated }: GateReport, subjects: Rendered["subjects"]): number {
  return subjects
    .filter(
      (subject) =>
        subject.level === level &&
        (gated === null ||
          (subject.suite === gated.suite &&
            subject.skillId === gated.skillId &&
            subject.model === gated.model &&
            subject.arm === gated.arm)),
    )
    .reduce((sum, { metrics }) => sum + (metrics[metric]?.interval?.cases ?? 0), 0);
}
