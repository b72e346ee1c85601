import type { Command, Option } from "commander";
import { mostConcurrency } from "../contract/run-limits.ts";
import { longestTimerMs } from "../contract/timer.ts";
import { type ContainmentFlags, containmentOptions } from "./containment-options.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { countOption, textOption, textsOption } from "./declare-option.ts";
import { parseText } from "./option-values.ts";
import { type ToolHostFlags, toolHostOption } from "./tool-host-option.ts";

/** What was typed after `tool call`. */
export interface ToolCallFlags extends ContainmentFlags, ToolHostFlags {
  skill: string;
  tool: string;
  args?: string;
  document?: string;
  timeout?: number;
}

/** What was typed after `tool check`. */
export interface ToolCheckFlags extends ContainmentFlags {
  skills: string[];
  schema?: string[];
  timeout?: number;
  concurrency?: number;
}

/** Declares `tool call` and `tool check`. */
export function declareTool(program: Command, start: Start): void {
  const tool = declareCommand(program, "tool", "Call and check the tools that skills declare", [
    `eval-skills tool call ./skills/notes word_count --args '{"doc_text":"one two"}'`,
    "eval-skills tool check ./skills",
  ]).helpCommand("help [command]", "show the help of a command");
  declareToolCall(tool, start);
  declareToolCheck(tool, start);
}

function declareToolCall(tool: Command, start: Start): void {
  const command = declareCommand(tool, "call", "Call a tool once; what a model would read goes to stdout", [
    `eval-skills tool call ./skills/notes word_count --args '{"doc_text":"one two"}'`,
    "eval-skills tool call ./skills/contract-review risk_detector --document ./contract.docx",
    "cat arguments.json | eval-skills tool call notes word_count --args -",
  ]);
  command
    .argument("<skill>", "folder or manifest of the skill, or its id in ./skills and skills.roots")
    .argument("<tool>", "name of the tool")
    .option("--args <json|@file|->", "arguments as JSON, in a file or piped in (default: {})")
    .addOption(textOption("--document <file>", "the open document: .md, .txt or .docx"));
  for (const option of [toolHostOption(), timeoutOption(), ...containmentOptions()])
    command.addOption(option);
  command.action(async (skill: string, name: string) => {
    const flags = {
      ...command.opts<Omit<ToolCallFlags, "skill" | "tool">>(),
      skill: parseText(skill, "<skill>"),
      tool: parseText(name, "<tool>"),
    };
    await start(command, async (io) => (await import("./tool-call.ts")).toolCallCommand(flags, io));
  });
}

function declareToolCheck(tool: Command, start: Start): void {
  const command = declareCommand(
    tool,
    "check",
    "Check that tools load, refuse bad input, and give the same for the same",
    [
      "eval-skills tool check ./skills",
      "eval-skills tool check ./skills/notes#word_count",
      "eval-skills tool check ./skills --schema plan.v2=./plans/plan.v2.schema.json",
    ],
  );
  command.argument("<skills...>", "skills, folders of skills, or <skill>#<tool>");
  const options = [
    textsOption("--schema <name=file...>", "where schemas lie that results name"),
    timeoutOption(),
    countOption("--concurrency <n>", "parallel calls (default: 4)", 1, mostConcurrency),
    ...containmentOptions(),
  ];
  for (const option of options) command.addOption(option);
  command.action(async (typed: string[]) => {
    const skills = typed.map((path) => parseText(path, "<skills...>"));
    const flags = { ...command.opts<Omit<ToolCheckFlags, "skills">>(), skills };
    await start(command, async (io) => (await import("./tool-check.ts")).toolCheckCommand(flags, io));
  });
}

function timeoutOption(): Option {
  return countOption(
    "--timeout <ms>",
    "deadline of one call (default: what eval.yaml says, else 30000)",
    1,
    longestTimerMs,
  );
}
