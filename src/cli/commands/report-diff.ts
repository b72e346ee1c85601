import { compareReports } from "../../operations/report/compare-reports.ts";
import { diffLines } from "../../report/compare/diff-lines.ts";
import { diffMarkdown } from "../../report/compare/diff-markdown.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { annotateDiff } from "../io/github.ts";
import { writeOutput } from "../io/write-output.ts";
import type { DiffFlags } from "./report-options.ts";

/** `report diff`: what has become better or worse between two reports. */
export async function diffCommand(flags: DiffFlags, io: CommandIo): Promise<ExitCode> {
  const { a, b, labelA, labelB, output, strict, familyWise, minCoverage = 0.8, ...others } = flags;
  const gates = diffGates(flags);
  if (flags.minCoverage !== undefined && !Object.values(gates).includes(true))
    throw new UserError("usage", "--min-coverage has no effect without a gate", {
      hint: "add --fail-on-regression",
    });
  const compared = compareReports({
    ...others,
    ...gates,
    a,
    b,
    labels: { a: labelA, b: labelB },
    minCoverage,
    isStrict: strict === true,
    isFamilyWise: familyWise === true,
    cwd: io.cwd,
  });
  const { diff } = compared;
  if (output !== undefined) writeOutput(output, diffMarkdown(compared), io);
  const isShort = output !== undefined && !io.json;
  io.result(
    diff,
    isShort ? diffLines(diff, { color: io.color, width: io.width }) : [...diffMarkdown(compared)].join(""),
  );
  if (isShort) for (const warning of diff.warnings) io.warn(warning);
  if (output !== undefined) io.note(`written to ${output}`);
  annotateDiff(compared, io);
  return diff.exitCode;
}

function diffGates(flags: DiffFlags) {
  const { failOnRegression, failOnInconclusive, failOnSlower, failOnErrors, failOnCost } = flags;
  return {
    failOnRegression: failOnRegression === true,
    failOnInconclusive: failOnInconclusive === true,
    failOnSlower: failOnSlower === true,
    failOnErrors: failOnErrors === true,
    failOnCost: failOnCost === true,
  };
}
