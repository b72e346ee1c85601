import { setMaxListeners } from "node:events";
import { persistentAdapter } from "../src/adapters/persistent.ts";
import { perCallAdapter } from "../src/adapters/subprocess.ts";
import type { Adapter, Outcome } from "../src/contract/outcome.ts";
import type { Sandbox, SkillCommand, SkillProcess } from "../src/contract/sandbox.ts";
import { openSandbox, type SandboxOptions } from "../src/sandbox/open-sandbox.ts";
import type { Json } from "../src/shared/json/json.ts";
import { commandIn, programs } from "./programs.ts";

export interface SkillOptions extends Partial<SandboxOptions> {
  lifecycle?: "per-call" | "persistent";
  cwd?: string;
  variables?: Record<string, string>;
  maxOutputBytes?: number;
  onStart?: (exited: Promise<unknown>) => void;
}

/** One of the fixture programs behind its adapter, in a sandbox of its own, and every process it had. */
export async function openSkill(
  program: string,
  args: readonly string[] = [],
  options: SkillOptions = {},
): Promise<Adapter & { processes: readonly SkillProcess[]; commands: readonly SkillCommand[] }> {
  const { lifecycle = "per-call", cwd = programs, variables = {}, maxOutputBytes = 5_242_880 } = options;
  const sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null, ...options });
  const processes: SkillProcess[] = [];
  const commands: SkillCommand[] = [];
  const watched: Sandbox = {
    ...sandbox,
    start(command) {
      const process = sandbox.start(command);
      processes.push(process);
      options.onStart?.(process.exited);
      commands.push(command);
      return process;
    },
  };
  const open = lifecycle === "persistent" ? persistentAdapter : perCallAdapter;
  const argv = await commandIn(sandbox, program, args);
  const adapter = open({ argv, cwd, env: variables, maxOutputBytes, sandbox: watched });
  return {
    call: adapter.call,
    processes,
    commands,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

/** What a call answered; anything but an answer fails the test. */
export function readOutput(outcome: Outcome): Json {
  if (outcome.status !== "answered") throw new Error(`${outcome.status}: ${outcome.message}`);
  return outcome.output;
}

/** Limits of calls that nothing interrupts, as many as there may be. */
export function within(deadlineMs: number): { deadlineMs: number; signal: AbortSignal } {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return { deadlineMs, signal };
}
