import { loadConfig } from "../../config/load-config.ts";
import type { FixedSkill } from "../../contract/findings.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { examineSkills } from "../../operations/doctor/examine-skills.ts";
import { fixableFiles, fixSkills } from "../../operations/doctor/fix-skills.ts";
import { projectFolder } from "../../operations/doctor/folders-to-examine.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { fixDiffs } from "../output/fix-text.ts";
import { fileIn } from "../output/named-diagnostics.ts";
import { configOrDefaults, hasProblems, lookAtMachine } from "./doctor-machine.ts";
import type { DoctorFlags } from "./doctor-options.ts";
import { reportCheckUp } from "./doctor-output.ts";

/** `doctor`: the problems of skills and of this machine, and how to fix them. */
export async function doctorCommand(flags: DoctorFlags, io: CommandIo): Promise<ExitCode> {
  const { paths, profile = "strict", kind: kinds = [], failOn = "error" } = flags;
  const checksMachine = flags.machine === true || paths.length === 0;
  const checksSkills = flags.machine !== true || paths.length > 0;
  refuseIdleFlags(flags, { checksMachine, checksSkills });
  // With the machine check, an unreadable configuration is one of its lines.
  const config = checksMachine
    ? await configOrDefaults(() => loadConfig(io))
    : (await loadCommandConfig(io)).config;
  const machine = checksMachine ? await lookAtMachine(flags, io) : null;
  const { roots } = config.skills;
  const request = { paths, roots, cwd: io.cwd, profile, kinds, failOn };
  const fixed = checksSkills && flags.fix === true ? await fixSkills(request) : null;
  const skills = checksSkills ? await examineSkills(request) : null; // after fixing: what is left
  if (skills !== null) noteNoSkills(skills, flags, roots, io);
  if (fixed?.length === 0 && skills !== null && skills.counts.clean < skills.counts.skills)
    io.note("--fix found nothing to fix");
  const isUnwritten = fixed !== null && reportUnwritten(fixed, io);
  const isBad = skills?.exitCode === 1 || (machine !== null && hasProblems(machine));
  const exitCode = isUnwritten ? 2 : isBad ? 1 : 0;
  const fixes = fixed === null ? null : await fixDiffs(fixed);
  const fixable = skills === null || flags.fix === true ? undefined : await fixableFiles(skills, request);
  reportCheckUp(
    { skills, machine, fixes, fixable, exitCode },
    { ...flags, defaultDir: config.outputDir },
    io,
  );
  return exitCode;
}

/** Warns about fixes that could not be written; whether there were any. */
function reportUnwritten(fixed: readonly FixedSkill[], io: CommandIo): boolean {
  const unwritten = fixed.flatMap(({ folder, unwritten: left }) =>
    left.map(({ fix, problem }) => `${fileIn(folder, fix.file)} could not be fixed: ${problem}`),
  );
  for (const line of unwritten) io.warn(line);
  return unwritten.length > 0;
}

/** Refuses flags that would have no effect. */
function refuseIdleFlags(
  flags: DoctorFlags,
  { checksMachine, checksSkills }: { checksMachine: boolean; checksSkills: boolean },
): void {
  const idle = (names: readonly (keyof DoctorFlags)[]) => names.find((name) => flags[name] !== undefined);
  const ofMachine = checksMachine ? undefined : idle(["sandbox", "store"]);
  if (ofMachine !== undefined)
    throw new UserError("usage", `--${ofMachine} applies to the machine, but only skills are checked`, {
      hint: "add --machine, or remove the paths",
    });
  const ofSkills = checksSkills
    ? undefined
    : idle(["profile", "kind", "failOn", "fix", "format", "outputDir"]);
  if (ofSkills !== undefined)
    throw new UserError(
      "usage",
      `--${flagNames[ofSkills] ?? ofSkills} applies to skills, but only the machine is checked`,
      {
        hint: "pass the skills, or remove --machine",
      },
    );
}

const flagNames: Partial<Record<keyof DoctorFlags, string>> = { failOn: "fail-on", outputDir: "output-dir" };

function noteNoSkills(
  { counts }: DoctorReport,
  flags: DoctorFlags,
  roots: readonly string[],
  io: CommandIo,
): void {
  if (counts.skills > 0) return;
  const searched = flags.paths.length > 0 ? flags.paths : [projectFolder, ...roots];
  const kinds = flags.kind === undefined ? "" : ` of kind ${flags.kind.join(", ")}`;
  io.note(`no skills${kinds} found in ${searched.join(", ")}`);
}
