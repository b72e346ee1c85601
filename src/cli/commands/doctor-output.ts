import type { DoctorFormat, DoctorReport } from "../../operations/doctor/doctor-report.ts";
import type { FixableFiles } from "../../operations/doctor/fix-skills.ts";
import { packageVersion } from "../../shared/files/own-package.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import type { CommandIo } from "../io/command-io.ts";
import { inWorkspace } from "../io/github.ts";
import { writeInFormats } from "../io/write-output.ts";
import { diagnosisLines } from "../output/diagnosis-lines.ts";
import { doctorGithub } from "../output/doctor-github.ts";
import { doctorSarif } from "../output/doctor-sarif.ts";
import { type DoctorLayout, doctorText } from "../output/doctor-text.ts";
import { type FixDiff, fixText } from "../output/fix-text.ts";
import { doctorDocument } from "../output/named-diagnostics.ts";
import { hasProblems, type MachineReport } from "./doctor-machine.ts";
import type { DoctorFlags } from "./doctor-options.ts";

/** What was checked; null where it was not. */
export interface CheckUp {
  skills: DoctorReport | null;
  machine: MachineReport | null;
  /** What was fixed; null without `--fix`. */
  fixes: readonly FixDiff[] | null;
  /** What `--fix` could fix. */
  fixable: FixableFiles | undefined;
  exitCode: 0 | 1 | 2;
}

/** Writes the findings in the requested formats. */
export function reportCheckUp(
  checkUp: CheckUp,
  { format: formats = ["text"], outputDir, defaultDir }: DoctorFlags & { defaultDir: string },
  io: CommandIo,
): void {
  const files = formats.filter((format) => format !== "github");
  const commands = formats.includes("github") ? commandsFor(checkUp, io) : [];
  if (files.length === 0 && outputDir === undefined && !io.json) io.resultCommands(commands);
  else {
    writeInFormats<FileFormat>(
      {
        name: "doctor-result",
        formats: formats.length > files.length ? [...files, "text"] : files,
        outputDir,
        defaultDir,
        endings: { text: "txt", json: "json", sarif: "sarif" },
        render: (format) => render(checkUp, format),
        document: (written) => checkUpDocument(checkUp, written),
        text: () => checkUpText(checkUp, { color: io.color, width: io.width, isWhole: io.verbose }),
      },
      io,
    );
    for (const command of commands) io.workflow(command);
  }
  const [only] = formats;
  const isOnlyAboutSkills = formats.length === 1 && (only === "sarif" || only === "github");
  if (isOnlyAboutSkills && !io.json) {
    reportMachineProblems(checkUp, io);
    for (const { newFile, codes } of checkUp.fixes ?? []) io.note(`fixed ${newFile}: ${codes.join(" ")}`);
  }
}

type FileFormat = Exclude<DoctorFormat, "github">;

function render(checkUp: CheckUp, format: FileFormat): string {
  switch (format) {
    case "text":
      return checkUpText(checkUp, { color: false, width: null, isWhole: true });
    case "json":
      return `${inertJson({ schemaVersion: 1, command: "doctor", ...checkUpDocument(checkUp) }, 2)}\n`;
    case "sarif":
      return `${inertJson(checkUp.skills === null ? {} : doctorSarif(checkUp.skills, packageVersion()), 2)}\n`;
    default:
      return format satisfies never;
  }
}

function checkUpDocument(
  { skills, machine, fixes, exitCode }: CheckUp,
  files: readonly string[] = [],
): object {
  return {
    ...(fixes === null ? {} : { fixes }),
    ...(skills === null ? {} : { ...doctorDocument(skills), files }),
    ...machine,
    exitCode,
  };
}

/** The machine comes first: it is short, and readers look for the skills at the end. */
function checkUpText({ skills, machine, fixes, fixable }: CheckUp, layout: DoctorLayout): string {
  const otherFailure =
    machine !== null && hasProblems(machine) ? "problems on this machine, see above" : undefined;
  return [
    ...(fixes === null || fixes.length === 0 ? [] : [fixText(fixes, layout)]),
    ...(machine === null ? [] : [diagnosisLines(machine.checks, layout)]),
    ...(skills === null || skills.counts.skills === 0
      ? []
      : [doctorText(skills, { ...layout, otherFailure, fixable })]),
  ].join("\n");
}

function commandsFor({ skills }: CheckUp, io: CommandIo): string[] {
  return skills === null ? [] : [...doctorGithub(skills, (file) => inWorkspace(file, io))];
}

/** Machine problems fail the command, but skill formats cannot show them. */
function reportMachineProblems({ machine }: CheckUp, io: CommandIo): void {
  for (const { name, state, found, fix } of machine?.checks ?? [])
    if (state === "bad") io.warn(`${name}: ${found}${fix === null ? "" : `; fix: ${fix}`}`);
}
