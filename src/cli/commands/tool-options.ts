import type { Command } from "commander";
import { longestTimerMs } from "../../contract/limits.ts";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { commonRows, containmentRows, toolHostRows } from "../../engine/common-options.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { anyText } from "../io/option-values.ts";

const timeout = row.count("--timeout <ms>", "timeout of one call", {
  min: 1,
  max: longestTimerMs,
  defaultText: "from eval.yaml, or 30000",
});

const callTable = {
  skill: row.text("<skill>", "skill folder or manifest, or an id from ./skills or skills.roots"),
  tool: row.text("<tool>", "tool name"),
  args: row.text("--args <json|@file|->", "arguments as JSON, from a file or from stdin", {
    parse: anyText,
    default: "{}",
  }),
  document: row.text("--document <file>", "the open document: .md, .txt or .docx"),
  ...toolHostRows,
  timeout,
  ...containmentRows,
} satisfies OptionTable;

const checkTable = {
  skills: row.texts("<skills...>", "skills, folders of skills, or <skill>#<tool>"),
  schema: row.texts("--schema <name=file...>", "schema files for the names used in results", { default: [] }),
  timeout,
  concurrency: { ...commonRows.concurrency, help: "parallel calls" },
  ...containmentRows,
} satisfies OptionTable;

export type ToolCallFlags = Options<typeof callTable>;
export type ToolCheckFlags = Options<typeof checkTable>;

/** Declares `tool call` and `tool check`. */
export function declareTool(program: Command, start: Start): void {
  const tool = declareCommand(program, "tool", "Call and check the tools that skills declare", [
    `eval-skills tool call ./skills/notes word_count --args '{"doc_text":"one two"}'`,
    "eval-skills tool check ./skills",
  ]).helpCommand("help [command]", "show help for a command");
  const call = declareCommand(tool, "call", "Call a tool once and print what a model would read", [
    `eval-skills tool call ./skills/notes word_count --args '{"doc_text":"one two"}'`,
    "eval-skills tool call ./skills/contract-review risk_detector --document ./contract.docx",
    "cat arguments.json | eval-skills tool call notes word_count --args -",
  ]);
  addAction(call, callTable, start, async (options, io) =>
    (await import("./tool.ts")).toolCallCommand(options, io),
  );
  const check = declareCommand(
    tool,
    "check",
    "Check that tools load, reject bad input and are deterministic",
    [
      "eval-skills tool check ./skills",
      "eval-skills tool check ./skills/notes#word_count",
      "eval-skills tool check ./skills --schema plan.v2=./plans/plan.v2.schema.json",
    ],
  );
  addAction(check, checkTable, start, async (options, io) =>
    (await import("./tool.ts")).toolCheckCommand(options, io),
  );
}
