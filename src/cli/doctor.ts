import type { DoctorReport } from "../contract/doctor-report.ts";
import type { FixedSkill } from "../contract/fix.ts";
import { UserError } from "../contract/user-error.ts";
import { fileIn } from "../reporters/file-in.ts";
import { fixDiffs } from "../reporters/fix-text.ts";
import { examineSkills } from "../run/examine-skills.ts";
import { fixSkills } from "../run/fix-skills.ts";
import { projectFolder } from "../run/folders-to-examine.ts";
import { mendableFiles } from "../run/mendable-files.ts";
import { loadConfig } from "../spec/load-config.ts";
import type { CommandIo } from "./command-io.ts";
import { configOrDefaults, isSick, lookAtMachine } from "./doctor-machine.ts";
import type { DoctorFlags } from "./doctor-options.ts";
import { tellCheckUp } from "./doctor-output.ts";
import type { ExitCode } from "./exit-codes.ts";
import { toldConfig } from "./told-config.ts";

/** `doctor`: how skills and this machine stand, and what mends them. */
export async function doctorCommand(flags: DoctorFlags, io: CommandIo): Promise<ExitCode> {
  const { paths, profile = "strict", kind: kinds = [], failOn = "error" } = flags;
  const looksAtMachine = flags.machine === true || paths.length === 0;
  const looksAtSkills = flags.machine !== true || paths.length > 0;
  refuseIdleFlags(flags, { looksAtMachine, looksAtSkills });
  // Where the machine is looked at, a configuration that cannot be read is one of its lines.
  const config = looksAtMachine
    ? await configOrDefaults(() => loadConfig(io))
    : (await toldConfig(io)).config;
  const machine = looksAtMachine ? await lookAtMachine(flags, io) : null;
  const { roots } = config.skills;
  const request = { paths, roots, cwd: io.cwd, profile, kinds, failOn };
  const fixed = looksAtSkills && flags.fix === true ? await fixSkills(request) : null;
  const skills = looksAtSkills ? await examineSkills(request) : null; // after mending: what is left
  if (skills !== null) tellOfNone(skills, flags, roots, io);
  if (fixed?.length === 0 && skills !== null && skills.counts.clean < skills.counts.skills)
    io.note("--fix finds nothing that it could mend");
  const isUnwritten = fixed !== null && tellUnwritten(fixed, io);
  const isBad = skills?.exitCode === 1 || (machine !== null && isSick(machine));
  const exitCode = isUnwritten ? 2 : isBad ? 1 : 0;
  const fixes = fixed === null ? null : await fixDiffs(fixed);
  const mendable = skills === null || flags.fix === true ? undefined : await mendableFiles(skills, request);
  tellCheckUp({ skills, machine, fixes, mendable, exitCode }, { ...flags, defaultDir: config.outputDir }, io);
  return exitCode;
}

/** Whether a repair could not be written, which is told. */
function tellUnwritten(fixed: readonly FixedSkill[], io: CommandIo): boolean {
  const unwritten = fixed.flatMap(({ folder, unwritten: left }) =>
    left.map(({ fix, problem }) => `${fileIn(folder, fix.file)} could not be mended: ${problem}`),
  );
  for (const line of unwritten) io.warn(line);
  return unwritten.length > 0;
}

/** A flag that has nothing to act on is a misunderstanding. */
function refuseIdleFlags(
  flags: DoctorFlags,
  { looksAtMachine, looksAtSkills }: { looksAtMachine: boolean; looksAtSkills: boolean },
): void {
  const idle = (names: readonly (keyof DoctorFlags)[]) => names.find((name) => flags[name] !== undefined);
  const ofMachine = looksAtMachine ? undefined : idle(["sandbox", "store"]);
  if (ofMachine !== undefined)
    throw new UserError("usage", `--${ofMachine} is about the machine, and only skills are looked at`, {
      hint: "add --machine, or leave the paths out",
    });
  const ofSkills = looksAtSkills
    ? undefined
    : idle(["profile", "kind", "failOn", "fix", "format", "outputDir"]);
  if (ofSkills !== undefined)
    throw new UserError(
      "usage",
      `--${flagNames[ofSkills] ?? ofSkills} is about skills, and only the machine is looked at`,
      {
        hint: "name the skills, or leave --machine out",
      },
    );
}

const flagNames: Partial<Record<keyof DoctorFlags, string>> = { failOn: "fail-on", outputDir: "output-dir" };

function tellOfNone(
  { counts }: DoctorReport,
  flags: DoctorFlags,
  roots: readonly string[],
  io: CommandIo,
): void {
  if (counts.skills > 0) return;
  const places = flags.paths.length > 0 ? flags.paths : [projectFolder, ...roots];
  const kinds = flags.kind === undefined ? "" : ` of kind ${flags.kind.join(", ")}`;
  io.note(`there is no skill${kinds} in ${places.join(", ")}`);
}
