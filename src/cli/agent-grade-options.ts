import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, textOption } from "./declare-option.ts";
import { parseText } from "./option-values.ts";

/** What was typed after `agent grade`. */
export interface AgentGradeFlags {
  runs: string[];
  case: string;
  format?: "text" | "json" | "markdown";
  output?: string;
  runsDir?: string;
}

/** Declares `agent grade`. */
export function declareAgentGrade(agent: Command, start: Start): void {
  const command = declareCommand(agent, "grade", "Grade runs again without running anything", [
    "eval-skills agent grade .agent/runs/20260203_123456_abcd --case .agent/evals/smoke/basic_select_skill",
    "eval-skills agent grade 20260203_123456_abcd --case ./case.yaml --format markdown --output ./grade.md",
  ]);
  command
    .argument("<runs...>", "run directories, or ids of runs")
    .addOption(textOption("--case <case>", "the case: its folder or file, or <suite file>#<id> (required)"))
    .addOption(
      choiceOption("--format <format>", "text, json or markdown (default: text)", [
        "text",
        "json",
        "markdown",
      ]),
    )
    .addOption(textOption("--output <file>", "where to write it (default: stdout)"))
    .addOption(textOption("--runs-dir <dir>", "where ids of runs are looked for (default: .agent/runs)"));
  command.action(async () => {
    const typed = command.opts<Partial<AgentGradeFlags>>();
    if (typed.case === undefined)
      throw new UserError("usage", "--case is missing", {
        hint: "eval-skills agent grade <run> --case .agent/evals/smoke/my_case",
      });
    const flags = {
      ...typed,
      case: typed.case,
      runs: command.args.map((run) => parseText(run, "<runs...>")),
    };
    await start(command, async (io) => (await import("./agent-grade.ts")).agentGradeCommand(flags, io));
  });
}
