import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { adapterTypes } from "../../contract/skill-facts.ts";
import { commonRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";

const findTable = {
  query: row.text("-q, --query <text>", "words that must all appear in id, name, description or tags"),
  tag: row.texts("-t, --tag <tags...>", "only skills with all of these tags"),
  adapter: row.choice("-a, --adapter <type>", `adapter type: ${adapterTypes.join(", ")}`, {
    choices: adapterTypes,
  }),
  minCompletion: row.rate(
    "--min-completion <rate>",
    "minimum historical completion rate, 0 to 1; excludes skills without history",
  ),
  skillsDir: row.text("--skills-dir <dir>", "folder to search", { default: "./skills" }),
  limit: row.count("--limit <n>", "maximum number of results", { min: 1, default: 20 }),
  store: commonRows.store,
} satisfies OptionTable;

export type FindFlags = Options<typeof findTable>;

export function declareFind(program: Command, start: Start): void {
  const command = declareCommand(
    program,
    "find",
    "Search skills of all kinds, with their token costs and results so far",
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
