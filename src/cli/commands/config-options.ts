import type { Command } from "commander";
import { type OptionTable, row } from "../../contract/option-table.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { anyText } from "../io/option-values.ts";

const setTable = {
  key: row.text("<key>", "key in dot notation, such as llm.model", { parse: anyText }),
  value: row.text("<value>", "new value; lists are comma-separated", { parse: anyText }),
  project: row.switch("--project", "write to the configuration file of the project instead"),
} satisfies OptionTable;

/** Declares `config list`, `config get` and `config set`. */
export function declareConfig(program: Command, start: Start): void {
  const config = declareCommand(program, "config", "Show and change configuration", [
    "eval-skills config list",
    "eval-skills config get llm.model",
    "eval-skills config set concurrency 8",
  ]).helpCommand("help [command]", "show help for a command");
  const list = declareCommand(config, "list", "List all effective values and where each comes from", [
    "eval-skills config list",
    "eval-skills config list --json",
  ]);
  list.action(() => start(list, async (io) => (await import("./config.ts")).listConfig(io)));

  const get = declareCommand(config, "get", "Print one effective value", [
    "eval-skills config get llm.model",
  ]);
  get
    .argument("<key>", "key in dot notation, such as llm.model")
    .action((key: string) => start(get, async (io) => (await import("./config.ts")).getConfig(key, io)));

  const set = declareCommand(config, "set", "Write one value into ~/.eval-skills/config.yaml", [
    "eval-skills config set concurrency 8",
    "eval-skills config set llm.model gpt-4o",
    "eval-skills config set defaultFormats json,markdown",
    "eval-skills config set --project timeoutMs 60000",
  ]);
  addAction(set, setTable, start, async ({ key, value, project }, io) =>
    (await import("./config.ts")).setConfig({ key, text: value, isForProject: project === true }, io),
  );
}
