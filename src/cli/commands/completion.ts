import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { scorerNames } from "../../scorers/choose-scorer.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { bashCompletion } from "./completion-bash.ts";
import { fishCompletion } from "./completion-fish.ts";
import type { Shell } from "./completion-options.ts";
import { completionWords } from "./completion-words.ts";
import { zshCompletion } from "./completion-zsh.ts";

const makeScript = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `completion`: a script made from the commands and options as they are declared. */
export async function completionCommand(shell: Shell, program: Command, io: CommandIo): Promise<ExitCode> {
  const words = completionWords(program, {
    "--benchmark": bundledBenchmarks(),
    "--evaluator": scorerNames,
  });
  const script = makeScript[shell](words);
  io.result({ shell, script }, script);
  return 0;
}

function bundledBenchmarks(): string[] {
  return readdirSync(join(packageFolder(), "benchmarks"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}
