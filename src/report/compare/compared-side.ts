import { subjectName } from "../../contract/cell.ts";
import type { ComparedSubject } from "../../contract/diff.ts";
import type { ReportDocument, SubjectReport } from "../../contract/document.ts";
import type { CellReader } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import { parseCell } from "../../contract/result.ts";

/** How often one case was tried in one report, and how often it passed. */
export interface TriedTask {
  taskId: string;
  /** Identifies the content: other content is another case. */
  content: string;
  /** Trials with a verdict, and those among them that passed. */
  valid: number;
  passed: number;
  /** Effective trials, where they differ from the count. */
  worth?: number | undefined;
  /** As people know it, where the id says little. */
  title?: string | undefined;
}

/** One subject of one report, ready to be compared: its cases, and the figures that are shown. */
export interface ComparedSide {
  subject: ComparedSubject;
  level: Level;
  /** Decided by a script or a rule, so every trial gives the same result. */
  isScripted: boolean;
  tasks: readonly TriedTask[];
  figures: Readonly<Record<string, number | null>>;
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
  const { suite, skillId, model, arm, metrics, details } = subject;
  // The arm is named beside it.
  const name = skillId ?? model ?? arm ?? "-";
  const isScripted = details.isScripted === true;
  // The latency of a script that replaces a model says nothing about skills.
  const isTimed = skillId !== null || !isScripted;
  const compared = level.metrics.filter(({ isCompared, unit }) => isCompared && (isTimed || unit !== "ms"));
  return {
    subject: { level: level.name, suite, skillId, model, arm, name, nouns: level.nouns },
    level,
    isScripted,
    tasks: triedTasks(subject, level, cells, { titles, isScripted }),
    figures: Object.fromEntries(
      compared.flatMap(({ name: metric }) =>
        metrics[metric] === undefined ? [] : [[metric, metrics[metric].value]],
      ),
    ),
  };
}

function triedTasks(
  { level: levelName, suite, ...subject }: SubjectReport,
  { quorum = 0 }: Level,
  cells: CellReader,
  { titles, isScripted }: { titles: ReadonlyMap<string, string>; isScripted: boolean },
): TriedTask[] {
  const found = new Map<string, TriedTask & { tried: number }>();
  for (const text of cells({ level: levelName, suite, subject: subjectName(subject) })) {
    const { caseId, caseDigest, status } = parseCell(text);
    const key = JSON.stringify([caseId, caseDigest]);
    // Cases that all subjects share are listed under no skill.
    const skillTitle = (skillId: string | null) =>
      titles.get(JSON.stringify([levelName, suite, skillId, caseId]));
    const task = found.get(key) ?? {
      taskId: caseId,
      content: caseDigest,
      valid: 0,
      passed: 0,
      tried: 0,
      // Scripted results do not vary, so one run is enough.
      ...(isScripted && { worth: Number.POSITIVE_INFINITY }),
      title: skillTitle(subject.skillId) ?? skillTitle(null),
    };
    found.set(key, task);
    task.tried++;
    if (status !== "invalid") task.valid++;
    if (status === "pass") task.passed++;
  }
  return [...found.values()].map(({ tried, ...task }) =>
    task.valid < Math.ceil(quorum * tried - rounding) ? { ...task, valid: 0, passed: 0 } : task,
  );
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
