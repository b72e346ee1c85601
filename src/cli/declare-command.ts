import type { Command } from "commander";
import { packageVersion } from "../base/own-package.ts";
import type { CommandIo, GlobalFlags } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { parseText } from "./option-values.ts";

/** Hands a parsed command to whoever runs it, with the voice it may use. */
export type Start = (command: Command, run: (io: CommandIo) => Promise<ExitCode>) => Promise<void>;

/** A subcommand with the options and the help every command has. */
export function declareCommand(
  parent: Command,
  name: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = parent.command(name).description(description);
  addGlobalOptions(command);
  return command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

/** Global options are declared on every level, so that they work before and after the name of a command. */
export function addGlobalOptions(command: Command): void {
  command
    .option("-c, --config <path>", "configuration file", (text) => parseText(text, "--config"))
    .option("--json", "print exactly one JSON document")
    .option("--no-color", "no colour")
    .option("-v, --verbose", "say everything: each cell and attempt on stderr, each finding")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help");
}

/** What was typed on any level; of two configuration files the one nearest to the command counts. */
export function readGlobalFlags(command: Command): GlobalFlags {
  const levels = levelsOf(command).map((level) => level.opts<Record<string, unknown>>());
  const configPath = levels.map((typed) => typed.config).find((path) => path !== undefined);
  return {
    json: levels.some((typed) => typed.json === true),
    verbose: levels.some((typed) => typed.verbose === true),
    color: levels.every((typed) => typed.color !== false),
    configPath: configPath as string | undefined,
  };
}

/** The command as typed: `config set`. */
export function commandName(command: Command): string | null {
  const names = levelsOf(command)
    .slice(0, -1)
    .map((level) => level.name());
  return names.length === 0 ? null : names.reverse().join(" ");
}

function levelsOf(command: Command): Command[] {
  const levels: Command[] = [];
  for (let level: Command | null = command; level !== null; level = level.parent) levels.push(level);
  return levels;
}
