import * as z from "zod";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
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
