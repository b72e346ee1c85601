import type { Command } from "commander";
import {
  flagName,
  type OptionRow,
  type Options,
  type OptionTable,
  row,
  typedConfig,
} from "../../contract/option-table.ts";
import { containmentRows, vacuousRows } from "../../engine/common-options.ts";
import { unitRows } from "../../levels/unit/options.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo } from "../io/command-io.ts";
import { addOptions, declareCommand, readOptions, type Start } from "../io/declare-command.ts";
import { anyText } from "../io/option-values.ts";

const example = `eval-skills task --skill ./skills/my_calc --input '{"expression":"2+3"}' --exact 5`;

/** What can be expected of an answer. */
const expectationRows = {
  exact: row.text("--exact <json>", "expect exactly this answer", { parse: anyText }),
  contains: row.texts("--contains <words...>", "expect all of these texts in the answer", { parse: anyText }),
  regex: row.texts("--regex <patterns...>", "expect the answer to match all of these", { parse: anyText }),
  schema: row.text("--schema <json|@file>", "expect the answer to match this JSON Schema", {
    parse: anyText,
  }),
  closeTo: row.number("--close-to <n>", "expect this number, with a tolerance of 1e-6"),
  judge: row.text("--judge <rubric>", "let a model judge the answer by this rubric"),
  custom: row.text("--custom <path>", "score the answer with your own scorer"),
} satisfies OptionTable;

const taskTable = {
  skill: row.text("--skill <path>", "skill file or folder (required)", { required: example }),
  input: row.text("--input <json|@file|->", "input as JSON, from a file or from stdin (required)", {
    parse: anyText,
    required: example,
  }),
  ...expectationRows,
  model: row.text("--model <id>", "model for --judge", { defaultText: "llm.model" }),
  timeoutMs: unitRows.timeoutMs,
  ...containmentRows,
  ...vacuousRows,
  output: row.choice("--output <json|text>", "output format; json equals --json", {
    choices: ["text", "json"],
    default: "text",
  }),
} satisfies OptionTable;

/** What was typed after `task`: among the rest, exactly one expectation. */
export type TaskFlags = Options<typeof taskTable>;

/** Declares `task`. What runs it is loaded only when it is called. */
export function declareTask(program: Command, start: Start): void {
  const command = declareCommand(program, "task", "Run one skill on one input and check the answer", [
    example,
    "eval-skills task --skill ./skills/my_search --input @question.json --contains Paris France",
    `echo '{"x":2}' | eval-skills task --skill ./skills/my_sqrt --input - --close-to 1.414214`,
    `eval-skills task --skill ./skills/my_writer --input '"a haiku"' --judge "has three lines" --model gpt-4o`,
  ]);
  addOptions(command, taskTable);
  command.action(async () => {
    const options = readOptions(command, taskTable);
    if (options.output === "json") command.setOptionValue("json", true);
    const flag = expectationFlag(options);
    const run = async (io: CommandIo) => (await import("./task.ts")).taskCommand(options, flag, io);
    await start(command, run, typedConfig(taskTable, options));
  });
}

/** The flag of the one expectation; refuses none, and several. */
function expectationFlag(options: TaskFlags): string {
  const rows = Object.entries(expectationRows) as [keyof typeof expectationRows, OptionRow][];
  const given = rows.flatMap(([name, row]) => (options[name] === undefined ? [] : [flagName(row)]));
  const [flag, ...others] = given;
  if (flag === undefined)
    throw new UserError("usage", "no expectation given", {
      hint: `add one of ${rows.map(([, row]) => flagName(row)).join(", ")}`,
    });
  if (others.length > 0)
    throw new UserError("usage", `only one expectation is allowed, got ${given.join(", ")}`);
  if (options.model !== undefined && options.judge === undefined)
    throw new UserError("usage", "--model requires --judge");
  return flag;
}
