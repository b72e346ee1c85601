import * as z from "zod";
import { diagnosticSeverities, severities } from "../../contract/findings.ts";
import type { CellResult } from "../../contract/result.ts";

/** One thing that `doctor` or `audit` says about a skill. */
export const ContractFinding = z.object({
  check: z.enum(["doctor", "audit"]),
  /** Stable for ever, such as `SKM01` or `AUD121`. */
  rule: z.string(),
  severity: z.enum([...diagnosticSeverities, ...severities]),
  /** Whether it breaks the contract by itself. */
  isBreach: z.boolean(),
  /** Relative to the folder of the skill, `/`-separated; `.` for the folder as a whole. */
  file: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  message: z.string(),
  /** What to do about it. */
  fix: z.string(),
});
export type ContractFinding = z.infer<typeof ContractFinding>;

/** What the checks of one skill came to: the output of its cell. */
export const ContractEvidence = z.object({
  /** Breaches first; of many, the first. */
  findings: z.array(ContractFinding),
  /** How many were found, listed here or not, and how many of them are breaches. */
  counts: z.object({ findings: z.number().int(), breaches: z.number().int() }),
  /** What the audit could not look at; empty where it looked at everything. */
  unexamined: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type ContractEvidence = z.infer<typeof ContractEvidence>;

/** What every cell stores besides, however it ended. */
export const ContractDetails = z.object({
  /** The folder of the skill, as a user would name it. */
  folder: z.string(),
});
export type ContractDetails = z.infer<typeof ContractDetails>;

/** The evidence of a cell; null where there is none. */
export function contractEvidence({ output }: Pick<CellResult, "output">): ContractEvidence | null {
  return ContractEvidence.safeParse(output).data ?? null;
}

/** Where a file of a skill is, as a user would name it. */
export function shownFile(folder: string, file: string): string {
  if (file === "." || folder === ".") return folder === "." ? file : folder;
  return `${folder}/${file}`;
}
