import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { openToolHosts } from "../../adapters/tool-hosts.ts";
import type { LoadedBench } from "../../contract/planbench-file.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { ToolHosts } from "../../contract/tool-host.ts";
import { openProcessSandbox, passedVariables } from "../../engine/containment/open-containment.ts";
import { closing } from "../../engine/session.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { findInterpreter } from "../../shared/files/find-interpreter.ts";
import { isInside, nearPath } from "../../shared/files/paths.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { ChosenSkills } from "./bench-skills.ts";
import type { BenchContext } from "./prepare.ts";
import { processExecutor } from "./process-executor.ts";
import type { BenchPlan } from "./request.ts";
import type { PlanExecutor } from "./sources/plan-source.ts";

/** What tools and the executor of a bench could reach. */
type BenchIsolation = {
  level: string;
  backend: string | null;
  network: Json;
  unproven: string[];
};

/** What a bench may start on this machine, and in which sandbox. */
export interface BenchProcesses extends AsyncDisposable {
  /** Executes plans; null where none is configured. */
  executor: PlanExecutor | null;
  hosts: ToolHosts;
  sandbox: Sandbox;
  /** Null where nothing is started. */
  isolation: BenchIsolation | null;
}

export async function openProcesses(
  bench: LoadedBench,
  chosen: readonly ChosenSkills[],
  plan: BenchPlan,
  context: BenchContext & { clock: Clock },
): Promise<BenchProcesses> {
  const { dir } = bench;
  const { envKeys, maxOutputBytes } = plan;
  const { env, clock } = context;
  const [first, ...others] = chosen.flatMap(({ tool }) => tool?.hosted ?? []);
  const startsSome = bench.executor !== null || first !== undefined;
  const options = { mayStart: startsSome, floors: [], hidden: [bench.path] };
  const sandbox = await openProcessSandbox(plan, context, options);
  return openOrClose(closing(sandbox), async () => {
    const argv = await reachableCommand(bench, { env, cwd: plan.cwd }, sandbox);
    const hosts = openToolHosts({ mode: "fresh", sandbox, env, envKeys, maxOutputBytes });
    if (first !== undefined && context.isDryRun !== true) await hosts.prepare([first, ...others]);
    const variables = passedVariables(envKeys, env);
    const { level, backend, network, unproven } = sandbox.containment;
    return {
      executor: argv && processExecutor({ argv, dir, sandbox, variables, maxOutputBytes, clock }),
      hosts,
      sandbox,
      isolation: startsSome ? { level, backend, network: network as Json, unproven: [...unproven] } : null,
      async [Symbol.asyncDispose]() {
        await hosts[Symbol.asyncDispose]();
        await sandbox[Symbol.asyncDispose]();
      },
    };
  });
}

/** The command with the path of its program, as a process in the sandbox finds it. */
async function reachableCommand(
  { executor, dir, shown }: LoadedBench,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
  sandbox: Sandbox,
): Promise<LoadedBench["executor"]> {
  if (executor === null) return null;
  const [program, ...words] = executor;
  const canReach = (path: string) => sandbox.canReach?.(path) ?? true;
  const { path, passedOver } = await findInterpreter(program, dir, env, canReach);
  if (path !== null) return [path, ...words];
  const named = program.includes("/") ? nearPath(program, cwd) : program;
  const problem = passedOver === null ? "which cannot be run" : "which the sandbox cannot reach";
  throw new UserError(
    "benchmark-invalid",
    `${shown}: $.executor names ${shownText(named, 200)}, ${problem}`,
    {
      path: shown,
      jsonPath: "$.executor",
      hint: passedOver === null ? "check that it is installed and executable" : `it is at ${passedOver}`,
    },
  );
}

/** Everything about a command that may change how it executes plans: its words, and the files of the bench they name. */
export function executorIdentity({ executor, dir }: Pick<LoadedBench, "executor" | "dir">): Json {
  if (executor === null) return null;
  return executor.map((word) => ({ word, digest: fileDigest(resolve(dir, word), dir) }));
}

const maxBytes = 16 * 1024 * 1024;

function fileDigest(path: string, dir: string): string | null {
  const found = isInside(dir, path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return found?.isFile() === true && found.size <= maxBytes ? sha256(readFileSync(path)) : null;
}
