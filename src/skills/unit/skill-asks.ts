import { join } from "node:path";
import { askEnv, askHost, isOwnService } from "../../contract/asks.ts";
import type { Ask } from "../../contract/grant.ts";
import { servicesNamedIn, withServicePorts } from "../../contract/suite-programs.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { webAddress } from "../../shared/network/http.ts";

/**
 * What a skill asks for: variables of the runner, and an address that is called instead of a process. A service on
 * this machine that gets no secret and a body of our shape needs no grant, unless nothing may leave (`isClosed`); a service
 * that the suite itself starts needs none.
 */
export function skillAsks(skill: Omit<UnitSkill, "digest">, isClosed: boolean): Ask[] {
  const { config } = skill.adapter;
  const file = join(skill.dir, "adapter.config.json");
  const who = { subject: skill.id, asker: "skill" as const };
  const passed = config.envKeys.map((name, n) =>
    askEnv(name, null, { ...who, file, steps: ["envKeys", n], purpose: "passed to its process" }),
  );
  const address = addressOf(skill);
  if (address === null || !("authType" in config)) return passed;
  const { url, isConfigured } = address;
  const isOfSuite = servicesNamedIn(url).length > 0 && [65_535, 65_534].every((port) => isPortOf(url, port));
  const host = askHost(url, {
    ...who,
    file: isConfigured ? file : skill.manifest,
    steps: [isConfigured ? "baseUrl" : "entrypoint"],
    purpose: `receives inputs at ${url}`,
  });
  if (config.authType === "none" || config.authTokenEnvKey === undefined)
    return isOfSuite || (isOwnService(url) && !isClosed && hasFixedBody(config)) ? [] : [host];
  const kind = config.authType === "bearer" ? "a bearer token" : `the header ${config.authHeader}`;
  const token = askEnv(config.authTokenEnvKey, url, {
    ...who,
    file,
    steps: ["authTokenEnvKey"],
    purpose: `sent to ${url} as ${kind}`,
  });
  return [token, host];
}

/** Whether an address that names the port of a service leads to that: the name may stand anywhere, in a path too. */
function isPortOf(url: string, port: number): boolean {
  const address = withServicePorts(url, () => port);
  return isOwnService(address) && webAddress(address)?.port === String(port);
}

/** Whether a request has our shape, so that a file cannot say what is sent to another program of this machine. */
function hasFixedBody(config: UnitSkill["adapter"]["config"]): boolean {
  return !("bodyMode" in config) || (config.bodyMode !== "input" && (config.method ?? "POST") === "POST");
}

/** The address of a skill that is called by URL. */
function addressOf({
  adapter: { config, entrypoint },
}: Pick<UnitSkill, "adapter">): { url: string; isConfigured: boolean } | null {
  if (config.type !== "http" && config.type !== "mcp") return null;
  if (config.baseUrl !== undefined) return { url: config.baseUrl, isConfigured: true };
  if (config.type === "mcp" && (config.command !== undefined || webAddress(entrypoint) === null)) return null;
  return { url: entrypoint, isConfigured: false };
}
