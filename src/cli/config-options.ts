import type { Command } from "commander";
import { declareCommand, type Start } from "./declare-command.ts";

/** Declares `config list`, `config get` and `config set`. */
export function declareConfig(program: Command, start: Start): void {
  const config = declareCommand(program, "config", "Show and change the configuration", [
    "eval-skills config list",
    "eval-skills config get llm.model",
    "eval-skills config set concurrency 8",
  ]).helpCommand("help [command]", "show the help of a command");
  const list = declareCommand(config, "list", "Every effective value and where it comes from", [
    "eval-skills config list",
    "eval-skills config list --json",
  ]);
  list.action(() => start(list, async (io) => (await import("./config.ts")).listConfig(io)));

  const get = declareCommand(config, "get", "One effective value", ["eval-skills config get llm.model"]);
  get
    .argument("<key>", "in dot notation, such as llm.model")
    .action((key: string) => start(get, async (io) => (await import("./config.ts")).getConfig(key, io)));

  const set = declareCommand(config, "set", "Write one value into ~/.eval-skills/config.yaml", [
    "eval-skills config set concurrency 8",
    "eval-skills config set llm.model gpt-4o",
    "eval-skills config set defaultFormats json,markdown",
  ]);
  set
    .argument("<key>", "in dot notation, such as llm.model")
    .argument("<value>", "checked against the key's type and range")
    .action((key: string, value: string) =>
      start(set, async (io) => (await import("./config.ts")).setConfig(key, value, io)),
    );
}
