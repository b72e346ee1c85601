import { Task } from "../../contract/task.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { commonOutput } from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { type CheckEnd, checkOnce } from "../../operations/eval/check-once.ts";
import { planOptions } from "../../operations/eval/request.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { jsonFileOrPipe, jsonOrFile, typedJson } from "../io/json-argument.ts";
import { loadConfigForSkills } from "../io/load-command-config.ts";
import { checkLines } from "../output/check-lines.ts";
import type { TaskFlags } from "./task-options.ts";

/** `task`: checks one input against one expectation. Nothing is stored. */
export async function taskCommand(flags: TaskFlags, expectation: string, io: CommandIo): Promise<ExitCode> {
  const loaded = await loadConfigForSkills(io);
  const task = await readTask(flags, io);
  const { skill, sandbox, timeoutMs, allowVacuous } = flags;
  const { cwd } = io;
  const { env } = loaded;
  const output = commonOutput({}, loaded, cwd);
  using interrupt = listenForInterrupt();
  try {
    const end = await checkOnce({
      plan: planOptions({ skills: [skill], sandbox, timeoutMs, allowVacuous }, loaded, cwd),
      // One answer is not worth a dozen questions about the judge.
      context: { ...makeRunContext({ ...loaded, env, cwd, output }), reliance: "unchecked" },
      task,
      source: expectation,
      signal: interrupt.signal,
      onReady({ sandbox: { containment }, warnings }) {
        for (const warning of warnings) io.warn(warning);
        if (containment.level !== "strict") io.warn(describeContainment(containment));
        if (flags.judge !== undefined) io.note("the judge was not checked with canaries first, as eval does");
      },
    });
    return reportEnd(end, io);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: the skill was stopped and nothing was saved");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}

function reportEnd({ result, containment, chatter }: CheckEnd, io: CommandIo): ExitCode {
  const exitCode = result.status === "pass" ? 0 : result.status === "invalid" ? 3 : 1;
  if (io.verbose) {
    for (const line of chatter.stray ?? []) io.note(`stdout: ${line}`);
    for (const line of chatter.stderrTail?.trimEnd().split("\n") ?? []) io.note(`stderr: ${line}`);
  }
  io.result({ result, containment, exitCode }, checkLines(result, io.color));
  return exitCode;
}

async function readTask(flags: TaskFlags, io: CommandIo): Promise<Task> {
  return Task.parse({
    id: "check",
    inputData: await jsonFileOrPipe(flags.input, "--input", io),
    ...readExpectation(flags, io.cwd),
  });
}

function readExpectation(
  { exact, contains, regex, schema, closeTo, judge, custom, model }: TaskFlags,
  cwd: string,
): object {
  if (exact !== undefined)
    return { expectedOutput: { type: "exact_match", value: typedJson(exact, "--exact") } };
  if (contains !== undefined) return { expectedOutput: { type: "contains", keywords: contains } };
  if (regex !== undefined) return { expectedOutput: { type: "regex", patterns: regex } };
  if (schema !== undefined)
    return { expectedOutput: { type: "json_schema", schema: jsonOrFile(schema, "--schema", cwd) } };
  if (closeTo !== undefined) return { expectedOutput: { type: "close_to", value: closeTo } };
  if (judge !== undefined)
    return {
      expectedOutput: { type: "llm_judge", judgePrompt: judge },
      ...(model !== undefined && { evaluator: { model } }),
    };
  return { expectedOutput: { type: "custom", customScorerPath: custom } };
}
