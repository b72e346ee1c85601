import { type Command, Option } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, numberOption, textOption } from "./declare-option.ts";
import { parseText } from "./option-values.ts";

/** What was typed after `agent replay`. */
export interface AgentReplayFlags {
  run: string;
  speed?: number;
  step?: true;
  turn?: number;
  from?: number;
  to?: number;
  runsDir?: string;
}

/** Declares `agent replay`. */
export function declareAgentReplay(agent: Command, start: Start): void {
  const command = declareCommand(agent, "replay", "Tell what happened in a run; starts nothing", [
    "eval-skills agent replay 20260203_123456_abcd",
    "eval-skills agent replay .agent/runs/20260203_123456_abcd --turn 2",
    "eval-skills agent replay 20260203_123456_abcd --step",
  ]);
  command
    .argument("<run>", "run directory, or id of a run")
    .addOption(
      numberOption(
        "--speed <x>",
        "at a terminal: so many times as fast as it happened, no pause above 3 s (default: 1)",
        0.01,
        1000,
      ),
    )
    .addOption(new Option("--step", "wait for Enter after each turn"))
    .addOption(countOption("--turn <n>", "only this turn", 0))
    .addOption(countOption("--from <seq>", "from this event on", 1))
    .addOption(countOption("--to <seq>", "up to this event", 1))
    .addOption(textOption("--runs-dir <dir>", "where ids of runs are looked for (default: .agent/runs)"));
  command.action(async (run: string) => {
    const flags = { ...command.opts<Omit<AgentReplayFlags, "run">>(), run: parseText(run, "<run>") };
    await start(command, async (io) => (await import("./agent-replay.ts")).agentReplayCommand(flags, io));
  });
}
