import { type Command, Option } from "commander";
import {
  type DiagnosticSeverity,
  diagnosticSeverities,
  type Profile,
  profiles,
} from "../contract/diagnostic.ts";
import { type DoctorFormat, doctorFormats } from "../contract/doctor-report.ts";
import { type SandboxLevel, sandboxLevels } from "../contract/sandbox-level.ts";
import { type SkillKind, skillKinds } from "../contract/skill-kind.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, storeOption, textOption } from "./declare-option.ts";
import { withChoices } from "./known-values.ts";
import { parseChoices, parseText } from "./option-values.ts";

/** What was typed after `doctor`. */
export interface DoctorFlags {
  paths: string[];
  profile?: Profile;
  kind?: SkillKind[];
  failOn?: DiagnosticSeverity;
  fix?: true;
  machine?: true;
  format?: DoctorFormat[];
  outputDir?: string;
  sandbox?: "auto" | SandboxLevel;
  store?: string;
}

/** Declares `doctor`. */
export function declareDoctor(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "doctor",
    "Check skills against their formats, and this machine; run nothing. Exit 1 if something is to be mended",
    [
      "eval-skills doctor ./skills",
      "eval-skills doctor ./skills/my_skill --profile lenient --fail-on warning",
      "eval-skills doctor ./skills --fix",
      "eval-skills doctor ./skills --format text sarif --output-dir ./reports",
      "eval-skills doctor --machine --sandbox strict",
    ],
  );
  const formats = listOption("--format", "formats", doctorFormats, "(default: text); several go to files");
  command
    .argument(
      "[paths...]",
      "skills, or folders that hold skills (default: ./skills, skills.roots and the machine)",
    )
    .addOption(
      choiceOption(
        "--profile <profile>",
        "how formats are read: strict, lenient (default: strict)",
        profiles,
      ),
    )
    .addOption(listOption("--kind", "kinds", skillKinds, "(default: all)"))
    .addOption(
      choiceOption(
        "--fail-on <severity>",
        "exit 1 from this severity on: error, warning (default: error)",
        diagnosticSeverities,
      ),
    )
    .option("--fix", "mend what can be mended without loss, show it as a diff, and tell what is left")
    .option("--machine", "the machine: alone, or with paths besides them")
    .addOption(formats)
    .addOption(textOption("--output-dir <dir>", "where files go (default: ./reports)"))
    .addOption(
      choiceOption("--sandbox <level>", "the level a run would demand; exit 2 where it cannot be proven", [
        "auto",
        ...sandboxLevels,
      ]),
    )
    .addOption(storeOption());
  command.action(async (typed: string[]) => {
    const paths = typed.map((path) => parseText(path, "[paths...]"));
    const flags: DoctorFlags = { ...command.opts<Omit<DoctorFlags, "paths">>(), paths };
    await start(command, async (io) => (await import("./doctor.ts")).doctorCommand(flags, io));
  });
}

/** An option that takes several of a few words. */
function listOption(flag: string, placeholder: string, words: readonly string[], usual: string): Option {
  const option = new Option(`${flag} <${placeholder}...>`, `${words.join(", ")} ${usual}`);
  return withChoices(option.argParser(parseChoices(flag, words)), words);
}
