import type { CellResult } from "../../contract/result.ts";
import type { Block, Finding, LevelView, Tone } from "../../contract/view.ts";
import { metricFact } from "../../report/view/metric-fact.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { ContractDetails, type ContractFinding, contractEvidence, shownFile } from "./details.ts";

/** How contracts are shown: what was found, where, and how to fix it. */
export const contractView: LevelView = {
  headline: (subject) => [
    // Its one case is no sample of anything, so an interval would say nothing.
    { ...metricFact(subject, "completionRate", "Contract kept"), interval: null },
    metricFact(subject, "findings", "Findings", "count"),
  ],
  columns: [
    {
      id: "findings",
      label: "Findings",
      unit: "count",
      value: (cell) => contractEvidence(cell)?.counts.findings ?? null,
    },
    {
      id: "rule",
      label: "Rule",
      isFilter: true,
      value: (cell) => contractEvidence(cell)?.findings[0]?.rule ?? null,
    },
    {
      id: "folder",
      label: "Folder",
      isHidden: true,
      value: (cell) => cellFolder(cell),
    },
  ],
  explainsDifference: true,
  explain,
  findings,
  startsNothing: () => true,
};

function cellFolder({ details }: CellResult): string | null {
  return ContractDetails.safeParse(details).data?.folder ?? null;
}

const tones: Readonly<Record<ContractFinding["severity"], Tone>> = {
  error: "bad",
  critical: "bad",
  high: "bad",
  warning: "warn",
  medium: "warn",
  low: "warn",
  info: "muted",
};

function findings(cell: CellResult): Finding[] {
  const folder = cellFolder(cell) ?? ".";
  return (contractEvidence(cell)?.findings ?? []).map(
    ({ rule, severity, isBreach, file, line, column, message, fix }) => ({
      rule,
      severity,
      tone: isBreach ? "bad" : tones[severity],
      file: shownFile(folder, file),
      line,
      column,
      message,
      fix,
    }),
  );
}

/** What was found as a table; what could not be looked at after it. */
function explain(cell: CellResult): Block[] {
  const evidence = contractEvidence(cell);
  if (evidence === null) return [];
  const found = findings(cell);
  const { counts, unexamined } = evidence;
  const unlisted = counts.findings - found.length;
  return [
    ...(found.length === 0 ? [] : [findingTable(found)]),
    ...(unlisted > 0
      ? [{ kind: "text", text: `${pluralize(unlisted, "more finding")} not listed`, tone: "muted" } as const]
      : []),
    ...unexamined.map(
      ({ file, reason }): Block => ({ kind: "text", text: `not examined: ${file}: ${reason}`, tone: "warn" }),
    ),
  ];
}

function findingTable(found: readonly Finding[]): Block {
  return {
    kind: "table",
    title: "Findings",
    columns: ["Severity", "Rule", "Where", "What", "Fix"].map((label) => ({ label })),
    rows: found.map(({ severity, rule, file, line, message, fix }) => [
      severity,
      rule,
      line === null ? file : `${file}:${line}`,
      message,
      fix,
    ]),
  };
}
