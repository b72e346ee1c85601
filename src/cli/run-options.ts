import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, rateOption, textOption } from "./declare-option.ts";
import { type EvalFlags, evalOptions, oneRunsFlag } from "./eval-options.ts";
import type { StrategyFlags } from "./typed-strategy.ts";

/** What was typed after `run`. */
export interface RunFlags extends Omit<EvalFlags, "skills" | "resume" | "dryRun">, StrategyFlags {
  query?: string;
  skillsDir: string;
}

/** Options of `eval` that make no sense where skills are found and chosen, or that say something else here. */
const notShared = new Set(["--skills", "--dry-run", "--resume", "--min-completion", "--exit-on-fail"]);

/** Declares `run`. What runs it is loaded only when it is called. */
export function declareRun(program: Command, start: Start): void {
  const command = declareCommand(program, "run", "Find skills, evaluate them all, choose the best, report", [
    'eval-skills run --query "calc" --skills-dir ./skills --benchmark coding-easy',
    "eval-skills run --skills-dir ./skills --benchmark coding-easy --top-k 3 --min-completion 0.7 --format json markdown html",
    "eval-skills run --strategy ./strategy.yaml --exit-on-fail",
  ]);
  command
    .addOption(textOption("-q, --query <text>", "words in id, name, description or tags, all required"))
    .addOption(textOption("--skills-dir <dir>", "folder with skills (default: ./skills)"))
    .addOption(textOption("--strategy <file>", "filters and order, YAML or JSON"))
    .addOption(countOption("--top-k <n>", "how many to choose (default: the strategy's, else 5)", 1))
    .addOption(
      rateOption(
        "--min-completion <rate>",
        "least completion rate to be chosen (default: the strategy's, else 0.7)",
      ),
    )
    .option("--exit-on-fail", "exit 1 if nothing is selected");
  for (const option of evalOptions()) if (!notShared.has(option.long ?? "")) command.addOption(option);
  command.action(async () => {
    const { skillsDir = "./skills", ...flags } = oneRunsFlag(command.opts()) as Partial<RunFlags>;
    await start(command, async (io) => (await import("./run.ts")).runCommand({ ...flags, skillsDir }, io));
  });
}
