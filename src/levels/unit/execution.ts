import type { AdapterContext } from "../../adapters/open-adapter.ts";
import type { Benchmark } from "../../contract/benchmark.ts";
import type { Cell, ResolvedTask } from "../../contract/cell.ts";
import type { ContainmentStamp } from "../../contract/containment.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { Scorer } from "../../contract/scorer.ts";
import type { OpenPrograms } from "../../engine/programs/open-programs.ts";
import type { TaskRequest } from "../../scorers/choose-scorer.ts";
import type { Json } from "../../shared/json/json.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import type { UnitSubject } from "./suite.ts";

/** Executes a cell once. Throws only when the run is interrupted. */
export type Execute = (cell: Cell<ResolvedTask, UnitSubject>, signal: AbortSignal) => Promise<Outcome>;

/** Returns where an output does not match the skill's output schema. */
export type OutputCheck = (cell: Pick<Cell<ResolvedTask, UnitSubject>, "subject">, output: Json) => string[];

/** How cells are executed. */
export interface Execution {
  /** Makes a task's scorer for the answers of this execution. */
  prepareScorer(request: TaskRequest): Promise<Scorer>;
  /** Checks what can be checked about these skills and tasks, and gets ready to execute them. */
  open(request: ExecutionRequest): Promise<OpenExecution>;
}

interface ExecutionRequest {
  skills: readonly LoadedSkill[];
  tasks: readonly ResolvedTask[];
  /** The file of the tasks. */
  benchmarkPath: string;
  context: AdapterContext;
  /** What runs beside the skills; null where the suite has nothing of that kind. */
  programs: OpenPrograms | null;
  /** The names of the suite's services. */
  services: readonly string[];
}

export interface OpenExecution extends AsyncDisposable {
  execute: Execute;
  checkOutput: OutputCheck;
  /** How a result of this skill was contained; null where nothing of it runs on this machine. */
  stampOf(skillId: string): ContainmentStamp | null;
  warnings: string[];
}

/** The execution a benchmark asks for; each is loaded only where it is used. */
export async function executionFor({ subject }: Benchmark): Promise<Execution> {
  switch (subject) {
    case "skill":
      return (await import("./execute.ts")).unitExecution;
    case "files":
      return (await import("./execute-files.ts")).filesExecution;
    default:
      return subject satisfies never;
  }
}
