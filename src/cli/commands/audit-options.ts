import type { Command } from "commander";
import { auditFormats, failSeverities } from "../../contract/findings.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const auditTable = {
  paths: row.texts("[paths...]", "skill folders, or folders that contain skills", {
    default: [],
    defaultText: "./skills and skills.roots",
  }),
  failOn: row.choice(
    "--fail-on <severity>",
    `exit 1 at this severity or above: ${failSeverities.join(", ")}`,
    {
      choices: failSeverities,
      default: "high",
    },
  ),
  format: row.choices("--format <formats...>", "text, json, sarif; several are written to files", {
    choices: auditFormats,
    default: ["text"],
  }),
  outputDir: row.text("--output-dir <dir>", "folder for written files", { defaultText: "./reports" }),
} satisfies OptionTable;

export type AuditFlags = Options<typeof auditTable>;

export function declareAudit(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "audit",
    "Scan skill files for harmful content without running them",
    [
      "eval-skills audit ./skills/my_skill",
      "eval-skills audit ./skills --fail-on medium",
      "eval-skills audit ./skills --format sarif > audit.sarif",
      "eval-skills audit ./skills --format text json sarif --output-dir ./reports",
    ],
  );
  addAction(command, auditTable, start, async (options, io) =>
    (await import("./audit.ts")).auditCommand(options, io),
  );
}
