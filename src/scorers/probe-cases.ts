import type { Probing, ProgramProbing, VacuousExpectation } from "../contract/probing.ts";
import type { Json } from "../shared/json/json.ts";
import { within } from "../shared/json/time-limit.ts";
import { listed, pluralize } from "../shared/text/phrases.ts";
import { groupedBy } from "../shared/text/sort-and-group.ts";
import { UserError } from "../shared/user-error.ts";
import {
  defaultProbes,
  judgeProbes,
  type ProbeFinding,
  probeAnswers,
  probeExpectation,
} from "./probe-expectation.ts";

/** An expectation of a case, as it is probed. */
export interface ProbedCase {
  suite: string;
  id: string;
  file: string;
  /** Where its case is in that file. */
  jsonPath: string;
  probing?: Probing | undefined;
  programProbing?: ProgramProbing | undefined;
  /** The right answer, where the case has one: it is a wrong one to the next case. */
  answer?: Json | undefined;
  /** What is asked: cases that ask the same have answers in common. */
  question?: readonly unknown[] | undefined;
  /** Why it may be vacuous. */
  allowVacuous?: string | undefined;
}

export interface ProbeOptions {
  /** What a case of this level is called. */
  noun: string;
  seed: number;
  /** Whether the user allows vacuous expectations. */
  allowVacuous: boolean;
  /** For all of them together: a suite has at most a few hostile patterns. */
  limitMs?: number;
}

export interface ProbedSuite {
  /** The expectations that were allowed although they are vacuous. */
  vacuous: VacuousExpectation[];
  warnings: string[];
}

/**
 * Puts wrong answers to every expectation. One that accepts nearly anything is a `UserError`, before anything runs; one that
 * accepts a single kind of them is a warning.
 */
export async function probeCases(cases: readonly ProbedCase[], options: ProbeOptions): Promise<ProbedSuite> {
  const probes = defaultProbes(options.seed);
  const found: Found[] = [];
  const warnings: string[] = [];
  const others = nextAnswers(cases);
  probeHere(cases, others, { probes, found, warnings, options });
  await probePrograms(cases, others, { probes, found, warnings, options });
  const refused = found.filter(
    ({ finding, one }) =>
      finding.verdict === "vacuous" && !options.allowVacuous && one.allowVacuous === undefined,
  );
  if (refused.length > 0) throw vacuousError(refused, options.noun);
  const vacuous = found
    .filter(({ finding }) => finding.verdict === "vacuous")
    .map(({ one, finding, member }) => ({
      ...{ suite: one.suite, caseId: one.id, jsonPath: `${one.jsonPath}${member}` },
      ...{ accepted: finding.accepted, why: one.allowVacuous ?? null },
    }));
  return { vacuous, warnings: [...warnings, ...weakWarnings(found, options.noun)] };
}

interface Found {
  one: ProbedCase;
  member: string;
  finding: ProbeFinding;
}

interface Finding {
  probes: ReturnType<typeof defaultProbes>;
  found: Found[];
  warnings: string[];
  options: ProbeOptions;
}

const defaultLimitMs = 2000;
const maxOverruns = 3;

/** Probes everything that is asked in this thread, within a limit where patterns may be hostile. */
function probeHere(
  cases: readonly ProbedCase[],
  others: readonly (ProbedCase | undefined)[],
  { probes, found, warnings, options: { noun, limitMs = defaultLimitMs } }: Finding,
): void {
  let at = 0;
  const probeRest = (isLimited: boolean) => {
    for (; at < cases.length; at++) {
      const one = cases[at] as ProbedCase;
      const { probing } = one;
      if (probing === undefined) continue;
      if (probing.mayTakeLong === true && !isLimited) return;
      const other = others[at];
      const finding = probeExpectation(probing, probes, other?.answer);
      if (finding !== null && !isRightAnswer(finding, one, other))
        found.push({ one, member: probing.member, finding });
    }
  };
  probeRest(false);
  for (let overruns = 0; at < cases.length; at++, overruns++) {
    if (within(limitMs, () => probeRest(true)).isInTime) return;
    const { id } = cases[at] as ProbedCase;
    warnings.push(`${noun} ${id}: its expectation could not be probed within ${limitMs} ms`);
    if (overruns < maxOverruns) continue;
    warnings.push(`${pluralize(cases.length - at - 1, noun)} after it were not probed`);
    return;
  }
}

/** Probes expectations that are programs: each program about some of its cases. */
async function probePrograms(
  cases: readonly ProbedCase[],
  others: readonly (ProbedCase | undefined)[],
  { probes, found, warnings, options: { noun } }: Finding,
): Promise<void> {
  const programs = groupedBy(
    cases.flatMap((one, at) =>
      one.programProbing === undefined ? [] : [{ one, probing: one.programProbing, other: others[at] }],
    ),
    ({ probing }) => probing.program,
  );
  for (const group of programs.values()) {
    const tried = group.slice(0, group[0]?.probing.maxCases);
    const problems = new Set<string>();
    for (const { one, probing, other } of tried) {
      const answer = other?.answer;
      const { passed, problem } = await probing.ask(probeAnswers(probes, probing, answer));
      const finding = judgeProbes(probes, probing, answer, passed);
      if (finding !== null && !isRightAnswer(finding, one, other))
        found.push({ one, member: probing.member, finding });
      if (problem !== null) problems.add(problem);
      if (problem !== null && passed.every((one) => one === null)) break;
    }
    const [problem] = problems;
    if (problem !== undefined)
      warnings.push(
        `${noun} ${tried[0]?.one.id}: its scorer breaks on some wrong answers, which makes cells invalid: ${problem}`,
      );
  }
}

const maxLookahead = 8;

/** For each case one of the next cases whose answer is another one. */
function nextAnswers(cases: readonly ProbedCase[]): (ProbedCase | undefined)[] {
  return cases.map(({ probing, programProbing, answer }, at) => {
    if (probing === undefined && programProbing === undefined) return undefined;
    for (let step = 1; step <= Math.min(maxLookahead, cases.length - 1); step++) {
      const next = cases[(at + step) % cases.length];
      if (next?.answer !== undefined && !isSame(next.answer, answer)) return next;
    }
    return undefined;
  });
}

/** Whether a finding rests on the answer of a case that asks the same, which is right then. */
function isRightAnswer(finding: ProbeFinding, one: ProbedCase, other: ProbedCase | undefined): boolean {
  const asksSame = one.question !== undefined && isSame(one.question, other?.question);
  return finding.verdict === "other" && asksSame;
}

function isSame(a: unknown, b: unknown): boolean {
  return (
    a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b))
  );
}

const shownAnswers = 7;
const shownCases = 5;

function vacuousError(refused: readonly Found[], noun: string): UserError {
  const [first, ...more] = refused as [Found, ...Found[]];
  const { one, member, finding } = first;
  const accepted = listed(finding.accepted, shownAnswers);
  const also =
    more.length === 0
      ? ""
      : `; the same in ${pluralize(more.length, `other ${noun}`)}: ${listed(
          more.map((other) => other.one.id),
          shownCases,
        )}`;
  return new UserError("expectation-vacuous", `${noun} ${one.id}: ${finding.reason}: ${accepted}${also}`, {
    path: one.file,
    jsonPath: `${one.jsonPath}${member}`,
    hint: "make it stricter, or allow it with --allow-vacuous or, in the file, `allowVacuous` with the reason",
  });
}

/** Weak expectations in a few lines, those with the same advice together. */
function weakWarnings(found: readonly Found[], noun: string): string[] {
  const weak = found.filter(({ finding }) => finding.verdict !== "vacuous");
  const groups = groupedBy(weak, ({ finding }) => `${finding.verdict} ${finding.reason}`);
  return [...groups.values()].map((group) => {
    const { one, finding } = group[0] as Found;
    const subject = `${noun} ${one.id} accepts ${listed(finding.accepted, 3)}`;
    const what = finding.verdict === "other" ? `${subject}, which answers something else` : subject;
    const also = group.length === 1 ? "" : ` (and ${pluralize(group.length - 1, noun)} more like it)`;
    return `${what}${also}: ${finding.reason}`;
  });
}
