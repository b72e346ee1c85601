import type { Argument, Command, Option } from "commander";
import { placeholders, takesPath } from "../../contract/option-table.ts";
import { rowFor } from "../io/declare-command.ts";

/** Possible values of an option or argument: words, files, folders, or something only the user knows. */
export type Values =
  | { kind: "words"; words: readonly string[]; isFileToo: boolean }
  | { kind: "files" | "folders" | "any" };

export interface OptionWords {
  /** As typed: `-q`, `--query`. */
  names: readonly string[];
  description: string;
  /** Null for a switch. */
  values: Values | null;
  isList: boolean;
}

export interface CommandWords {
  /** The command as typed, without the program: `config set`; empty for the program itself. */
  path: string;
  description: string;
  commands: readonly { name: string; description: string }[];
  options: readonly OptionWords[];
  argument: Values | null;
}

/** Every command of a program with what can follow it, from the declarations themselves. */
export function completionWords(
  program: Command,
  more: Readonly<Record<string, readonly string[]>> = {},
): CommandWords[] {
  const collect = (command: Command, path: string): CommandWords[] => [
    {
      path,
      description: command.description(),
      commands: command.commands.map((child) => ({ name: child.name(), description: child.description() })),
      options: [...readOptions(command, more), help],
      argument: readArgument(command),
    },
    ...command.commands.flatMap((child) => collect(child, `${path} ${child.name()}`.trim())),
  ];
  return collect(program, "");
}

function readArgument({ registeredArguments: [first] }: Command): Values | null {
  return first === undefined ? null : readValues(first, `<${first.name()}>`);
}

const help: OptionWords = {
  names: ["-h", "--help"],
  description: "show this help",
  values: null,
  isList: false,
};

function readOptions(command: Command, more: Readonly<Record<string, readonly string[]>>): OptionWords[] {
  return command.options
    .filter((option) => !option.hidden)
    .map((option) => ({
      names: [option.short, option.long].filter((name) => name != null),
      description: option.description,
      values: option.required || option.optional ? withMore(option, more[option.long ?? ""]) : null,
      isList: option.variadic === true,
    }));
}

/** Names that come with the product, besides what the declaration allows. */
function withMore(option: Option, words: readonly string[] | undefined): Values {
  const declared = readValues(option, option.flags);
  return words === undefined ? declared : { kind: "words", words, isFileToo: declared.kind === "files" };
}

function readValues(named: Option | Argument, flags: string): Values {
  const known = rowFor.get(named)?.choices;
  if (known !== undefined) return { kind: "words", words: known, isFileToo: false };
  const kind = takesPath({ flag: flags });
  if (kind !== null) return { kind };
  const words = placeholders(flags);
  return words.length > 1 ? { kind: "words", words, isFileToo: false } : { kind: "any" };
}
