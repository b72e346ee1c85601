import type { Command, CommanderError } from "commander";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

/** A parse error of commander in our words, with the nearest valid name. */
export function usageError(error: CommanderError, command: Command): UserError {
  const help = `eval-skills ${[...commandPath(command), "--help"].join(" ")}`;
  if (error.code === "commander.help") {
    const [first, unknown] = command.args; // `help` throws this for an unknown command
    if (first === "help" && unknown !== undefined)
      return new UserError("usage", `unknown command '${unknown}'`, {
        hint: didYouMean(unknown, commandNames(command)),
      });
    return new UserError("usage", `${command.name()} needs a command: ${commandNames(command).join(", ")}`, {
      hint: help,
    });
  }
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  const hint = hintFor(error.code, quoted, command) ?? help;
  return new UserError("usage", messageFor(error, quoted, command), { hint });
}

function messageFor(error: CommanderError, word: string, command: Command): string {
  const name = commandPath(command).join(" ");
  switch (error.code) {
    case "commander.optionMissingArgument":
      return `${longName(word)} needs a value: ${word}`;
    case "commander.missingArgument": {
      const takesMany = command.registeredArguments.some((one) => one.variadic && one.name() === word);
      return takesMany ? `${name} needs at least one of <${word}...>` : `${name} needs a <${word}>`;
    }
    case "commander.excessArguments":
      return `${name} does not take ${JSON.stringify(firstExcess(command))}`;
    default:
      return error.message.replace(/^error: /, "");
  }
}

function hintFor(code: string, word: string, command: Command): string | null {
  if (code === "commander.unknownCommand") return didYouMean(word, commandNames(command));
  if (code === "commander.unknownOption") return didYouMean(word.replace(/=.*$/s, ""), longFlags(command));
  if (code !== "commander.excessArguments") return null;
  const path = firstExcess(command);
  // The first thing people type after `eval` is the path of their skill.
  if (longFlags(command).includes("--skills")) return `eval-skills eval --skills ${path}`;
  // A request of several words needs quotes.
  if (command.registeredArguments[0]?.name() === "query")
    return `put the request in quotes: eval-skills route ${JSON.stringify(command.args.join(" "))}`;
  return null;
}

/** `--config` of `-c, --config <path>`. */
function longName(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

function firstExcess(command: Command): string {
  return command.args[command.registeredArguments.length] ?? "";
}

function commandNames(command: Command): string[] {
  return command.commands.map((child) => child.name());
}

function longFlags(command: Command): string[] {
  const own = command.options.filter((option) => !option.hidden).flatMap((option) => option.long ?? []);
  return [...own, "--help"];
}

function commandPath(command: Command): string[] {
  return command.parent === null ? [] : [...commandPath(command.parent), command.name()];
}
