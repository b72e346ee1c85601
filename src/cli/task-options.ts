import { type Command, Option } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { textOption } from "./declare-option.ts";
import { type EvalFlags, evalOptions } from "./eval-options.ts";
import { withChoices } from "./known-values.ts";
import { listOf, parseChoice } from "./option-values.ts";
import { parseNumber } from "./strict-numbers.ts";

/** What is expected of the answer, as it was typed. */
type TypedExpectation =
  | { flag: "--exact"; value: string }
  | { flag: "--contains"; value: string[] }
  | { flag: "--regex"; value: string[] }
  | { flag: "--schema"; value: string }
  | { flag: "--close-to"; value: number }
  | { flag: "--judge"; value: string }
  | { flag: "--custom"; value: string };

/** What was typed after `task`. */
export interface TaskFlags extends Pick<EvalFlags, "timeout" | "sandbox" | "network" | "allowNetwork"> {
  skill: string;
  input: string;
  expectation: TypedExpectation;
  model?: string | undefined;
}

/** Options that mean here what they mean in `eval`. */
const shared = new Set(["--timeout", "--sandbox", "--network", "--allow-network"]);

/** Declares `task`. What runs it is loaded only when it is called. */
export function declareTask(program: Command, start: Start): void {
  const command = declareCommand(program, "task", "Check one answer of one skill, without a benchmark", [
    `eval-skills task --skill ./skills/my_calc --input '{"expression":"2+3"}' --exact 5`,
    "eval-skills task --skill ./skills/my_search --input @question.json --contains Paris France",
    `echo '{"x":2}' | eval-skills task --skill ./skills/my_sqrt --input - --close-to 1.414214`,
    `eval-skills task --skill ./skills/my_writer --input '"a haiku"' --judge "has three lines" --model gpt-4o`,
  ]);
  command
    .addOption(textOption("--skill <path>", "file or folder of the skill (required)"))
    .option("--input <json|@file|->", "input as JSON, in a file or piped in (required)")
    .option("--exact <json>", "the answer equals this")
    .option("--contains <words...>", "the answer contains all of these", listOf(String))
    .option("--regex <patterns...>", "the answer matches all of these", listOf(String))
    .option("--schema <json|@file>", "the answer fits this JSON Schema")
    .option("--close-to <n>", "the answer is this number, give or take 1e-6", (value) =>
      parseNumber(value, "--close-to"),
    )
    .addOption(textOption("--judge <rubric>", "a model finds that the answer meets this rubric"))
    .addOption(textOption("--custom <path>", "a scorer of your own passes the answer"))
    .addOption(textOption("--model <id>", "the model that --judge asks (default: llm.model)"));
  for (const option of evalOptions()) if (shared.has(option.long ?? "")) command.addOption(option);
  command.addOption(outputOption(command));
  command.action(async () => {
    const flags = readFlags(command.opts());
    await start(command, async (io) => (await import("./task.ts")).taskCommand(flags, io));
  });
}

const outputs = ["text", "json"] as const;

function outputOption(command: Command): Option {
  const option = new Option("--output <json|text>", "json is the same as --json (default: text)");
  return withChoices(
    option.argParser((value) => {
      const output = parseChoice(value, "--output", outputs);
      if (output === "json") command.setOptionValue("json", true);
      return output;
    }),
    outputs,
  );
}

const expectations = ["exact", "contains", "regex", "schema", "closeTo", "judge", "custom"] as const;

function readFlags(typed: Record<string, unknown>): TaskFlags {
  const { skill, input, model } = typed as { skill?: string; input?: string; model?: string };
  const hint = `eval-skills task --skill ./skills/my_calc --input '{"expression":"2+3"}' --exact 5`;
  if (skill === undefined) throw new UserError("usage", "--skill is missing", { hint });
  if (input === undefined) throw new UserError("usage", "--input is missing", { hint });
  const given = expectations.filter((name) => typed[name] !== undefined);
  const [name] = given;
  if (name === undefined)
    throw new UserError("usage", "what is expected of the answer is missing", {
      hint: `give one of ${expectations.map(flagOf).join(", ")}`,
    });
  if (given.length > 1)
    throw new UserError(
      "usage",
      `only one expectation can be checked, and there are ${given.map(flagOf).join(", ")}`,
    );
  if (model !== undefined && name !== "judge")
    throw new UserError("usage", "--model names the model of --judge, which was not given");
  const expectation = { flag: flagOf(name), value: typed[name] } as TypedExpectation;
  const { timeout, sandbox, network, allowNetwork } = typed as Partial<EvalFlags>;
  return {
    skill,
    input,
    expectation,
    model,
    ...(timeout !== undefined && { timeout }),
    ...(sandbox !== undefined && { sandbox }),
    ...(network !== undefined && { network }),
    ...(allowNetwork !== undefined && { allowNetwork }),
  };
}

function flagOf(name: (typeof expectations)[number]): TypedExpectation["flag"] {
  return name === "closeTo" ? "--close-to" : `--${name}`;
}
