import { Option } from "commander";
import { withChoices } from "./known-values.ts";
import { listOf, parseChoice, parseText } from "./option-values.ts";
import { parseCount, parseNumberIn, parseRate } from "./strict-numbers.ts";

/** An option that takes a text: a path, a name, an id. */
export function textOption(declaration: string, description: string): Option {
  return new Option(declaration, description).argParser((value) => parseText(value, flagOf(declaration)));
}

/** An option that takes several texts and may repeat. */
export function textsOption(declaration: string, description: string): Option {
  const parse = listOf((value) => parseText(value, flagOf(declaration)));
  return new Option(declaration, description).argParser(parse);
}

/** An option that takes a whole number. */
export function countOption(declaration: string, description: string, min: number, max?: number): Option {
  return new Option(declaration, description).argParser((value) =>
    parseCount(value, flagOf(declaration), min, max),
  );
}

/** An option that takes a number from 0 to 1. */
export function rateOption(declaration: string, description: string): Option {
  return new Option(declaration, description).argParser((value) => parseRate(value, flagOf(declaration)));
}

/** An option that takes a number in a range, its ends included. */
export function numberOption(
  declaration: string,
  description: string,
  min: number,
  max = Number.POSITIVE_INFINITY,
): Option {
  return new Option(declaration, description).argParser((value) =>
    parseNumberIn(value, flagOf(declaration), min, max),
  );
}

/** An option that takes one of a few words, which shells complete. */
export function choiceOption(declaration: string, description: string, choices: readonly string[]): Option {
  const option = new Option(declaration, description).argParser((value) =>
    parseChoice(value, flagOf(declaration), choices),
  );
  return withChoices(option, choices);
}

/** Where runs are kept: the same option for every command that looks there. */
export function storeOption(): Option {
  return textOption("--store <path>", "where runs are kept (default: ./eval-skills.db)");
}

/** `--query` of `-q, --query <text>`: errors name an option by its long name. */
function flagOf(declaration: string): string {
  return /--[\w-]+/.exec(declaration)?.[0] ?? declaration;
}
