import type { Command } from "commander";
import {
  flagName,
  type OptionRow,
  type Options,
  type OptionTable,
  row,
  typedConfig,
} from "../contract/option-table.ts";
import { UserError } from "../contract/user-error.ts";
import { containmentRows } from "../run/common-options.ts";
import { unitRows } from "../run/eval-options.ts";
import type { CommandIo } from "./command-io.ts";
import { addOptions, declareCommand, readOptions, type Start } from "./declare-command.ts";
import { anyText } from "./option-values.ts";

const example = `eval-skills task --skill ./skills/my_calc --input '{"expression":"2+3"}' --exact 5`;

/** What can be expected of an answer. */
const expectationRows = {
  exact: row.text("--exact <json>", "the answer equals this", { parse: anyText }),
  contains: row.texts("--contains <words...>", "the answer contains all of these", { parse: anyText }),
  regex: row.texts("--regex <patterns...>", "the answer matches all of these", { parse: anyText }),
  schema: row.text("--schema <json|@file>", "the answer fits this JSON Schema", { parse: anyText }),
  closeTo: row.number("--close-to <n>", "the answer is this number, give or take 1e-6"),
  judge: row.text("--judge <rubric>", "a model finds that the answer meets this rubric"),
  custom: row.text("--custom <path>", "a scorer of your own passes the answer"),
} satisfies OptionTable;

const taskTable = {
  skill: row.text("--skill <path>", "file or folder of the skill (required)", { required: example }),
  input: row.text("--input <json|@file|->", "input as JSON, in a file or piped in (required)", {
    parse: anyText,
    required: example,
  }),
  ...expectationRows,
  model: row.text("--model <id>", "the model that --judge asks", { defaultText: "llm.model" }),
  timeoutMs: unitRows.timeoutMs,
  ...containmentRows,
  output: row.choice("--output <json|text>", "json is the same as --json", {
    choices: ["text", "json"],
    default: "text",
  }),
} satisfies OptionTable;

/** What was typed after `task`: among the rest, exactly one expectation. */
export type TaskFlags = Options<typeof taskTable>;

/** Declares `task`. What runs it is loaded only when it is called. */
export function declareTask(program: Command, start: Start): void {
  const command = declareCommand(program, "task", "Check one answer of one skill, without a benchmark", [
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
    throw new UserError("usage", "what is expected of the answer is missing", {
      hint: `give one of ${rows.map(([, row]) => flagName(row)).join(", ")}`,
    });
  if (others.length > 0)
    throw new UserError("usage", `only one expectation can be checked, and there are ${given.join(", ")}`);
  if (options.model !== undefined && options.judge === undefined)
    throw new UserError("usage", "--model names the model of --judge, which was not given");
  return flag;
}
