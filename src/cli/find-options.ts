import type { Command } from "commander";
import { adapterTypes } from "../contract/adapter-type.ts";
import { type Options, type OptionTable, row } from "../contract/option-table.ts";
import { commonRows } from "../run/common-options.ts";
import { addAction, declareCommand, type Start } from "./declare-command.ts";

const findTable = {
  query: row.text("-q, --query <text>", "words, all required, in id, name, description or tags"),
  tag: row.texts("-t, --tag <tags...>", "the skill has all of these tags"),
  adapter: row.choice("-a, --adapter <type>", `how it is called: ${adapterTypes.join(", ")}`, {
    choices: adapterTypes,
  }),
  minCompletion: row.rate(
    "--min-completion <rate>",
    "least historical completion rate, 0 to 1; drops skills without history",
  ),
  skillsDir: row.text("--skills-dir <dir>", "folder to look in", { default: "./skills" }),
  limit: row.count("--limit <n>", "at most this many", { min: 1, default: 20 }),
  store: commonRows.store,
} satisfies OptionTable;

export type FindFlags = Options<typeof findTable>;

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
  addAction(command, findTable, start, async (options, io) =>
    (await import("./find.ts")).findCommand(options, io),
  );
}
