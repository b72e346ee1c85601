import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, textOption, textsOption } from "./declare-option.ts";
import { parseText } from "./option-values.ts";

const kinds = ["claude-code", "openai", "otel"] as const;

/** What was typed after `agent import`. */
export interface AgentImportFlags {
  from: (typeof kinds)[number];
  file: string;
  out?: string;
  skills?: string[];
}

/** Declares `agent import`. */
export function declareAgentImport(agent: Command, start: Start): void {
  const command = declareCommand(agent, "import", "Make a run directory of another agent's transcript", [
    "eval-skills agent import --from claude-code ./session.jsonl --skills ./.claude/skills",
    "eval-skills agent import --from otel ./spans.json --out ./imported",
  ]);
  command
    .argument("<file>", "the transcript")
    .addOption(choiceOption("--from <kind>", `${kinds.join(", ")} (required)`, kinds))
    .addOption(textOption("--out <dir>", "where the run directory is made (default: .agent/runs)"))
    .addOption(textsOption("--skills <roots...>", "folders of the skills that the agent had"));
  command.action(async (file: string) => {
    const typed = command.opts<Partial<AgentImportFlags>>();
    if (typed.from === undefined)
      throw new UserError("usage", "--from is missing", { hint: `one of ${kinds.join(", ")}` });
    const flags = { ...typed, from: typed.from, file: parseText(file, "<file>") };
    await start(command, async (io) => (await import("./agent-import.ts")).agentImportCommand(flags, io));
  });
}
