import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const trustTable = {
  path: row.text("[path]", "folder of the project", { default: "." }),
  yes: row.switch("--yes", "trust without asking, for scripts"),
  expect: row.text("--expect <digest>", "trust only if what the project asks for still has this digest"),
  list: row.switch("--list", "list the projects you trust and their grants"),
  revoke: row.switch("--revoke", "stop trusting the project"),
} satisfies OptionTable;

export type TrustFlags = Options<typeof trustTable>;

export function declareTrust(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "trust",
    "Grant a project the secrets, addresses, programs and folders its files ask for",
    [
      "eval-skills trust",
      "eval-skills trust ../team-skills --yes",
      "eval-skills trust --expect sha256:4be1…",
      "eval-skills trust --list",
    ],
  );
  addAction(command, trustTable, start, async (options, io) =>
    (await import("./trust.ts")).trustCommand(options, io),
  );
}
