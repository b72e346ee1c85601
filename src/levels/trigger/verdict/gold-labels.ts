import * as z from "zod";
import type { Calibration } from "../../../contract/cache.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { cohensKappa, type Readings } from "../../../shared/statistics/compare-counts.ts";
import { bootstrap } from "../../../shared/statistics/intervals.ts";
import { UserError } from "../../../shared/user-error.ts";

const longestQuery = 4000;
const minLabels = 30;
const maxLabels = 10_000;

const GoldLine = z.object({
  skill: z.string().trim().min(1),
  query: z
    .string()
    .transform((text) => text.trim().normalize("NFC"))
    .refine((text) => text !== "", "must not be empty")
    .refine((text) => text.length <= longestQuery, `must have at most ${longestQuery} characters`),
  label: z.enum(["yes", "no"]),
});

/** What a person said: whether this request should load this skill. */
export interface GoldLabel {
  skill: string;
  query: string;
  label: "yes" | "no";
  /** Where it stands in the file, from 1. */
  line: number;
}

/** Reads gold labels, one JSON object a line: enough of them, of both classes, each query of a skill once. */
export function readGold(text: string, file: string): GoldLabel[] {
  const labels: GoldLabel[] = [];
  const lines = new Map<string, number>();
  for (const { written, line } of linesOf(text, file)) {
    const gold = { ...readLine(written, file, line), line };
    const name = JSON.stringify([gold.skill, gold.query]);
    const before = lines.get(name);
    if (before !== undefined) throw refused(file, `line ${line} repeats the query of line ${before}`);
    lines.set(name, line);
    labels.push(gold);
  }
  checkEnough(labels, file);
  return labels;
}

function linesOf(text: string, file: string): { written: string; line: number }[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((written, index) => ({ written, line: index + 1 }))
    .filter(({ written }) => written.trim() !== "");
  if (lines.length > maxLabels) throw refused(file, `has more than ${maxLabels} labels`);
  return lines;
}

function readLine(written: string, file: string, line: number): z.infer<typeof GoldLine> {
  const parsed = parseStrictJson(written);
  if (!parsed.ok) throw refused(file, `line ${line} is not valid JSON: ${parsed.problem}`);
  const read = GoldLine.safeParse(parsed.value);
  if (read.success) return read.data;
  throw refused(file, `line ${line}: ${zodProblem(read.error, parsed.value).message}`);
}

function checkEnough(labels: readonly GoldLabel[], file: string): void {
  if (labels.length < minLabels)
    throw refused(file, `has ${labels.length} of the ${minLabels} labels that a calibration needs`);
  for (const wanted of ["yes", "no"] as const)
    if (labels.every(({ label }) => label !== wanted))
      throw refused(file, `has no label "${wanted}": a judge is calibrated on both`);
}

function refused(file: string, problem: string): UserError {
  return new UserError("suite-invalid", `${file} ${problem}`, {
    path: file,
    hint: 'one {"skill": "…", "query": "…", "label": "yes" or "no"} a line',
  });
}

/** What people said about a query, and what the judge did; null where it gave no usable answer. */
export interface LabelledAnswer {
  label: GoldLabel["label"];
  answer: "yes" | "no" | null;
}

type CalibrationFigures = Pick<
  Calibration,
  "labels" | "unanswered" | "agreement" | "kappa" | "interval" | "seed"
>;

/** How far a judge agrees with people. Labels it did not answer are counted apart: they are neither right nor wrong. */
export function calibrationFigures(pairs: readonly LabelledAnswer[], seed: number): CalibrationFigures {
  const cells = pairs.flatMap(({ label, answer }) => (answer === null ? [] : [cellOf(label, answer)]));
  const readings = count(cells);
  const kappa = cohensKappa(readings);
  return {
    labels: pairs.length,
    unanswered: pairs.length - cells.length,
    agreement: cells.length === 0 ? null : (readings.bothYes + readings.bothNo) / cells.length,
    kappa,
    interval: kappa === null ? null : bootstrap(cells.length, (drawn) => kappaOf(drawn, cells), seed),
    seed,
  };
}

function cellOf(label: "yes" | "no", answer: "yes" | "no"): keyof Readings {
  if (label === answer) return label === "yes" ? "bothYes" : "bothNo";
  return label === "yes" ? "onlyFirst" : "onlySecond";
}

function count(cells: Iterable<keyof Readings>): Readings {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const cell of cells) readings[cell]++;
  return readings;
}

/** A resample of one class alone shows no agreement beyond chance: it counts as none, so that few labels of a class stay few. */
function kappaOf(drawn: Uint32Array, cells: readonly (keyof Readings)[]): number {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const place of drawn) readings[cells[place] as keyof Readings]++;
  return cohensKappa(readings) ?? 0;
}
