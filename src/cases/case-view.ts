import {
  type AgentDetails,
  agentDetails,
  asJson,
  detailsIn,
  type RunEvent,
  toCaseReport,
} from "../contract/agent-details.ts";
import type { SubjectReport } from "../contract/document.ts";
import { levelSettings } from "../contract/level-settings.ts";
import type { CellResult } from "../contract/result.ts";
import type { Block, CaseVerdict, Column, Fact, LevelView, Tally, TimelineEvent } from "../contract/view.ts";
import { leftOutWords } from "../report/timeline/fit-events.ts";
import { shellWord } from "../shared/text/command-line.ts";
import { namedFailures, ungradedReport } from "./case-score.ts";
import { idleScores } from "./grade/dimension.ts";
import { checkBlocks, failureBlocks, runFacts } from "./view/case-blocks.ts";
import { type DimensionName, dimensionEnds, logLines } from "./view/case-words.ts";

/** The results of the trials of one case, as a subject stores them. */
export interface CaseRow {
  caseId: string;
  /** Null where no trial has a verdict. */
  pass: boolean | null;
  trials: number;
  verdicts: number;
  passed: number;
  passRate: number | null;
  minPassRate: number;
}

/** The results of every case of a subject; empty where a foreign report lacks them. */
export function readRows({ details }: Pick<SubjectReport, "details">): readonly CaseRow[] {
  return Array.isArray(details.cases) ? (details.cases as unknown as CaseRow[]) : [];
}

const ungraded = ungradedReport({ suite: "", case_id: "", level: "L1", trial: 1, model: "", grader: "" });
const unknownDetails = agentDetails({ ...ungraded, scores: idleScores() }, null);

/** The details of a cell; what a foreign report lacks is nothing. */
export function knownDetails(cell: Pick<CellResult, "details">): AgentDetails {
  return { ...unknownDetails, ...detailsIn(cell) };
}

/** What agents and conversations are shown by alike: a case passes by its trials, and a model without skills is only there to compare with. */
export const caseView = {
  tally,
  isReference: ({ arm }) => arm === "absent",
  startsNothing: ({ run }) => levelSettings(run, "agent").isolation === null,
  caseVerdicts,
  explainsDifference: true,
  command: replayCommand,
  skipReasons: {
    class: "their class was not chosen with --class",
  },
} satisfies LevelView;

function tally({ counts, ...subject }: SubjectReport): Tally {
  const noun = ["case", "cases"] as const;
  const rows = readRows(subject);
  if (rows.length === 0)
    return { passed: counts.pass, failed: counts.total - counts.pass, unknown: counts.invalid, noun };
  const ended = rows.map(rowStatus);
  const count = (status: CaseVerdict["status"]) => ended.filter((one) => one === status).length;
  return { passed: count("pass"), failed: count("fail"), unknown: count("invalid"), noun };
}

/** A case that passed has no verdict all the same where trials of it lack theirs. */
function rowStatus({ pass, verdicts, trials }: CaseRow): "pass" | "fail" | "invalid" {
  if (pass === false) return "fail";
  return pass === true && verdicts === trials ? "pass" : "invalid";
}

function caseVerdicts(subject: SubjectReport): Map<string, CaseVerdict> {
  return new Map(
    readRows(subject).map((row) => {
      const words = rowWords(row);
      return [row.caseId, { status: rowStatus(row), ...(words !== null && { words }) }];
    }),
  );
}

/** Where its cells do not say it all: `failed: 2 of 4 trials passed, 66% required`. */
function rowWords(row: CaseRow): string | null {
  const { pass, verdicts, trials, passed, minPassRate } = row;
  if (trials === 1 || pass === null) return null;
  const unknown = trials - verdicts;
  const required = minPassRate === 1 ? "" : `, ${shareWords(minPassRate)} required`;
  const missing = unknown === 0 ? "" : `, ${unknown} without a verdict`;
  if (pass) return passed === trials ? null : `passed in ${passed} of ${trials} trials${missing}${required}`;
  return required + missing === ""
    ? null
    : `failed: ${passed} of ${trials} trials passed${missing}${required}`;
}

/** A rate that somebody chose, as short as it is: `66%`. */
export function shareWords(rate: number): string {
  return `${Number((rate * 100).toFixed(1))}%`;
}

const dimensionLabel = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** What cells of both levels have besides their own dimensions. */
export function caseColumns(dimensions: readonly DimensionName[]): Column[] {
  const stat = (id: string, label: string, value: Column["value"], isHidden = false): Column => ({
    ...{ id, label, unit: "count", value },
    ...(isHidden && { isHidden }),
  });
  const hidden = (id: string, label: string, value: Column["value"]): Column => ({
    ...{ id, label, value },
    isHidden: true,
  });
  const details = knownDetails;
  return [
    { id: "class", label: "Class", isFilter: true, value: (cell) => detailsIn(cell)?.caseClass ?? null },
    ...dimensions.map(
      (name): Column => ({
        id: name,
        label: dimensionLabel(name),
        isFilter: true,
        value: (cell) => dimensionSign(cell, name),
        tone: (value) => Object.values(dimensionEnds).find(({ sign }) => sign === value)?.tone,
      }),
    ),
    stat("turns", "Turns", (cell) => details(cell).stats.turns),
    stat("toolCalls", "Tool calls", (cell) => details(cell).stats.toolCalls),
    stat("modelCalls", "Model calls", (cell) => details(cell).stats.modelCalls, true),
    {
      id: "stopReason",
      label: "Ended with",
      isFilter: true,
      value: (cell) => details(cell).stats.stopReason,
    },
    hidden("failures", "Failures", (cell) =>
      details(cell)
        .failures.map(({ dimension, code }) => `${dimension} ${code}`)
        .join("; "),
    ),
    hidden("notExercised", "Not exercised", (cell) => details(cell).notExercised.join("; ")),
    stat("inputTokens", "Input tokens", (cell) => details(cell).tallies.inputTokens, true),
    stat("outputTokens", "Output tokens", (cell) => details(cell).tallies.outputTokens, true),
  ];
}

/** The sign of one dimension; null where it does not concern the case. */
function dimensionSign(cell: CellResult, name: DimensionName): string | null {
  const status = knownDetails(cell).scores[name]?.status;
  return status === undefined || status === "not_applicable" ? null : dimensionEnds[status].sign;
}

/** Why a cell is what it is, around what happened in it. */
export function explainCase(
  cell: CellResult,
  timeline: readonly TimelineEvent[],
  more: readonly Fact[],
): Block[] {
  const report = toCaseReport({ ...cell, details: asJson(knownDetails(cell)) });
  const { runDir } = knownDetails(cell);
  const left = leftOutWords(timeline);
  const facts: Fact[] = [
    ...more,
    ...runFacts(report),
    ...(runDir === null
      ? []
      : [
          { label: "Run directory", value: runDir },
          { label: "Replay with", value: replayCommand(cell) },
        ]),
  ];
  return [
    ...failureBlocks(report, { named: namedFailures, hasTimeline: timeline.length > 0 }),
    ...(timeline.length === 0
      ? []
      : [
          {
            ...{ kind: "timeline" as const, title: "Transcript", events: timeline },
            ...(left !== null && { note: `Left out: ${left}. ${wholeWords(cell)}` }),
          } satisfies Block,
        ]),
    ...checkBlocks(report, "open"),
    ...(facts.length === 0 ? [] : [{ kind: "facts", title: "Run", facts } satisfies Block]),
  ];
}

/** How to see all of a transcript. A conversation is stored whole. */
function wholeWords(cell: CellResult): string {
  const command =
    replayCommand(cell) ?? `eval-skills report show <file> --case ${shellWord(cell.caseId)} --json`;
  return `All of it: ${command}${replayCommand(cell) === null ? "" : " --full"}`;
}

/** How to look at the run of a cell; null where it has no directory. */
function replayCommand(cell: CellResult): string | null {
  const { runDir } = knownDetails(cell);
  return runDir === null ? null : `eval-skills agent replay ${shellWord(runDir)}`;
}

/** Events that a failure names are highlighted. */
export function markFailures(cell: CellResult, events: readonly RunEvent[]): TimelineEvent[] {
  const lines = new Set(knownDetails(cell).failures.flatMap(logLines));
  return events.map(({ line, tone, ...event }) => {
    const shown = lines.has(line) ? "bad" : tone;
    return { ...event, ...(shown !== undefined && { tone: shown }) };
  });
}
