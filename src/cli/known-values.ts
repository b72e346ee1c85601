import type { Argument, Option } from "commander";

const choices = new WeakMap<Option | Argument, readonly string[]>();

/** Notes which words an option or argument takes, for completion. Its own parser is what refuses others. */
export function withChoices<Named extends Option | Argument>(named: Named, words: readonly string[]): Named {
  choices.set(named, words);
  return named;
}

/** The words an option or argument takes, where they are known. */
export function choicesOf(named: Option | Argument): readonly string[] | null {
  return choices.get(named) ?? null;
}
