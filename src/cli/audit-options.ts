import { type Command, Option } from "commander";
import { type AuditFormat, auditFormats, type FailSeverity, failSeverities } from "../contract/severity.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, textOption } from "./declare-option.ts";
import { withChoices } from "./known-values.ts";
import { parseChoices, parseText } from "./option-values.ts";

/** What was typed after `audit`. */
export interface AuditFlags {
  paths: string[];
  failOn: FailSeverity;
  format: AuditFormat[];
  outputDir?: string | undefined;
}

/** Declares `audit`. */
export function declareAudit(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "audit",
    "Read the files of skills for what could harm; run nothing",
    [
      "eval-skills audit ./skills/my_skill",
      "eval-skills audit ./skills --fail-on medium",
      "eval-skills audit ./skills --format sarif > audit.sarif",
      "eval-skills audit ./skills --format text json sarif --output-dir ./reports",
    ],
  );
  const formats = new Option(
    "--format <formats...>",
    "text, json, sarif (default: text); several go to files",
  ).argParser(parseChoices("--format", auditFormats));
  command
    .argument("[paths...]", "folders of skills, or that hold skills (default: ./skills and skills.roots)")
    .addOption(
      choiceOption(
        "--fail-on <severity>",
        `exit 1 from this severity on: ${failSeverities.join(", ")} (default: high)`,
        failSeverities,
      ),
    )
    .addOption(withChoices(formats, auditFormats))
    .addOption(textOption("--output-dir <dir>", "where files go (default: ./reports)"));
  command.action(async (typed: string[]) => {
    const { failOn = "high", format = ["text"], outputDir } = command.opts<Partial<AuditFlags>>();
    const paths = typed.map((path) => parseText(path, "[paths...]"));
    const flags: AuditFlags = { paths, failOn, format, outputDir };
    await start(command, async (io) => (await import("./audit.ts")).auditCommand(flags, io));
  });
}
