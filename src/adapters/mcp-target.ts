import { join } from "node:path";
import type { McpConfig, UnitSkill } from "../contract/unit-skill.ts";
import { webAddress } from "../shared/network/http.ts";
import { type ErrorLocation, UserError } from "../shared/user-error.ts";

export type McpTarget = { kind: "process" } | { kind: "remote"; transport: "http" | "sse" | null };

/** How a server is reached: by a command that starts it, or by its URL. Settings that contradict each other are refused. */
export function mcpTarget(skill: UnitSkill, config: McpConfig): McpTarget {
  const { entrypoint } = skill.adapter;
  const transport = config.transport ?? skill.metadata.transport ?? null;
  const refuse = (problem: string, location: ErrorLocation): never => {
    throw new UserError("adapter-invalid", `skill ${skill.id}: ${problem}`, location);
  };
  const inManifest = { path: skill.manifest, jsonPath: "$.entrypoint" };
  const inConfig = (key: keyof McpConfig) => ({
    path: join(skill.dir, "adapter.config.json"),
    jsonPath: `$.${key}`,
  });

  const isAddress = config.command === undefined && /^[a-z][\w+.-]*:\/\//i.test(entrypoint);
  if (isAddress && webAddress(entrypoint) === null) {
    refuse(`the entrypoint ${entrypoint} is neither a command nor an http(s) URL`, {
      ...inManifest,
      hint: 'give the command that starts the server ("node server.mjs") or its http(s) URL',
    });
  }
  const isRemote = isAddress || (config.command === undefined && config.baseUrl !== undefined);
  if (transport === "stdio" && isAddress)
    refuse("transport stdio needs a command, and the entrypoint is a URL", inManifest);
  if (transport === "http" || transport === "sse" || (transport === null && isRemote)) {
    if (config.command !== undefined)
      refuse(`command needs transport stdio, not ${transport}`, inConfig("command"));
    return { kind: "remote", transport };
  }
  if (config.authType !== "none") refuse("authType needs a server with a URL", inConfig("authType"));
  if (config.baseUrl !== undefined) refuse("baseUrl cannot be combined with a command", inConfig("baseUrl"));
  return { kind: "process" };
}
