import type { OpenToolHosts } from "../../adapters/tool-hosts.ts";
import type { SchemaLocations } from "../../config/schemas/find-output-schema.ts";
import { longestTimerMs } from "../../contract/limits.ts";
import type { HostedTool, ToolHosts } from "../../contract/tool-host.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { changesSince, type FolderTrace, traceFolder } from "../../skills/folder/folder-trace.ts";
import {
  type CheckEnd,
  errorMessage,
  failed,
  isUndecided,
  missingModule,
  passed,
  skipped,
  undecided,
} from "./check-end.ts";
import { deterministic, noSwallowedError, returnsObject } from "./check-results.ts";
import { claimsHold } from "./claims-hold.ts";
import { refusesBadInput } from "./refuses-bad-input.ts";
import { type ToolCheckName, type ToolCheckResult, toolChecks } from "./tool-check.ts";
import type { ToolSample } from "./tool-samples.ts";
import { trySamples } from "./try-samples.ts";

export interface CheckSetup {
  fresh: ToolHosts & Pick<OpenToolHosts, "load">;
  persistent: ToolHosts;
  /** Hosts in a sandbox in which nothing can be started. */
  closed: ToolHosts;
  concurrency: number;
  schemas: Pick<SchemaLocations, "given" | "cwd">;
  exclude: readonly string[];
  signal: AbortSignal;
}

/** A tool, what to try it with, and what its skill says it needs. */
export interface ToolToCheck {
  tool: HostedTool;
  samples: readonly ToolSample[];
  /** Modules that are neither of the standard library nor of the skill. */
  needs: readonly string[];
}

/** Runs every check on one tool. */
export async function checkTool(
  { tool, samples, needs }: ToolToCheck,
  setup: CheckSetup,
): Promise<ToolCheckResult[]> {
  const { dir } = tool.skill;
  const tracesSince = await watchTraces(dir, setup.exclude);
  const loading = await loads(tool, needs, setup);
  const refusing = await refusesBadInput(tool, samples, { hosts: setup.closed, signal: setup.signal });
  const results =
    loading.status === "pass" ? await resultChecks({ tool, samples, needs }, setup) : withoutResults(loading);
  const ends: Record<ToolCheckName, CheckEnd> = {
    loads: loading,
    "refuses-bad-input": refusing,
    ...results,
    "leaves-no-trace": await tracesSince(),
  };
  return toolChecks.map((check) => ({ check, ...ends[check] }));
}

async function loads(
  tool: HostedTool,
  needs: readonly string[],
  { fresh, signal }: CheckSetup,
): Promise<CheckEnd> {
  const outcome = await fresh.load(tool, { deadlineMs: longestTimerMs, signal });
  if (outcome.status === "answered") return passed(tool.script);
  if (isUndecided(outcome)) return undecided(errorMessage(outcome));
  const missing = missingModule(outcome, needs);
  if (missing !== null) return skipped(`needs ${missing}, which is not installed here`);
  return failed(errorMessage(outcome), `run eval-skills doctor to check ${tool.script} without running it`);
}

type ResultChecks = Record<
  "returns-object" | "deterministic" | "claims-hold" | "no-swallowed-error",
  CheckEnd
>;

async function resultChecks({ tool, samples, needs }: ToolToCheck, setup: CheckSetup): Promise<ResultChecks> {
  const tried = await trySamples(tool, samples, setup);
  return {
    "returns-object": returnsObject(tool, tried, needs),
    deterministic: deterministic(tried),
    "claims-hold": claimsHold(tried, { ...setup.schemas, skillDir: tool.skill.dir }),
    "no-swallowed-error": noSwallowedError(tried),
  };
}

function withoutResults({ status }: CheckEnd): ResultChecks {
  const end = status === "invalid" ? undecided("unknown whether it loads") : skipped("it does not load");
  return { "returns-object": end, deterministic: end, "claims-hold": end, "no-swallowed-error": end };
}

/** Records a skill's folder now, and checks later whether it is unchanged. */
async function watchTraces(dir: string, exclude: readonly string[]): Promise<() => Promise<CheckEnd>> {
  const before = await traceFolder(dir, exclude);
  return async () => {
    const after = before.ok ? await traceFolder(dir, exclude) : before;
    return before.ok && after.ok
      ? compared(before.trace, after.trace)
      : skipped(`the folder ${traceProblem(before.ok ? after : before)}`);
  };
}

function compared(before: FolderTrace, after: FolderTrace): CheckEnd {
  const changes = changesSince(before, after);
  if (changes.length === 0) return passed("the skill folder is unchanged");
  return failed(
    `the skill folder changed: ${pluralize(changes.length, "path")}`,
    "use tempfile.TemporaryDirectory(), or return the data instead of writing it",
    changes
      .slice(0, maxChanges)
      .map(({ path, change }) => ({ input: null, place: path, reason: `was ${change}` })),
  );
}

const maxChanges = 10;

function traceProblem(traced: Awaited<ReturnType<typeof traceFolder>>): string {
  return traced.ok ? "" : traced.problem;
}
