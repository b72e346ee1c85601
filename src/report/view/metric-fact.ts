import type { MetricReport, SubjectReport } from "../../contract/document.ts";
import type { SubjectView } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { Fact, Unit } from "../../contract/view.ts";
import { percent } from "../text/format-numbers.ts";
import { metricLabel } from "./gate-words.ts";
import { intervalLabel } from "./interval-words.ts";
import { showBounds } from "./show-value.ts";

/** A figure of a subject as its level names it, with what is known of its precision. */
export function metricFact(
  { metrics }: Pick<SubjectReport, "metrics">,
  name: string,
  label: string,
  unit: Unit = "share",
): Fact {
  const metric = metrics[name];
  const note = metric === undefined ? null : maximumNote(name, metric);
  return {
    label,
    metric: name,
    value: metric?.value ?? null,
    unit,
    interval: metric?.interval ?? null,
    ...(note !== null && { note }),
  };
}

/** What another run of exactly these cases could give: `for a rerun of these cases (20 cases × 3): completion [79.9–95.3]`; null where each was tried once. */
export function rerunWords({ subject, level }: Pick<SubjectView, "subject" | "level">): string | null {
  const known = level.metrics.flatMap(({ name, unit }) => {
    const bounds = subject.metrics[name]?.thisSuite ?? null;
    return bounds === null ? [] : [{ name, unit, bounds }];
  });
  const [first] = known;
  if (first === undefined) return null;
  const figures = known.map(
    ({ name, unit, bounds }) => `${metricLabel(name, level)} [${showBounds(bounds, unit)}]`,
  );
  return `${intervalLabel(first.bounds)}: ${figures.join(", ")}`;
}

/** A percentile of few trials is the slowest of them: `max of 12`. */
function maximumNote(name: string, { value, n }: MetricReport): string | null {
  const [, share = null] = /P(9\d)/.exec(name) ?? [];
  if (share === null || value === null || n === null || n === 0) return null;
  const isSlowest = Math.ceil((Number(share) * n) / 100) === n;
  return isSlowest ? `max of ${n}` : null;
}

/** Facts among which there is one for what a rate of passes hides: all subjects of a level have the same. */
export function withPasses(facts: readonly Fact[], level: Pick<Level, "gatedFigures">): readonly Fact[] {
  return findPasses(facts, level) === undefined ? [...facts, { label: ownLabel, value: null }] : facts;
}

/** A pass after a failed attempt counts as a pass, so the share of such passes is shown beside the rate of passes. */
export function withRetries(
  facts: readonly Fact[],
  { metrics }: Pick<SubjectReport, "metrics">,
  level: Pick<Level, "gatedFigures">,
): Fact[] {
  const retried = metrics.retriedRate?.value ?? 0;
  return retried === 0 ? [...facts] : withNote(facts, `${percent(retried)} retried`, level);
}

/** The same with the rate as it would be had everything without a verdict failed: what is missing must not raise a rate unseen. */
export function withInvalidAsFailed(
  facts: readonly Fact[],
  { counts, metrics }: Pick<SubjectReport, "counts" | "metrics">,
  level: Pick<Level, "gatedFigures">,
): Fact[] {
  const rate = metrics.completionWithInvalid?.value ?? null;
  if (counts.invalid === 0 || rate === null) return [...facts];
  return withNote(facts, `${percent(rate)} counting missing verdicts as failed`, level);
}

/** Adds a note to the rate of passes, under whatever name the level shows it; one that shows none has a fact for it. */
function withNote(facts: readonly Fact[], words: string, level: Pick<Level, "gatedFigures">): Fact[] {
  const passes = findPasses(facts, level);
  return facts.map((fact) => {
    if (fact === passes) return { ...fact, note: joined(fact.note, words) };
    return fact.label === ownLabel ? { ...fact, value: joined(fact.value, words) } : fact;
  });
}

function findPasses(facts: readonly Fact[], { gatedFigures }: Pick<Level, "gatedFigures">): Fact | undefined {
  const names = [gatedFigures?.minCompletion, "completionRate", "passRate"];
  return facts.find(({ metric }) => metric !== undefined && names.includes(metric));
}

function joined(before: Fact["value"] | undefined, words: string): string {
  return before == null ? words : `${before}, ${words}`;
}

const ownLabel = "Passed";
