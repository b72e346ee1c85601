import { injectDocument } from "../../adapters/tool-injection.ts";
import { longestTimerMs } from "../../contract/limits.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { HostedTool, ToolHosts } from "../../contract/tool-host.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { type BadInput, badInputs } from "./bad-inputs.ts";
import { type CheckEnd, failed, passed, skipped } from "./check-end.ts";
import type { ToolCheckDetail } from "./tool-check.ts";
import type { ToolSample } from "./tool-samples.ts";

/** Thrown where a process would be started: the arguments got through. */
class Entered extends Error {
  override readonly name = "Entered";
}

/** A sandbox in which nothing can be started: a call that returns was answered before the function was entered. */
export function closedSandbox({ containment }: Sandbox): Sandbox {
  return {
    containment,
    start() {
      throw new Entered("the arguments were not refused");
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** `refuses-bad-input`: arguments that the schema does not allow never reach the function. Takes hosts in a closed sandbox. */
export async function refusesBadInput(
  tool: HostedTool,
  samples: readonly ToolSample[],
  { hosts, signal }: { hosts: ToolHosts; signal: AbortSignal },
): Promise<CheckEnd> {
  const { parameters } = tool;
  if (parameters === null) return skipped("it has no parameters schema, so any object is accepted");
  const isRefused = (given: Json) => refuses(tool, given, hosts, signal);
  const good = await goodArguments(tool, samples, isRefused);
  if (good === null) return skipped("no valid arguments are known");
  const details: ToolCheckDetail[] = [];
  let properties = 0;
  let refused = 0;
  for (const { pointer, inputs, isEach } of badInputs(parameters, good)) {
    if (++properties > maxProperties || details.length >= maxDetails) break;
    const taken: BadInput[] = [];
    for (const input of inputs) if (!(await isRefused(input.arguments))) taken.push(input);
    refused += inputs.length - taken.length;
    if (taken.length > 0 && (isEach || taken.length === inputs.length))
      details.push({ input: null, place: pointer, reason: describeTaken(taken) });
  }
  if (properties === 0) return skipped("its parameters accept any object");
  if (details.length === 0)
    return passed(`${pluralize(refused, "bad input")} rejected before a process started`);
  return failed(
    `${pluralize(details.length, "property", "properties")} with bad values that were accepted`,
    'give every property a "type"; the schema true allows any value',
    details,
  );
}

/** A foreign schema may have very many. */
const maxProperties = 200;
const maxDetails = 20;

function describeTaken(taken: readonly BadInput[]): string {
  return `is accepted when it ${taken.map(({ fault }) => fault).join(", ")}`;
}

async function refuses(
  tool: HostedTool,
  given: Json,
  hosts: ToolHosts,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const limits = { deadlineMs: longestTimerMs, signal };
    const outcome = await hosts.call({ tool, arguments: given, document: null }, limits);
    return outcome.status === "failed" && outcome.cause === "bad-arguments";
  } catch (error) {
    if (error instanceof Entered) return false;
    throw error;
  }
}

/** Arguments that are accepted unchanged, so that only the change can be refused. */
async function goodArguments(
  { parameters }: HostedTool,
  samples: readonly ToolSample[],
  isRefused: (given: Json) => Promise<boolean>,
): Promise<JsonObject | null> {
  for (const { arguments: sampleArguments, document } of samples) {
    const { arguments: given } = injectDocument(parameters, sampleArguments, document);
    if (isMap(given) && !(await isRefused(given as JsonObject))) return given as JsonObject;
  }
  return null;
}
