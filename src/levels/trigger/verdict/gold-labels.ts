import * as z from "zod";
import type { Calibration } from "../../../contract/cache.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { cohensKappa, type Readings } from "../../../shared/statistics/compare-counts.ts";
import { bootstrap } from "../../../shared/statistics/intervals.ts";
import { UserError } from "../../../shared/user-error.ts";

const maxQueryChars = 4000;
const minLabels = 30;
const maxLabels = 10_000;

const GoldLine = z.object({
  skill: z.string().trim().min(1),
  query: z
    .string()
    .transform((text) => text.trim().normalize("NFC"))
    .refine((text) => text !== "", "must not be empty")
    .refine((text) => text.length <= maxQueryChars, `must have at most ${maxQueryChars} characters`),
  label: z.enum(["yes", "no"]),
});

/** A person's decision whether this request should load this skill. */
export interface GoldLabel {
  skill: string;
  query: string;
  label: "yes" | "no";
  /** In the file, from 1. */
  line: number;
}

/** Reads gold labels, one JSON object a line: enough of them, of both classes, each query of a skill once. */
export function readGold(text: string, file: string): GoldLabel[] {
  const labels: GoldLabel[] = [];
  const lines = new Map<string, number>();
  for (const { written, line } of splitLines(text, file)) {
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

function splitLines(text: string, file: string): { written: string; line: number }[] {
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

/** The gold label of a query and the judge's answer; null where that was unusable. */
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
  const cells = pairs.flatMap(({ label, answer }) => (answer === null ? [] : [agreementCell(label, answer)]));
  const readings = count(cells);
  const kappa = cohensKappa(readings);
  return {
    labels: pairs.length,
    unanswered: pairs.length - cells.length,
    agreement: cells.length === 0 ? null : (readings.bothYes + readings.bothNo) / cells.length,
    kappa,
    interval: kappa === null ? null : bootstrap(cells.length, (drawn) => resampledKappa(drawn, cells), seed),
    seed,
  };
}

function agreementCell(label: "yes" | "no", answer: "yes" | "no"): keyof Readings {
  if (label === answer) return label === "yes" ? "bothYes" : "bothNo";
  return label === "yes" ? "onlyFirst" : "onlySecond";
}

function count(cells: Iterable<keyof Readings>): Readings {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const cell of cells) readings[cell]++;
  return readings;
}

/** Kappa of a resample; 0 if it has only one class, which shows no agreement beyond chance. */
function resampledKappa(drawn: Uint32Array, cells: readonly (keyof Readings)[]): number {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const index of drawn) readings[cells[index] as keyof Readings]++;
  return cohensKappa(readings) ?? 0;
}
