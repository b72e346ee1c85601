import { compareReports } from "../../operations/report/compare-reports.ts";
import { diffLines } from "../../report/compare/diff-lines.ts";
import { diffMarkdown } from "../../report/compare/diff-markdown.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { annotateDiff } from "../io/github.ts";
import { writeOutput } from "../io/write-output.ts";
import type { DiffFlags } from "./report-options.ts";

/** `report diff`: what has become better or worse between two reports. */
export async function diffCommand(flags: DiffFlags, io: CommandIo): Promise<ExitCode> {
  const { a, b, labelA, labelB, output, failOnRegression, strict, seed } = flags;
  const compared = compareReports({
    a,
    b,
    labels: { a: labelA, b: labelB },
    seed,
    isStrict: strict === true,
    failOnRegression: failOnRegression === true,
    cwd: io.cwd,
  });
  const { diff } = compared;
  if (output !== undefined) writeOutput(output, diffMarkdown(compared), io);
  const isShort = output !== undefined && !io.json;
  io.result(diff, isShort ? diffLines(diff, io.color) : [...diffMarkdown(compared)].join(""));
  if (isShort) for (const warning of diff.warnings) io.warn(warning);
  if (output !== undefined) io.note(`written to ${output}`);
  annotateDiff(compared, io);
  return diff.exitCode;
}
