import { subjectName } from "../../contract/cell.ts";
import type { FailedCase, Format, ReportView, SubjectView } from "../../contract/format.ts";
import type { Verdict } from "../../contract/result.ts";
import type { Tone } from "../../contract/view.ts";
import { inertJson, visibleText } from "../../shared/text/visible-text.ts";
import { grouped, percent } from "../text/format-numbers.ts";
import { type SarifLevel, type SarifResult, type SarifRule, sarifLog } from "../text/sarif.ts";
import { findRetries, isOpen, retryWords } from "../view/outline.ts";
import { grantedLabel } from "../view/run-facts.ts";
import { cutWords, limitLines, oneLine, textLines } from "../view/wrap-words.ts";

/** What did not pass, for code scanning and editors: one result per case, at the file of the case where that is known. */
export const sarifFormat = { format: "sarif", extension: "sarif", render } satisfies Format;

/** As many as GitHub shows. */
const maxResults = 5000;
const messageLines = 40;
const maxWarnings = 100;
const lineColumns = 1000;

function* render(view: ReportView): Generator<string> {
  const { report, verdict, subjects } = view;
  const open = subjects.filter(isOpen);
  const results: SarifResult[] = [];
  const notes: { level: "note" | "warning"; text: string }[] = [
    {
      level: verdict.state === "passed" ? "note" : "warning",
      text: lines([verdict.words, ...verdict.reasons]),
    },
  ];
  notes.push(...runNotes(view));
  let more = 0;
  for (const subject of open) {
    const failures = view.failures(subject, Math.max(0, maxResults - results.length));
    for (const failure of failures.cases) results.push(...sarifResults(failure, subject, view));
    more += failures.more;
  }
  notes.push(...retryNotes(view));
  for (const warning of report.warnings.slice(0, maxWarnings))
    notes.push({ level: "warning", text: lines(textLines(warning)) });
  if (more > 0)
    notes.push({
      level: "warning",
      text: `${grouped(more)} more ${more === 1 ? "case" : "cases"} did not pass: see the JSON report`,
    });
  const log = sarifLog({
    tool: oneLine(report.run.command),
    version: oneLine(report.tool.version),
    rules: collectRules(results, open),
    results,
    notes,
  });
  yield `${inertJson(log, 2)}\n`;
}

/** What was not tested, and what a person granted. */
function runNotes({ skipped, quarantined, facts }: ReportView): { level: "note"; text: string }[] {
  const granted = facts.filter(({ label }) => label === grantedLabel);
  return [
    ...skipped.map((line) => `skipped: ${line}`),
    ...quarantined.map((line) => `in quarantine: ${line}`),
    ...granted.map(({ value }) => `granted: ${value}`),
  ].map((text) => ({ level: "note", text: lines([text]) }));
}

function retryNotes(view: ReportView): { level: "note"; text: string }[] {
  return [...findRetries(view)].map(([subject, retries]) => ({
    level: "note",
    text: oneLine(`${subject.name}: ${retriedWords(subject)}${retryWords(retries, subject)}`),
  }));
}

function retriedWords({ subject: { metrics } }: SubjectView): string {
  const share = metrics.retriedRate?.value ?? null;
  return share === null ? "" : `${percent(share)} retried; `;
}

const levels: Record<Verdict, SarifLevel> = {
  pass: "note",
  fail: "error",
  error: "error",
  timeout: "error",
  invalid: "warning",
};

/** The status is not part of its identity, so that a case stays the same alert in the next run. */
function sarifResult(failure: FailedCase, { subject }: SubjectView, { options }: ReportView): SarifResult {
  const { caseId, title, status, words, reason, cell, counts } = failure;
  const { level, suite, skillId, model, arm, owner } = subject;
  const name = subjectName(subject);
  const shown = title === null ? "" : `, ${cutWords(oneLine(title), 120)}`;
  return {
    ruleId: `${level}/${status}`,
    level: levels[status],
    message: lines([`${caseId} of ${name}${shown}: ${words}`, reason]),
    file: options.fileOf?.(cell),
    logical: { name: visibleText(suite), fullyQualifiedName: visibleText(`${suite}/${name}/${caseId}`) },
    identity: [level, suite, name, caseId],
    properties: {
      ...visibleMembers({ level, suite, subject: name, skillId, model, arm, caseId, cause: cell.cause }),
      ...(owner !== undefined && visibleMembers({ owner })),
      counts,
    },
  };
}

const toneLevels: Record<Tone, SarifLevel> = { bad: "error", warn: "warning", muted: "note", good: "note" };

/** One for each place that is wrong, where that is known; else one for the case. */
function sarifResults(failure: FailedCase, subject: SubjectView, view: ReportView): SarifResult[] {
  const result = sarifResult(failure, subject, view);
  const findings = view.findings(failure.cell);
  const isExplained = failure.status === "fail" && findings.length > 0;
  const marks = findings.map(({ rule, severity, tone, file, line, column, message, fix }) => ({
    ...result,
    ruleId: rule,
    level: toneLevels[tone],
    message: lines([`${subject.name}: ${message}`, fix]),
    ...{ file, line, column },
    identity: [...result.identity, rule, file, message],
    properties: { ...result.properties, severity },
  }));
  return isExplained ? marks : [result, ...marks];
}

/** Plain text with the lines it has. Viewers make links of brackets before parentheses, so those are separated. */
function lines(parts: readonly string[]): string {
  return limitLines(
    parts.filter((part) => part !== "").flatMap((part) => textLines(part)),
    messageLines,
  )
    .map((line) => cutWords(line, lineColumns).replaceAll("](", "] ("))
    .join("\n");
}

function visibleMembers(members: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(members).map(([name, text]) => [name, text === null ? null : visibleText(text)]),
  );
}

/** The rules that results name, described in the words of their level. */
function collectRules(results: readonly SarifResult[], subjects: readonly SubjectView[]): SarifRule[] {
  const found = new Set(results.map(({ ruleId }) => ruleId));
  const named = new Map<string, SarifRule>();
  for (const { ruleId: id, level } of results)
    if (!id.includes("/")) named.set(id, { id, message: `breaks the rule ${id}`, help: ruleHelp, level });
  const nouns = new Map(subjects.map(({ level }) => [level.name, level.nouns.case[0]]));
  const byStatus = [...nouns].flatMap(([level, noun]) =>
    (Object.keys(meanings) as (keyof typeof meanings)[])
      .filter((status) => found.has(`${level}/${status}`))
      .map((status) => ({
        id: `${level}/${status}`,
        message: `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} ${meanings[status].message}`,
        help: meanings[status].help,
        level: levels[status],
      })),
  );
  return [...byStatus, ...named.values()];
}

const ruleHelp = "Fix what the message names, then run the evaluation again.";

const meanings = {
  fail: {
    message: "did not pass",
    help: "Compare what was expected with what came; `eval-skills report show` shows both.",
  },
  error: {
    message: "ended with an error before it could be scored",
    help: "Fix what the message names, then run the evaluation again.",
  },
  timeout: {
    message: "timed out",
    help: "Find out what takes so long, or allow it more time.",
  },
  invalid: {
    message: "has no verdict",
    help: "Something other than the skill failed: fix what the message names, then run the evaluation again.",
  },
} satisfies Partial<Record<Verdict, { message: string; help: string }>>;
