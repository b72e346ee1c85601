import { subjectName } from "../../contract/cell.ts";
import type { ComparedSubject } from "../../contract/diff.ts";
import type { ReportDocument, SubjectReport } from "../../contract/document.ts";
import type { CellReader } from "../../contract/format.ts";
import type { Level, Metric } from "../../contract/level.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";

/** What is known of one case in one report. */
export interface TriedTask {
  taskId: string;
  /** Identifies the content: other content is another case. */
  content: string;
  tried: number;
  /** Whether the report left it out of its figures. */
  isQuarantined?: boolean;
  /** Trials with a verdict, and those among them that passed, or had no answer. */
  valid: number;
  passed: number;
  errors: number;
  /** Effective trials, where they differ from the count. */
  worth?: number | undefined;
  /** As people know it, where the id says little. */
  title?: string | undefined;
  /** Of trials with an answer, and of all with a verdict. */
  answeredMs: number[];
  allMs: number[];
  /** Sums over the trials with a verdict; null where one of them does not say. */
  costUsd: number | null;
  tokens: number | null;
  /** Of what the level counts besides, by metric: how often it was there, among how many trials. */
  own: Record<string, { hits: number; trials: number }>;
}

/** One subject of one report, ready to be compared: its cases, and its figures over all of them. */
export interface ComparedSide {
  subject: ComparedSubject;
  level: Level;
  /** Decided by a script or a rule, so every trial gives the same result. */
  isScripted: boolean;
  /** Whether its latency and cost are those of what is tested, and not of a script in place of a model. */
  isTimed: boolean;
  tasks: readonly TriedTask[];
  figures: Readonly<Record<string, number | null>>;
  details: SubjectReport["details"];
  /** Cells that the subject counts and the file does not have. */
  missingCells: number;
}

/** The subjects of a report. A baseline belongs to its own report and is never compared. */
export function comparedSides(
  report: ReportDocument,
  cells: CellReader,
  levels: readonly Level[],
): ComparedSide[] {
  const titles = caseTitles(report, levels);
  return report.subjects.flatMap((subject) => {
    const level = levels.find(({ name }) => name === subject.level);
    return level === undefined || subject.arm === "absent" ? [] : [makeSide(subject, level, cells, titles)];
  });
}

function makeSide(
  subject: SubjectReport,
  level: Level,
  cells: CellReader,
  titles: ReadonlyMap<string, string>,
): ComparedSide {
  const { suite, skillId, model, arm, metrics, details, counts } = subject;
  // The arm is named beside it.
  const name = skillId ?? model ?? arm ?? "-";
  const isScripted = details.isScripted === true;
  const { tasks, count } = triedTasks(subject, level, cells, { titles, isScripted });
  return {
    subject: { level: level.name, suite, skillId, model, arm, name, nouns: level.nouns },
    level,
    isScripted,
    isTimed: skillId !== null || !isScripted,
    tasks,
    figures: Object.fromEntries(Object.entries(metrics).map(([metric, { value }]) => [metric, value])),
    details,
    missingCells: counts.total + counts.invalid - count,
  };
}

function triedTasks(
  { level: levelName, suite, ...subject }: SubjectReport,
  { quorum = 0, metrics }: Level,
  cells: CellReader,
  { titles, isScripted }: { titles: ReadonlyMap<string, string>; isScripted: boolean },
): { tasks: TriedTask[]; count: number } {
  const counted = metrics.filter(({ hit }) => hit !== undefined);
  const found = new Map<string, TriedTask>();
  let count = 0;
  for (const text of cells({ level: levelName, suite, subject: subjectName(subject) })) {
    const cell = parseCell(text);
    const { caseId, caseDigest } = cell;
    const key = JSON.stringify([caseId, caseDigest]);
    // Cases that all subjects share are listed under no skill.
    const skillTitle = (skillId: string | null) =>
      titles.get(JSON.stringify([levelName, suite, skillId, caseId]));
    const task = found.get(key) ?? {
      ...untried(caseId, caseDigest),
      // Scripted results do not vary, so one run is enough.
      ...(isScripted && { worth: Number.POSITIVE_INFINITY }),
      title: skillTitle(subject.skillId) ?? skillTitle(null),
    };
    found.set(key, task);
    task.tried++;
    if (cell.quarantine === undefined) count++;
    else task.isQuarantined = true;
    if (cell.status !== "invalid") addTrial(task, cell, counted);
  }
  const tasks = [...found.values()].map((task) => {
    const { taskId, content, tried, worth, title } = task;
    const isEnough = task.valid >= Math.ceil(quorum * tried - rounding);
    const kept = task.isQuarantined === true ? { isQuarantined: true } : {};
    return isEnough ? task : { ...untried(taskId, content), ...kept, tried, worth, title };
  });
  return { tasks, count };
}

function untried(taskId: string, content: string): TriedTask {
  const none = { tried: 0, valid: 0, passed: 0, errors: 0, answeredMs: [], allMs: [], own: {} };
  return { ...none, taskId, content, costUsd: 0, tokens: 0 };
}

function addTrial(task: TriedTask, cell: CellResult, counted: readonly Metric[]): void {
  const { status, latencyMs, costUsd, usage } = cell;
  task.valid++;
  if (status === "pass") task.passed++;
  if (status === "error" || status === "timeout") task.errors++;
  else if (latencyMs !== null) task.answeredMs.push(latencyMs);
  if (latencyMs !== null) task.allMs.push(latencyMs);
  task.costUsd = sumKnown(task.costUsd, costUsd ?? usage?.costUsd ?? null);
  task.tokens = sumKnown(task.tokens, tokensIn(usage));
  for (const { name, hit } of counted) {
    const isHit = hit?.(cell) ?? null;
    if (isHit === null) continue;
    const { hits, trials } = task.own[name] ?? { hits: 0, trials: 0 };
    task.own[name] = { hits: hits + Number(isHit), trials: trials + 1 };
  }
}

function tokensIn(usage: CellResult["usage"]): number | null {
  if (usage === null) return null;
  return usage.totalTokens ?? sumKnown(usage.promptTokens, usage.completionTokens);
}

function sumKnown(sum: number | null, value: number | null): number | null {
  return sum === null || value === null ? null : sum + value;
}

/** In floating point, 0.8 · 15 is slightly more than 12. */
const rounding = 1e-9;

/** The text of cases whose ids say little, by level, suite, skill and id. */
function caseTitles({ cases }: ReportDocument, levels: readonly Level[]): Map<string, string> {
  const titled = new Map(levels.map(({ name, caseTitle }) => [name, caseTitle]));
  return new Map(
    cases.flatMap((one) => {
      const title = titled.get(one.level)?.(one) ?? null;
      return title === null ? [] : [[JSON.stringify([one.level, one.suite, one.skillId, one.id]), title]];
    }),
  );
}
