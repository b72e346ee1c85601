import { type ProcessEnd, ProcessReader } from "../../adapters/process-reader.ts";
import { withinDeadline } from "../../adapters/within-deadline.ts";
import type { Sandbox, SkillProcess } from "../../contract/sandbox.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { informativeLine } from "../../shared/text/informative-line.ts";
import { shortenWords, visibleText } from "../../shared/text/visible-text.ts";
import type { Executed, PlanExecutor } from "./sources/plan-source.ts";

export interface ProcessExecutorOptions {
  argv: readonly [string, ...string[]];
  /** The folder of the bench. */
  dir: string;
  sandbox: Sandbox;
  /** Variables besides those that every process gets. */
  variables: Readonly<Record<string, string>>;
  maxOutputBytes: number;
  clock: Clock;
}

/** For one plan. */
const deadlineMs = 30_000;

/** A program of the bench that executes plans: it reads the plan from standard input and writes `{"ok": bool, "error"}`. */
export function processExecutor(options: ProcessExecutorOptions): PlanExecutor {
  const { argv, dir, sandbox, variables, maxOutputBytes, clock } = options;
  return {
    async run(plan, { signal }) {
      signal.throwIfAborted();
      const began = clock.monotonic();
      const command = { argv, cwd: dir, env: variables, deadlineMs };
      const child = sandbox.start(command);
      try {
        const output = listenTo(child, maxOutputBytes);
        child.stdin.end(plan);
        const end = await withinDeadline(output.ended, { deadlineMs, signal });
        const ms = clock.monotonic() - began;
        if (end !== null) {
          const outcome = executionOutcome(end, output, ms);
          const isCrash = outcome.status === "failed" && outcome.kind === "crash";
          const hindrance = isCrash ? sandbox.explain?.(command, { words: output.stderr() }) : null;
          if (!hindrance) return outcome;
          return { status: "refused", cause: "sandbox-hid", message: hindrance.why };
        }
        const message = `the executor did not answer within ${deadlineMs} ms`;
        return { status: "failed", kind: "timeout", message, ms };
      } finally {
        await child.kill(); // also what it left behind
      }
    },
  };
}

type End = ProcessEnd | { kind: "flood" };

interface ProcessOutput {
  ended: Promise<End>;
  lines: readonly string[];
  stderr(): string;
}

function listenTo(child: SkillProcess, maxOutputBytes: number): ProcessOutput {
  const lines: string[] = [];
  let end: (end: End) => void = () => {};
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });
  const reader = new ProcessReader(child, maxOutputBytes, {
    onLine: (line) => lines.push(line.toString("utf8")),
    onFlood: () => end({ kind: "flood" }),
    onEnd: (how) => end(how),
  });
  return { ended, lines, stderr: () => reader.stderrTail };
}

function executionOutcome(end: End, { lines, stderr }: ProcessOutput, ms: number): Executed {
  const crashed = (words: string): Executed => {
    const why = visibleText(informativeLine(stderr()));
    const message = `the executor ${words}${why === "" ? "" : `: ${why}`}`;
    return { status: "failed", kind: "crash", message, ms };
  };
  if (end.kind === "flood") return crashed("wrote more than it may");
  if (end.kind === "not-started")
    return { status: "refused", message: `the executor could not be started: ${end.error.message}` };
  const { code, signal, limit, refusal } = end.exit;
  if (refusal !== undefined) return { status: "refused", message: refusal };
  if (limit !== null) return crashed(`was ended (${limit})`);
  if (signal !== null) return crashed(`was ended by ${signal}`);
  if (code !== 0) return crashed(`ended with exit code ${code}`);
  const answer = answerIn(lines);
  if (answer === null)
    return { status: "failed", kind: "bad-answer", message: 'the executor did not answer {"ok": …}', ms };
  if (answer.ok) return { status: "done", ms };
  return { status: "failed", kind: "error", message: `execution failed: ${errorWords(answer.error)}`, ms };
}

const maxErrorChars = 240;

/** The answer is the whole output, or its last line after other output. */
function answerIn(lines: readonly string[]): { ok: boolean; error: unknown } | null {
  const lastWords = lines.filter((line) => line.trim() !== "");
  for (const text of [lastWords.join("\n"), lastWords.at(-1) ?? ""]) {
    const read = parseStrictJson(text.trim());
    if (read.ok && isMap(read.value) && typeof read.value.ok === "boolean")
      return { ok: read.value.ok, error: read.value.error };
  }
  return null;
}

function errorWords(error: unknown): string {
  if (error === undefined || error === null || error === "") return "no reason was given";
  return shortenWords(visibleText(typeof error === "string" ? error : JSON.stringify(error)), maxErrorChars);
}
