import type { ReportDiff } from "../../contract/diff.ts";
import type { ReportDocument } from "../../contract/document.ts";
import { listed } from "../../shared/text/phrases.ts";

/** Whether both runs put the same load on the machine; only then do latencies say something about the skill. */
export function haveSameLoad(a: ReportDocument, b: ReportDocument): boolean {
  return a.run.concurrency === b.run.concurrency;
}

/** Differences between two runs besides their subjects that may explain different figures. */
export function differingConditions(
  a: ReportDocument,
  b: ReportDocument,
  labels: ReportDiff["labels"],
  { hasComposite = true }: { hasComposite?: boolean } = {},
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
  const composite = hasComposite ? ", and neither does their share of the composite" : "";
  return [
    ...differing([load], labels).map((warning) => `${warning}; latencies do not compare${composite}`),
    ...differing(
      [
        { name: "containment", a: a.run.containment.level, b: b.run.containment.level },
        { name: "network of skills", a: networkWords(a), b: networkWords(b) },
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

function networkWords({ run: { containment } }: ReportDocument): string {
  const { network } = containment;
  return typeof network === "string" ? network : network.join(" ");
}
