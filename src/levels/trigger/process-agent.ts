import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ProcessEnd, ProcessReader } from "../../adapters/process-reader.ts";
import { withinDeadline } from "../../adapters/within-deadline.ts";
import type { SkillProcess } from "../../contract/sandbox.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import { findProgram, isExecutable } from "../../shared/files/find-program.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import { informativeLine } from "../../shared/text/informative-line.ts";
import { shortenWords, shownText, visibleText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { readAgentLine } from "./agent-activations.ts";
import type { AgentOutcome, TriggerAgent } from "./judges/agent-judge.ts";

export interface ProcessAgentOptions {
  /** As it was typed: never read from a file, since it runs as the user does. */
  command: string;
  timeoutMs: number;
  /** The whole environment of the agent: it needs its own keys and its own home. */
  env: NodeJS.ProcessEnv;
  /** Where the paths in the command begin. */
  cwd?: string;
}

/** Refuses an agent whose program is not there, before anything is asked of it. */
export function requireAgent({
  command,
  env,
  cwd = process.cwd(),
}: Omit<ProcessAgentOptions, "timeoutMs">): void {
  const [program] = commandWords(command, cwd);
  const isPath = program.includes("/");
  if (isPath ? isExecutable(program) : findProgram(program, env) !== null) return;
  const where = isPath
    ? existsSync(program)
      ? "is not an executable file"
      : "does not exist"
    : "is not on PATH";
  throw new UserError("usage", `--agent: the program ${shownText(program, 200)} ${where}`, {
    path: isPath ? program : undefined,
    hint: "install it, or name it by its path",
  });
}

/**
 * An agent that is a program: gets the request on its standard input, in the folder of its project, and reports in JSON
 * lines which skills it activated. It runs as the user, and all processes it started end with it.
 */
export function processAgent({
  command,
  timeoutMs,
  env,
  cwd = process.cwd(),
}: ProcessAgentOptions): TriggerAgent & AsyncDisposable {
  const argv = commandWords(command, cwd);
  const sandbox = openSandbox({ level: "off", killGraceMs: 0, memoryMb: null, env });

  async function run(
    { query, project }: { query: string; project: string },
    signal: AbortSignal,
  ): Promise<AgentOutcome> {
    signal.throwIfAborted();
    const child = sandbox.start({ argv, cwd: project, env: {}, deadlineMs: null });
    try {
      const trajectory = listenTo(child);
      child.stdin.end(`${query}\n`);
      const end = await withinDeadline(trajectory.ended, { deadlineMs: timeoutMs, signal });
      if (end !== null) return agentOutcome(end, trajectory);
      return { status: "timed-out", message: `did not finish within ${timeoutMs} ms${trajectory.why()}` };
    } finally {
      await child.kill(); // also what it left behind: the project is about to go
    }
  }

  return {
    name: shownText(command),
    identity: { command: sha256(canonicalJson(argv)) },
    run,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

const outputCapBytes = 32 * 1024 * 1024;
const maxNames = 1000;

type End = ProcessEnd | { kind: "flood" };

interface Trajectory {
  ended: Promise<End>;
  activated: ReadonlySet<string>;
  /** Lines that could be understood. */
  understood(): number;
  /** The problem that the agent reported. */
  problem(): string | null;
  /** What it wrote to its standard error about it, as a part of a sentence. */
  why(): string;
}

function listenTo(child: SkillProcess): Trajectory {
  const activated = new Set<string>();
  let understood = 0;
  let problem: string | null = null;
  let end: (end: End) => void = () => {};
  const ended = new Promise<End>((resolve) => {
    end = resolve;
  });
  const reader = new ProcessReader(child, outputCapBytes, {
    onLine(bytes) {
      const line = readAgentLine(bytes);
      if (line === null) return;
      understood++;
      problem = line.problem ?? problem;
      for (const name of line.activated) if (activated.size < maxNames) activated.add(name);
    },
    onFlood: () => end({ kind: "flood" }),
    onEnd: (how) => end(how),
  });
  return {
    ended,
    activated,
    understood: () => understood,
    problem: () => problem,
    why() {
      const line = visibleText(informativeLine(reader.stderrTail));
      return line === "" ? "" : `: ${line}`;
    },
  };
}

/** An incomplete trajectory is a failure: what an agent did not do is known only at its end. */
function agentOutcome(end: End, { activated, understood, problem, why }: Trajectory): AgentOutcome {
  const failed = (message: string) => ({ status: "failed", message: `${message}${why()}` }) as const;
  if (end.kind === "flood") return failed(`it wrote more than ${outputCapBytes} bytes`);
  if (end.kind === "not-started") return failed(`it could not be started: ${end.error.message}`);
  const { code, signal, refusal } = end.exit;
  if (refusal !== undefined) return failed(refusal);
  if (signal !== null) return failed(`it was ended by ${signal}`);
  if (code !== 0) return failed(`it ended with exit code ${code}`);
  if (understood() === 0) return failed("it wrote no line of JSON with a type");
  const reported = problem();
  if (reported !== null) return { status: "failed", message: shortenWords(reported, maxProblemChars) };
  return { status: "answered", activated: [...activated] };
}

const maxProblemChars = 300;

function commandWords(command: string, cwd: string): readonly [string, ...string[]] {
  const hint = 'such as --agent "claude -p --output-format stream-json --verbose"';
  try {
    const [program, ...args] = splitCommand(command);
    if (program !== undefined) {
      const found = program.includes("/") ? resolve(cwd, program) : program;
      return [found, ...args.map((word) => fromHere(word, cwd))];
    }
  } catch (error) {
    throw new UserError("usage", `--agent ${(error as Error).message}`, { hint });
  }
  throw new UserError("usage", "--agent is empty", { hint });
}

/** The agent starts in its project, so relative paths of the command are resolved here. */
function fromHere(word: string, cwd: string): string {
  return /^\.\.?\//.test(word) ? resolve(cwd, word) : word;
}
