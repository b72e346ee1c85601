import { expect, test } from "vitest";
import { readEvent } from "../src/agent-runtime/log/read-event.ts";
import type { Dimension } from "../src/contract/agent-case.ts";
import type { CaseReport } from "../src/contract/agent-report.ts";
import type { LoadedAgentCase } from "../src/contract/loaded-case.ts";
import { gradeRun } from "../src/levels/agent/grade/grade-run.ts";
import { cleanRun, type ForgedRun, forgedCase } from "./forged-run.ts";

/** A log that shows one thing wrong. */
export interface ForgedLog {
  code: string;
  what: string;
  /** What the same thing breaks besides, as `dimension code`. */
  also?: readonly string[];
  /** Absent: the clean one. */
  run?: () => ForgedRun;
  change?: (run: ForgedRun) => unknown;
  /** Members that replace those of the plain case. */
  case?: Record<string, unknown>;
  facts?: Partial<LoadedAgentCase>;
}

/** Tests that every log yields its code and no other but those it names, and that together they yield all of them. */
export function eachYields(dimension: Dimension, codes: string, logs: readonly ForgedLog[]): void {
  test.each(logs)("$code: $what", async (log) => {
    const run = forge(log);
    for (const [n, line] of run.lines().entries())
      expect(readEvent(line, n + 1, undefined), line).toMatchObject({ kind: "event" });

    const report = await grade(run, log.case, log.facts);

    const wrong = report.failures.map((failure) => `${failure.dimension} ${failure.code}`);
    expect(wrong.toSorted()).toEqual([`${dimension} ${log.code}`, ...(log.also ?? [])].toSorted());
    expect(report).toMatchObject({ status: "fail", pass: false, no_verdict: null });
    const failed = Object.entries(report.scores).filter(([, score]) => score?.status === "fail");
    expect(failed.map(([name, score]) => `${name} ${score?.pass}`).toSorted()).toEqual(
      [...new Set(wrong.map((each) => `${each.split(" ")[0]} false`))].toSorted(),
    );
    const failure = report.failures.find(({ code }) => code === log.code);
    expect(failure?.message).toMatch(/\w+ \w+/);
    if (wrong.length === 1)
      expect(Object.keys(report.quotes)).toHaveLength(Math.min(failure?.events.length ?? 0, 5));
  });

  test("every code of the dimension has such a log", () => {
    expect([...new Set(logs.map(({ code }) => code))].sort()).toEqual(codes.split(" ").sort());
  });
}

/** The grade of a run, for the plain case or a changed one. */
export function grade(
  run: ForgedRun,
  changes: Record<string, unknown> = {},
  facts: Partial<LoadedAgentCase> = {},
): Promise<CaseReport> {
  return gradeRun(run.recorded(), forgedCase(changes, facts), { trial: 1, model: "mock" });
}

/** The checks of one dimension, by name. */
export function findChecks({ scores }: CaseReport, dimension: Dimension) {
  return Object.fromEntries(scores[dimension].checks.map(({ name, ...check }) => [name, check]));
}

function forge({ run = cleanRun, change }: ForgedLog): ForgedRun {
  const forged = run();
  change?.(forged);
  return forged;
}
