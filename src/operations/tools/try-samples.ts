import { longestTimerMs } from "../../contract/limits.ts";
import type { HostedTool, ToolHosts, ToolOutcome } from "../../contract/tool-host.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { ToolSample } from "./tool-samples.ts";

export interface TriedSample {
  sample: ToolSample;
  first: ToolOutcome;
  /** The same call again: in a second process of its own, and in one that has served it before. None where the first gave no result. */
  again: readonly { how: string; outcome: ToolOutcome }[];
}

export interface TrialHosts {
  fresh: ToolHosts;
  persistent: ToolHosts;
  /** How many calls there are at once. */
  concurrency: number;
  signal: AbortSignal;
}

/** Calls a tool with every sample, several times. */
export async function trySamples(
  tool: HostedTool,
  samples: readonly ToolSample[],
  { fresh, persistent, concurrency, signal }: TrialHosts,
): Promise<TriedSample[]> {
  const limits = { deadlineMs: longestTimerMs, signal };
  const call = async (hosts: ToolHosts, { arguments: given, document }: ToolSample) => {
    // Printed output is dropped: it is not needed, and there may be many samples.
    const {
      stderrTail: _,
      stray: __,
      ...outcome
    } = await hosts.call({ tool, arguments: given, document }, limits);
    return outcome as ToolOutcome;
  };
  const tried: { sample: ToolSample; first: ToolOutcome; again: { how: string; outcome: ToolOutcome }[] }[] =
    [];
  await forEachLimited(samples.entries(), concurrency, async ([n, sample]) => {
    const first = await call(fresh, sample);
    const second = first.status === "answered" ? await call(fresh, sample) : null;
    tried[n] = {
      sample,
      first,
      again: second === null ? [] : [{ how: "in a new process", outcome: second }],
    };
  });
  // One after the other, so that one host serves them all and leftovers of a call affect the next.
  for (const { sample, first, again } of tried) {
    if (first.status !== "answered") continue;
    await call(persistent, sample);
    again.push({ how: "in a reused process", outcome: await call(persistent, sample) });
  }
  return tried;
}

/** The samples that gave a result, with it. */
export function answeredSamples(tried: readonly TriedSample[]): (TriedSample & { data: JsonObject })[] {
  return tried.flatMap((one) =>
    one.first.status === "answered" ? [{ ...one, data: one.first.output as JsonObject }] : [],
  );
}
