import type { Json, JsonSchema } from "../contract/json.ts";
import { Task } from "../contract/task.ts";
import { checkLines } from "../reporters/check-lines.ts";
import { describeContainment } from "../reporters/describe-containment.ts";
import { type CheckEnd, checkOnce } from "../run/check-once.ts";
import { Interrupted } from "../run/interrupted.ts";
import { taskResult } from "../run/legacy/unit-shape.ts";
import { outputOptions, planOptions } from "../run/request.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { jsonFileOrPipe, jsonOrFile, typedJson } from "./json-argument.ts";
import type { TaskFlags } from "./task-options.ts";
import { toldConfig } from "./told-config.ts";

/** `task`: one input, one expectation, one answer. Nothing is stored. */
export async function taskCommand(flags: TaskFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedConfig(flags));
  const task = await readTask(flags, io);
  const { skill, sandbox, timeout } = flags;
  const wishes = { skills: [skill], sandbox, isTimeoutTyped: timeout !== undefined };
  const output = outputOptions(wishes, loaded, io.cwd);
  using interrupt = listenForInterrupt();
  try {
    const end = await checkOnce({
      plan: planOptions(wishes, loaded, io.cwd),
      around: surroundingsOf({
        ...io,
        output,
        apiKey: loaded.config.llm.apiKey,
        telemetry: loaded.config.telemetry,
      }),
      task,
      source: flags.expectation.flag,
      signal: interrupt.signal,
      onReady({ sandbox: { containment }, warnings }) {
        for (const warning of warnings) io.warn(warning);
        if (containment.level !== "strict") io.warn(describeContainment(containment));
      },
    });
    return tellEnd(end, io);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: the skill was ended, and nothing was kept");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}

function tellEnd({ result, containment, chatter }: CheckEnd, io: CommandIo): ExitCode {
  const exitCode = result.status === "pass" ? 0 : result.status === "invalid" ? 3 : 1;
  if (io.verbose) {
    for (const line of chatter.stray ?? []) io.note(`stdout: ${line}`);
    for (const line of chatter.stderrTail?.trimEnd().split("\n") ?? []) io.note(`stderr: ${line}`);
  }
  io.result({ result, containment, exitCode }, checkLines(taskResult(result), io.color));
  return exitCode;
}

async function readTask(flags: TaskFlags, io: CommandIo): Promise<Task> {
  return Task.parse({
    id: "check",
    inputData: await jsonFileOrPipe(flags.input, "--input", io),
    ...expectationOf(flags, io.cwd),
  });
}

function expectationOf(
  { expectation, model }: TaskFlags,
  cwd: string,
): Pick<Task, "expectedOutput" | "evaluator"> {
  const { flag, value } = expectation;
  switch (flag) {
    case "--exact":
      return { expectedOutput: { type: "exact_match", value: typedJson(value, flag) } };
    case "--contains":
      return { expectedOutput: { type: "contains", keywords: value } };
    case "--regex":
      return { expectedOutput: { type: "regex", patterns: value } };
    case "--schema":
      return {
        expectedOutput: { type: "json_schema", schema: jsonOrFile(value, flag, cwd) as Json & JsonSchema },
      };
    case "--close-to":
      return { expectedOutput: { type: "close_to", value } };
    case "--judge":
      return {
        expectedOutput: { type: "llm_judge", judgePrompt: value },
        ...(model !== undefined && { evaluator: { model } }),
      };
    case "--custom":
      return { expectedOutput: { type: "custom", customScorerPath: value } };
    default:
      return flag satisfies never;
  }
}
