import { subjectName } from "../../contract/cell.ts";
import type { FailedCase, ReportView, RetriedCell, SubjectView } from "../../contract/format.ts";
import type { Fact } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { grouped } from "../text/format-numbers.ts";
import { diffJson } from "./diff-json.ts";
import { isStatedIn } from "./text-blocks.ts";
import { countWords } from "./verdict-words.ts";

/** Subjects of one suite; of one level where each of its suites has one subject only. */
export interface SubjectGroup {
  /** `unit · coding-easy · 20 tasks × 3 trials`. */
  head: string;
  subjects: { view: SubjectView; name: string }[];
}

/** These subjects in the order they came in, those of a suite together, each with the name it has there. */
export function groupSubjects(view: ReportView, subjects: readonly SubjectView[]): SubjectGroup[] {
  const groups = groupedBy(subjects, ({ subject: { level, suite } }) =>
    JSON.stringify(isOneEach(view, level) ? [level] : [level, suite]),
  );
  return [...groups.values()].map((members) => makeGroup(view, members));
}

/** Whether a level has several suites with one subject each: then a suite is a line, not a table. */
function isOneEach({ report, subjects }: ReportView, level: string): boolean {
  const suites = report.suites.filter((suite) => suite.level === level);
  return (
    suites.length > 1 && subjects.filter(({ subject }) => subject.level === level).length === suites.length
  );
}

function makeGroup(view: ReportView, members: readonly SubjectView[]): SubjectGroup {
  const [first] = members;
  const { level, suite } = first?.subject ?? { level: "", suite: "" };
  const suites = view.report.suites.filter((one) => one.level === level);
  const own = isOneEach(view, level) ? suites : suites.filter(({ id }) => id === suite);
  const cases = own.reduce((sum, one) => sum + one.cases, 0);
  const trials = Math.max(1, ...members.map(({ subject }) => subject.trials));
  const [noun, nouns] = first?.level.nouns.case ?? ["case", "cases"];
  const count = `${grouped(cases)} ${cases === 1 ? noun : nouns}`;
  const size = trials === 1 ? count : `${count} × ${pluralize(trials, "trial")}`;
  const isMerged = own.length > 1;
  const names = new Set(members.map(({ shortName }) => shortName));
  const [only = ""] = names;
  const isShared = isMerged && names.size === 1;
  // Of skills with one suite each, the name alone says which it is.
  const all = view.subjects.filter(({ subject }) => subject.level === level);
  const isNamed = new Set(all.map(({ shortName }) => shortName)).size === all.length;
  const what = isMerged ? pluralize(own.length, "suite") : suite;
  return {
    head: [level, ...(isShared ? [only] : []), what, size].join(" · "),
    subjects: members.map((one) => {
      const { shortName } = one;
      return {
        view: one,
        name:
          !isMerged || isNamed
            ? shortName
            : isShared
              ? one.subject.suite
              : `${one.subject.suite} · ${shortName}`,
      };
    }),
  };
}

/** The figures that at least one of these subjects has, an example of each: a column of nothing but dashes says nothing. */
export function knownFigures(subjects: readonly SubjectView[]): Fact[] {
  const facts = subjects.flatMap((one) => one.facts);
  const labels = [...new Set(facts.map(({ label }) => label))];
  return labels.flatMap((label) => facts.find((fact) => fact.label === label && fact.value !== null) ?? []);
}

/** Whether something in a subject did not pass, or nobody knows. */
export function isOpen({ state }: SubjectView): boolean {
  return state === "failed" || state === "unknown";
}

/** What a subject came to, in the fewest words: `3 of 60 failed`, `60 passed`, `60 passed, gate failed`. */
export function tallyWords({ tally: { noun: _, ...tally }, state, ...view }: SubjectView): string {
  const words = countWords([{ ...view, state: "passed", tally }]).replace(/^all /, "");
  if (tally.passed === 0 || tally.failed > 0) return words;
  if (state === "failed") return `${words}, gate failed`;
  return state === "unknown" && tally.unknown === 0 ? `${words}, gate undecided` : words;
}

/** What of a subject is not shown: `12 more failed tasks`. */
export function moreWords(more: number, { tally, level }: SubjectView): string {
  const noun = level.nouns.case[more === 1 ? 0 : 1];
  return tally.unknown === 0
    ? `${grouped(more)} more failed ${noun}`
    : `${grouped(more)} more ${noun} that did not pass`;
}

/** How often and why a case did not pass. */
export function caseWords({ words, reason }: Pick<FailedCase, "words" | "reason">): string {
  return reason === "" ? words : `${words}: ${reason}`;
}

/** Cases of one cause have the same key: where something broke, it often broke in all of them; each answer that was wrong is wrong in its own way. */
export function sameCause({ caseId, status, words, reason, blocks }: FailedCase): string {
  const isAlone = status === "fail" || reason === "" || blocks.length > 0;
  return JSON.stringify(isAlone ? [caseId] : [status, words, reason]);
}

/** Whether the differences between two values say more than the reason does. */
export function isInformative(
  { expected, actual }: { expected: Json; actual: Json },
  reason: string,
): boolean {
  const all = diffJson(expected, actual);
  // The differences of two records without a common member are not informative.
  const isApart = all.length > 0 && isRecord(expected) && isRecord(actual) && !haveCommon(expected, actual);
  return !isApart && !all.every(isStatedIn(reason));
}

function haveCommon(expected: Record<string, Json>, actual: Record<string, Json>): boolean {
  return Object.keys(expected).some((name) => Object.hasOwn(actual, name));
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const listedRetries = 5;

/** Cells of a subject that passed on a retry, by attempt. */
export type Retries = Map<number, { count: number; first: RetriedCell[] }>;

/** The retries of every subject that has any. Cells of subjects whose figures say that there are none are not read. */
export function findRetries(view: ReportView): Map<SubjectView, Retries> {
  const found = new Map<SubjectView, Retries>();
  for (const one of view.subjects) {
    const retries = mayHaveRetries(one) ? retriesOf(one, view) : new Map();
    if (retries.size > 0) found.set(one, retries);
  }
  return found;
}

/** The figure leaves out what is in quarantine. */
function mayHaveRetries({ subject: { metrics, quarantined } }: SubjectView): boolean {
  return metrics.retriedRate?.value !== 0 || quarantined !== undefined;
}

function retriesOf({ subject }: SubjectView, view: ReportView): Retries {
  const retries: Retries = new Map();
  const { level, suite } = subject;
  for (const { status, caseId, trial, attempts } of view.results({
    level,
    suite,
    subject: subjectName(subject),
  })) {
    const attempt = attempts.length;
    if (status !== "pass" || attempt < 2) continue;
    const same = retries.get(attempt) ?? { count: 0, first: [] };
    same.count++;
    if (same.first.length < listedRetries) same.first.push({ caseId, trial, attempt });
    retries.set(attempt, same);
  }
  return retries;
}

/** `3 passed on attempt 2: coding_003, coding_004 and 1 more`. */
export function retryWords(retries: Retries, { subject }: SubjectView): string {
  return [...retries]
    .sort(([a], [b]) => a - b)
    .map(([attempt, { count, first }]) => {
      const names = first.map(({ caseId, trial }) =>
        subject.trials > 1 ? `${caseId} trial ${trial}` : caseId,
      );
      const more = count - names.length;
      return `${grouped(count)} passed on attempt ${attempt}: ${names.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`;
    })
    .join("; ");
}

// A timestamp in a file name; the copy without one keeps its name from run to run.
const dated = /-\d{4}-\d\d-\d\dT[\d-]+Z(?:-\d+)?(?=\.)/;

/** The files that keep their names from run to run; all of them if none does. */
export function stableFiles({ files }: Pick<ReportView["report"], "files">): string[] {
  const stable = files.filter((file) => !dated.test(file));
  return stable.length > 0 ? stable : [...files];
}

/** Where the report was written, without repeating the common path: `reports/eval-result.{json,md,html}`. */
export function fileWords(report: Pick<ReportView["report"], "files">): string {
  const byStem = new Map<string, string[]>();
  for (const file of stableFiles(report)) {
    const [, stem = file, extension = ""] = /^(.*?[^/\\.][^/\\.]*)(\.[^/\\]*)$/.exec(file) ?? [];
    byStem.set(stem, [...(byStem.get(stem) ?? []), extension]);
  }
  return [...byStem].map(([stem, extensions]) => stem + bracedExtensions(extensions)).join(", ");
}

function bracedExtensions(extensions: readonly string[]): string {
  if (extensions.length < 2) return extensions.join("");
  return `.{${extensions.map((extension) => extension.slice(1)).join(",")}}`;
}

/** The command that shows everything of a report; what to do first where no file can be read back. */
export function showCommand(report: Pick<ReportView["report"], "files">): string {
  const file = stableFiles(report).find((one) => /\.(json|ndjson)$/.test(one));
  if (file === undefined) return "run with --format json, then: eval-skills report show <file>";
  const isPlain = /^[\w@%+=:,./-]+$/.test(file);
  return `eval-skills report show ${isPlain ? file : `'${file.replaceAll("'", "'\\''")}'`}`;
}
