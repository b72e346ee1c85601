import { ReportFile, type SubjectReport } from "../src/contract/document.ts";
import type { CellResult } from "../src/contract/result.ts";

export interface ReportOfSkill extends SubjectReport {
  /** The value of every metric. */
  figures: Record<string, number | null>;
  cells: CellResult[];
}

/** What a document says about one skill at one level, with its cells; the document has to be as it is specified. */
export function skillReport(document: unknown, skillId: string, level = "unit"): ReportOfSkill {
  const { subjects, cells } = ReportFile.parse(document);
  const isMeant = (one: { skillId: string | null; level: string }) =>
    one.skillId === skillId && one.level === level;
  const [subject, ...others] = subjects.filter(isMeant);
  if (subject === undefined || others.length > 0) {
    const known = subjects.map((one) => `${one.skillId} (${one.level})`).join(", ");
    throw new Error(`${skillId} (${level}) is not one of the subjects, each of them once: ${known}`);
  }
  const figures = Object.entries(subject.metrics).map(([name, { value }]) => [name, value]);
  return { ...subject, figures: Object.fromEntries(figures), cells: cells.filter(isMeant) };
}
