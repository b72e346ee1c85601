import type { Command } from "commander";
import { type AdapterType, adapterTypes } from "../contract/adapter-type.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import {
  choiceOption,
  countOption,
  rateOption,
  storeOption,
  textOption,
  textsOption,
} from "./declare-option.ts";

/** What was typed after `find`. */
export interface FindFlags {
  query?: string;
  tag?: string[];
  adapter?: AdapterType;
  minCompletion?: number;
  skillsDir?: string;
  limit?: number;
  store?: string;
}

/** Declares `find`. */
export function declareFind(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "find",
    "Find skills of all kinds, show what they cost a model and how they did",
    [
      "eval-skills find",
      'eval-skills find --query "weather" --skills-dir ./skills',
      "eval-skills find --tag web --adapter http --min-completion 0.7 --limit 10",
    ],
  );
  command
    .addOption(textOption("-q, --query <text>", "words, all required, in id, name, description or tags"))
    .addOption(textsOption("-t, --tag <tags...>", "the skill has all of these tags"))
    .addOption(
      choiceOption("-a, --adapter <type>", `how it is called: ${adapterTypes.join(", ")}`, adapterTypes),
    )
    .addOption(
      rateOption(
        "--min-completion <rate>",
        "least historical completion rate, 0 to 1; drops skills without history",
      ),
    )
    .addOption(textOption("--skills-dir <dir>", "folder to look in (default: ./skills)"))
    .addOption(countOption("--limit <n>", "at most this many (default: 20)", 1))
    .addOption(storeOption());
  command.action(async () => {
    const flags = command.opts<FindFlags>();
    await start(command, async (io) => (await import("./find.ts")).findCommand(flags, io));
  });
}
