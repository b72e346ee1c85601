import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DiagnosticRule, diagnosticRules } from "./diagnostic-rules.ts";

const page = readFileSync(new URL("../../docs/doctor.md", import.meta.url), "utf8");

/** The cells of each row that says what a rule is. */
const rows = page
  .split("\n")
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([code]) => /^[A-Z]{3}\d{2}$/.test(code ?? ""));

function severityOf({ strict, lenient }: DiagnosticRule): string {
  return strict === lenient ? strict : `${strict}, lenient: ${lenient}`;
}

describe("docs/doctor.md", () => {
  test("has every code with its severity, its rule and what fixes it, and no other", () => {
    expect(rows).toEqual(
      Object.entries(diagnosticRules).map(([code, rule]) => [code, severityOf(rule), rule.rule, rule.hint]),
    );
  });
});
