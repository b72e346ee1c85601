import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import { diagnosticRules } from "../../contract/diagnostic-rules.ts";
import type { ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { grouped } from "../../report/text/format-numbers.ts";
import { type Column, textTable } from "../../report/text/text-table.ts";
import type { Canvas } from "./doctor-finding-lines.ts";
import { bySeverity } from "./doctor-shared-findings.ts";

const columns: readonly Column[] = [
  { head: "" },
  { head: "Rule" },
  { head: "Findings", align: "right" },
  { head: "Skills", align: "right" },
  { head: "Rule", least: 20 },
];

/** How often each rule was broken, and in how many skills: errors first, the most frequent first. */
export function ruleTable(skills: readonly ExaminedSkill[], { paint, width }: Canvas): string[] {
  const tallies = [...countByRule(skills).values()].sort(
    (a, b) => bySeverity(a, b) || b.findings - a.findings || (a.code < b.code ? -1 : 1),
  );
  const rows = tallies.map(({ code, severity, findings, skills: found }) => [
    severity === "error" ? "✗" : "!",
    code,
    grouped(findings),
    grouped(found),
    diagnosticRules[code].rule,
  ]);
  return textTable(columns, rows, {
    width,
    paint(text, column, row) {
      if (row === -1) return paint.dim(text);
      if (column !== "") return text;
      return tallies[row]?.severity === "error" ? paint.red(text) : paint.yellow(text);
    },
  });
}

interface Tally {
  code: DiagnosticCode;
  severity: "error" | "warning";
  findings: number;
  skills: number;
}

function countByRule(skills: readonly ExaminedSkill[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { diagnostics } of skills) {
    const inSkill = new Set<Tally>();
    for (const { code, severity } of diagnostics) {
      const key = `${code} ${severity}`;
      const tally = tallies.get(key) ?? { code, severity, findings: 0, skills: 0 };
      tallies.set(key, tally);
      tally.findings++;
      inSkill.add(tally);
    }
    for (const tally of inSkill) tally.skills++;
  }
  return tallies;
}
