import type { ReportDiff } from "../../contract/diff.ts";
import type { ReportDocument, RunReport } from "../../contract/document.ts";
import { listed } from "../../shared/text/phrases.ts";
import { describeMachine } from "../text/describe-machine.ts";

/** Why times of two runs say nothing about their skills; null where both were measured under the same conditions. */
export function timeProblem({ run: a }: ReportDocument, { run: b }: ReportDocument): string | null {
  if (a.id === b.id) return null;
  if (a.timesRecorded !== null || b.timesRecorded !== null) return "times come from recordings";
  if (a.concurrency !== b.concurrency) return "different concurrency";
  if (a.machine === null || b.machine === null) return "a report does not record its machine";
  if (a.machine.fingerprint !== b.machine.fingerprint) return "different machines";
  return a.containment.level === b.containment.level ? null : "different containment";
}

/** What makes a comparison doubtful as a whole, whatever the figures. */
export function doubts(
  { run: a }: ReportDocument,
  { run: b }: ReportDocument,
  { labels, paths }: { labels: ReportDiff["labels"]; paths: { a: string; b: string } },
): string[] {
  if (a.id === b.id)
    return paths.a === paths.b ? [] : [`${paths.a} and ${paths.b} are reports of the same run`];
  if (a.startedAt <= b.startedAt) return [];
  return [
    `${labels.a} is the newer run (${a.startedAt}, ${labels.b} ${b.startedAt}); if you swapped the reports, better means worse`,
  ];
}

/** Differences between two runs besides their subjects that may explain different figures. */
export function differingConditions(
  a: ReportDocument,
  b: ReportDocument,
  labels: ReportDiff["labels"],
): string[] {
  const versions = b.suites.flatMap(({ id, level, version }): Condition[] => {
    const before = a.suites.find((suite) => suite.id === id && suite.level === level);
    return before === undefined
      ? []
      : [{ name: `version of ${id}`, a: before.version || null, b: version || null }];
  });
  // What only one of the runs had says nothing about what both did.
  const own = Object.entries(b.run.conditions).flatMap(([name, now]): Condition[] => {
    const before = a.run.conditions[name];
    return before === undefined ? [] : [{ name, a: before, b: now }];
  });
  const load = { name: "concurrency", a: String(a.run.concurrency), b: String(b.run.concurrency) };
  const machines = { name: "machine", a: machineWords(a.run), b: machineWords(b.run) };
  const isKnown = a.run.machine !== null && b.run.machine !== null;
  return [
    ...differing([load, ...(isKnown ? [machines] : [])], labels).map(
      (warning) => `${warning}; latencies do not compare`,
    ),
    ...differing(
      [
        { name: "containment", a: a.run.containment.level, b: b.run.containment.level },
        { name: "network of skills", a: networkWords(a), b: networkWords(b) },
        { name: "number of trials", a: String(a.run.trials), b: String(b.run.trials) },
        ...own,
        ...versions,
        { name: "version of eval-skills", a: a.tool.version || null, b: b.tool.version || null },
      ],
      labels,
    ),
  ];
}

interface Condition {
  name: string;
  a: string | null;
  b: string | null;
}

const maxNames = 3;

/** A sentence per difference; equal changes share one. */
function differing(conditions: readonly Condition[], labels: ReportDiff["labels"]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, a, b } of conditions) {
    if (a === b) continue;
    const [before, now] = [`${labels.a} ${a ?? unknown}`, `${labels.b} ${b ?? unknown}`];
    const change = `${before}${before.includes(", ") ? ";" : ","} ${now}`;
    names.set(change, [...(names.get(change) ?? []), name]);
  }
  return [...names].map(([change, changed]) => `different ${listed(changed, maxNames)}: ${change}`);
}

const unknown = "not recorded";

function machineWords({ machine }: Pick<RunReport, "machine">): string | null {
  return machine && describeMachine(machine);
}

function networkWords({ run: { containment } }: ReportDocument): string {
  const { network } = containment;
  return typeof network === "string" ? network : network.join(" ");
}
