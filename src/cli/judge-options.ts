import { Option } from "commander";
import { type JudgeKind, judgeKinds } from "../contract/judge-kind.ts";
import { mostConcurrency } from "../contract/run-limits.ts";
import { longestTimerMs } from "../contract/timer.ts";
import {
  choiceOption,
  countOption,
  numberOption,
  storeOption,
  textOption,
  textsOption,
} from "./declare-option.ts";

/** What says who judges, shared by every command that asks a judge. */
export interface JudgeFlags {
  judge?: JudgeKind;
  judgeModel?: string;
  agent?: string;
  catalog?: string[];
  host?: string;
  group?: string[];
  allow?: string[];
  requireVectors?: true;
  record?: string;
  replay?: string;
  /** False after `--no-cache`. */
  cache?: boolean;
  maxCost?: number;
  concurrency?: number;
  seed?: number;
  timeout?: number;
  store?: string;
}

/** Who judges, among whom, and what that may cost: the same for every command that asks a judge. */
export function judgeOptions(): Option[] {
  return [
    choiceOption(
      "--judge <kind>",
      `${judgeKinds.join(", ")} (default: the skill's, else model or router)`,
      judgeKinds,
    ),
    textOption("--judge-model <id>", "the model that judges: <provider>/<model>"),
    textOption("--agent <command>", "the program that runs an agent, for --judge agent"),
    textsOption("--catalog <dirs...>", "folders of siblings (default: the folders around the skills)"),
    textOption("--host <name>", "only skills for this host: writer, et, wpp …"),
    textsOption("--group <names...>", "only skills of these groups"),
    textsOption("--allow <ids...>", "only these skills"),
    new Option("--require-vectors", "a choice by words alone is no answer"),
    textOption("--record <dir>", "record model calls in this folder"),
    textOption("--replay <dir>", "answer model calls from this folder, without network"),
    new Option("--no-cache", "ask again what was answered before"),
    numberOption("--max-cost <usd>", "what all judgments together may cost", 0),
    countOption("--concurrency <n>", "parallel judgments (default: 4)", 1, mostConcurrency),
    countOption("--seed <n>", "seed of card orders and statistics (default: 0)", 0),
    countOption("--timeout <ms>", "longest wait for one judgment (default: 30000)", 1, longestTimerMs),
    storeOption(),
  ];
}
