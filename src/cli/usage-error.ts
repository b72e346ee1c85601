import type { Command, CommanderError } from "commander";
import { didYouMean } from "../base/nearest.ts";
import { UserError } from "../contract/user-error.ts";

/** What commander did not like, in our words, naming the nearest thing that would be right. */
export function usageError(error: CommanderError, command: Command): UserError {
  const help = `eval-skills ${[...pathOf(command), "--help"].join(" ")}`;
  if (error.code === "commander.help") return new UserError("usage", missingCommand(command), { hint: help });
  const message = error.message.replace(/^error: /, "");
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? "";
  return new UserError("usage", message, { hint: hintFor(error.code, quoted, command) ?? help });
}

function hintFor(code: string, word: string, command: Command): string | null {
  if (code === "commander.unknownCommand") return didYouMean(word, namesOf(command));
  if (code === "commander.unknownOption") return didYouMean(word.replace(/=.*$/s, ""), flagsOf(command));
  return null;
}

function missingCommand(command: Command): string {
  const names = namesOf(command).join(", ");
  return command.parent === null
    ? `no command was given; there are ${names}`
    : `${command.name()} needs one of ${names}`;
}

function namesOf(command: Command): string[] {
  return command.commands.map((child) => child.name());
}

function flagsOf(command: Command): string[] {
  const own = command.options.filter((option) => !option.hidden).flatMap((option) => option.long ?? []);
  return [...own, "--help"];
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}
