import { isAbout } from "../../contract/configured-gate.ts";
import { compareReports } from "../../operations/report/compare-reports.ts";
import type { DiffGates } from "../../report/compare/diff-gates.ts";
import { diffLines } from "../../report/compare/diff-lines.ts";
import { diffMarkdown } from "../../report/compare/diff-markdown.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { annotateDiff } from "../io/github.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { writeOutput } from "../io/write-output.ts";
import type { DiffFlags } from "./report-options.ts";

/** `report diff`: what has become better or worse between two reports. */
export async function diffCommand(flags: DiffFlags, io: CommandIo): Promise<ExitCode> {
  const { a, b, labelA, labelB, output, strict, familyWise, minCoverage: _, ...others } = flags;
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
    minCoverage: await minCoverageFor(flags, gates, io),
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

/** What was typed, else what the first entry of the configuration says that says something about it. */
async function minCoverageFor(
  { minCoverage }: DiffFlags,
  gates: ReturnType<typeof diffGates>,
  io: CommandIo,
): Promise<DiffGates["minCoverage"]> {
  if (minCoverage !== undefined) return () => minCoverage;
  if (!Object.values(gates).includes(true)) return () => defaultMinCoverage;
  const entries = (await loadCommandConfig(io)).config.gates.filter(
    (entry) => entry.minCoverage !== undefined,
  );
  return (skill) => entries.find((entry) => isAbout(entry, skill))?.minCoverage ?? defaultMinCoverage;
}

const defaultMinCoverage = 0.8;

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
