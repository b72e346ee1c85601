import { Argument, type Command, Option } from "commander";
import {
  flagName,
  type OptionRow,
  type Options,
  type OptionTable,
  typedConfig,
} from "../../contract/option-table.ts";
import { packageVersion } from "../../shared/files/own-package.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode, GlobalFlags } from "./command-io.ts";
import { parseText, valueParser } from "./option-values.ts";

/** Runs a parsed command with its output and the configuration that was typed. */
export type Start = (
  command: Command,
  run: (io: CommandIo) => Promise<ExitCode>,
  flags?: GlobalFlags["flags"],
) => Promise<void>;

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

/** Declares the options and arguments of a table on a command, and its action. */
export function addAction<Table extends OptionTable>(
  command: Command,
  table: Table,
  start: Start,
  run: (options: Options<Table>, io: CommandIo) => Promise<ExitCode>,
): void {
  addOptions(command, table);
  command.action(async () => {
    const options = readOptions(command, table);
    await start(command, (io) => run(options, io), typedConfig(table, options));
  });
}

/** The row that an option or argument was declared by, for completion. */
export const rowFor = new WeakMap<Option | Argument, OptionRow>();

export function addOptions(command: Command, table: OptionTable): void {
  for (const row of Object.values(table)) {
    if (row.flag.startsWith("-")) command.addOption(declared(new Option(row.flag, helpText(row)), row));
    else command.addArgument(declared(new Argument(row.flag, helpText(row)), row));
    // It sets the value of the switch itself to false.
    if (row.negation !== undefined) command.addOption(new Option(negated(row), row.negation));
    for (const alias of row.aliases ?? []) {
      const flags = row.flag.replace(flagName(row), alias);
      command.addOption(declared(new Option(flags, `alias of ${flagName(row)}`), row).hideHelp());
    }
  }
}

/** Makes an option or argument read its value as its row says. */
function declared<Named extends Option | Argument>(named: Named, row: OptionRow): Named {
  const parse = valueParser(row);
  if (parse !== null) named.argParser(parse);
  rowFor.set(named, row);
  return named;
}

/** `--no-exit-on-fail` of `--exit-on-fail`. */
function negated(row: OptionRow): string {
  return flagName(row).replace("--", "--no-");
}

function helpText({ help, default: value = [], defaultText = [value].flat().join(" ") }: OptionRow): string {
  return defaultText === "" ? help : `${help} (default: ${defaultText})`;
}

/** The typed values by their names in the table; refuses missing and repeated ones. */
export function readOptions<Table extends OptionTable>(command: Command, table: Table): Options<Table> {
  const options: Record<string, unknown> = {};
  const isOldRun = ["resume", "rescore"].some((name) => command.getOptionValue(name) !== undefined);
  for (const [name, row] of Object.entries(table)) {
    const [value, other] = new Set(typedValues(row, command));
    if (other !== undefined) throw givenTwice(row);
    if (value !== undefined) options[name] = value;
    else if (row.required !== undefined && !isOldRun) throw missing(row, command);
    else if (row.default !== undefined && row.scope === undefined && row.config === undefined)
      options[name] = row.default;
  }
  return options as Options<Table>;
}

/** What was typed for a row, under any of its names. */
function typedValues(row: OptionRow, command: Command): unknown[] {
  // A parent command may have an option of the same name and take this value.
  const levels = commandChain(command).map((level) => level.opts<Record<string, unknown>>());
  const options = command.options.filter((option) => rowFor.get(option) === row);
  const index = command.registeredArguments.findIndex((argument) => rowFor.get(argument) === row);
  const typed = options.map((option) => {
    const values = levels.map((level) => level[option.attributeName()]);
    return option.negate ? values.includes(false) || undefined : values.find((value) => value !== undefined);
  });
  return [...typed, command.processedArgs[index]].filter(
    (value) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
}

function givenTwice(row: OptionRow): UserError {
  const name = flagName(row);
  return new UserError("usage", `${name} was given twice with different values`, {
    hint: `aliases of ${name}: ${row.aliases?.join(", ")}`,
  });
}

function missing(row: OptionRow, command: Command): UserError {
  const name = flagName(row);
  const isOption = name.startsWith("-");
  return new UserError(
    "usage",
    isOption ? `missing required option ${name}` : `${commandName(command)} needs at least one of ${name}`,
    { hint: row.required },
  );
}

/** Global options are declared on every level, so that they work before and after the name of a command. */
export function addGlobalOptions(command: Command): void {
  command
    .option("-c, --config <path>", "configuration file", (text) => parseText(text, "--config"))
    .option(
      "--grant <grant>",
      "allow files of this project something for this call: env:NAME[@skill], host:name[:port], program:name or read:dir",
      (text, before: readonly string[] = []) => [...before, parseText(text, "--grant")],
    )
    .option("--json", "print one JSON document to stdout")
    .option("--no-color", "disable colors")
    .option("-v, --verbose", "print every cell, attempt and finding to stderr")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help");
}

/** What was typed on any level; of two configuration files the one nearest to the command counts. */
export function readGlobalFlags(command: Command): GlobalFlags {
  const levels = commandChain(command).map((level) => level.opts<Record<string, unknown>>());
  const configPath = levels.map((typed) => typed.config).find((path) => path !== undefined);
  return {
    json: levels.some((typed) => typed.json === true),
    verbose: levels.some((typed) => typed.verbose === true),
    color: levels.every((typed) => typed.color !== false),
    configPath: configPath as string | undefined,
    grants: levels.flatMap((typed) => (typed.grant as string[] | undefined) ?? []),
  };
}

/** The command as typed: `config set`. */
export function commandName(command: Command): string | null {
  const names = commandChain(command)
    .slice(0, -1)
    .map((level) => level.name());
  return names.length === 0 ? null : names.reverse().join(" ");
}

function commandChain(command: Command): Command[] {
  const levels: Command[] = [];
  for (let level: Command | null = command; level !== null; level = level.parent) levels.push(level);
  return levels;
}
