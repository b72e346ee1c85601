import { join } from "node:path";
import { withServicePorts } from "../contract/suite-programs.ts";
import type { HttpConfig, UnitSkill } from "../contract/unit-skill.ts";
import { webAddress } from "../shared/network/http.ts";
import { UserError } from "../shared/user-error.ts";

export interface HttpTarget {
  origin: string;
  path: string;
  headers: Record<string, string>;
}

/** The part of an adapter's configuration about the address of a server and its authentication. */
type TargetConfig = Pick<HttpConfig, "baseUrl" | "authType" | "authTokenEnvKey" | "authHeader">;

/** Address and headers of an HTTP skill; everything about them is checked before the first call. */
export function httpTarget(
  skill: UnitSkill,
  config: TargetConfig,
  env: NodeJS.ProcessEnv,
  version: string,
): HttpTarget {
  const url = targetUrl(skill, config);
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-eval-skills-version": version,
      ...authHeader(skill, config, readToken(skill, config, env)),
    },
  };
}

function targetUrl(skill: UnitSkill, config: TargetConfig): URL {
  const { entrypoint } = skill.adapter;
  if (config.baseUrl === undefined) return parseUrl(entrypoint, skill, "$.entrypoint");
  const base = parseUrl(config.baseUrl, skill, "$.baseUrl");
  const relative = entrypoint.startsWith("/") ? entrypoint : entrypointPath(entrypoint);
  base.pathname = `${base.pathname.replace(/\/$/, "")}${relative.split("?")[0]}`;
  base.search = relative.includes("?") ? relative.slice(relative.indexOf("?")) : "";
  return base;
}

function entrypointPath(entrypoint: string): string {
  const url = webAddress(entrypoint);
  return url === null ? `/${entrypoint}` : `${url.pathname}${url.search}`;
}

function parseUrl(text: string, skill: UnitSkill, jsonPath: string): URL {
  const location = { path: jsonPath === "$.baseUrl" ? configFile(skill) : skill.manifest, jsonPath };
  const url = webAddress(withServicePorts(text));
  if (url === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: expected an absolute http or https URL`,
      location,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError("adapter-invalid", `skill ${skill.id}: the URL carries a user name or password`, {
      ...location,
      hint: "set `authTokenEnvKey` in adapter.config.json to a variable name instead",
    });
  }
  return url;
}

function readToken(skill: UnitSkill, config: TargetConfig, env: NodeJS.ProcessEnv): string | null {
  if (config.authType === "none") return null;
  const location = { path: configFile(skill), jsonPath: "$.authTokenEnvKey" };
  const { authTokenEnvKey } = config;
  if (authTokenEnvKey === undefined) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: authType ${config.authType} needs authTokenEnvKey`,
      location,
    );
  }
  const token = env[authTokenEnvKey];
  if (token === undefined || token === "") {
    throw new UserError("secret-missing", `skill ${skill.id}: the variable ${authTokenEnvKey} is not set`, {
      ...location,
      hint: `export ${authTokenEnvKey}=… and run again`,
    });
  }
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(token)) {
    const problem = `${authTokenEnvKey} contains a line break or another character that is not allowed in a header`;
    throw new UserError("adapter-invalid", `skill ${skill.id}: ${problem}`, location);
  }
  return token;
}

function authHeader(skill: UnitSkill, config: TargetConfig, token: string | null): Record<string, string> {
  if (token === null) return {};
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(config.authHeader)) {
    throw new UserError("adapter-invalid", `skill ${skill.id}: authHeader is not a valid header name`, {
      path: configFile(skill),
      jsonPath: "$.authHeader",
    });
  }
  return config.authType === "bearer"
    ? { authorization: `Bearer ${token}` }
    : { [config.authHeader.toLowerCase()]: token };
}

function configFile(skill: UnitSkill): string {
  return join(skill.dir, "adapter.config.json");
}
