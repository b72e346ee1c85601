import type { Adapter } from "../contract/outcome.ts";
import type { HostedTool } from "../contract/tool-host.ts";
import { type ToolConfig, type UnitSkill, wantsNoNetwork } from "../contract/unit-skill.ts";
import { openToolHosts, type ToolHostsOptions } from "./tool-hosts.ts";

/** A declared tool of a skill as the unit level calls it. A `UserError` if it cannot be called. */
export async function toolAdapter(
  skill: UnitSkill,
  config: ToolConfig,
  options: ToolHostsOptions,
): Promise<Adapter> {
  const hosts = openToolHosts(options);
  const tool: HostedTool = {
    skill: {
      id: skill.id.slice(0, skill.id.lastIndexOf("#")),
      dir: skill.dir,
      digest: skill.digest,
      ...(wantsNoNetwork(skill) && { network: "none" as const }),
    },
    name: config.function,
    script: config.script,
    parameters: config.parameters,
    timeoutMs: null,
  };
  await hosts.prepare([tool]);
  return {
    call(input, limits) {
      const document = limits.document === undefined ? null : { text: limits.document, path: null };
      // The plan of the run decides the deadline of a task.
      const limitedTool = { ...tool, timeoutMs: limits.deadlineMs };
      return hosts.call({ tool: limitedTool, arguments: input, document }, limits);
    },
    [Symbol.asyncDispose]: () => hosts[Symbol.asyncDispose](),
  };
}
