import { isAbsolute, resolve } from "node:path";
import { type Ask, type GrantKind, grantKinds } from "../../contract/grant.ts";
import { entryFor, readNetworkEntry } from "../../contract/network-entry.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

/** What somebody typed or wrote into their own file: `env:NAME[@skill]`, `host:name[:port]`, `program:name`, `read:folder`. */
export interface Grant {
  kind: GrantKind;
  value: string;
  /** Only for this skill, suite or case; null for whoever asks. */
  subject: string | null;
}

/** Reads a grant strictly; relative folders count from `folder`. */
export function parseGrant(text: string, folder: string, where = "--grant"): Grant {
  const refuse = (problem: string, hint?: string): never => {
    throw new UserError("usage", `${where} ${JSON.stringify(text)}: ${problem}`, { hint });
  };
  const colon = text.indexOf(":");
  const kind = grantKinds.find((known) => known === text.slice(0, Math.max(colon, 0)));
  if (kind === undefined)
    return refuse(
      "expected env:NAME, host:name[:port], program:name or read:folder",
      colon === -1 ? undefined : didYouMean(text.slice(0, colon), grantKinds),
    );
  const written = text.slice(colon + 1);
  if (written === "") return refuse(`the name after ${kind}: is missing`);
  switch (kind) {
    case "env": {
      const [, name, subject = null] = /^([A-Za-z_][A-Za-z0-9_]*)(?:@(.+))?$/.exec(written) ?? [];
      if (name === undefined) return refuse("expected env:NAME or env:NAME@skill");
      return { kind, value: name, subject };
    }
    case "host": {
      const entry = readNetworkEntry(written);
      return "problem" in entry
        ? refuse(`the host ${entry.problem}`)
        : { kind, value: written, subject: null };
    }
    case "program":
      return { kind, value: written, subject: null };
    case "read":
      return { kind, value: isAbsolute(written) ? written : resolve(folder, written), subject: null };
  }
}

/** Whether a grant covers what is asked for. */
export function coversAsk(grant: Grant, ask: Ask): boolean {
  if (grant.kind !== ask.kind) return false;
  if (grant.subject !== null && grant.subject !== ask.subject) return false;
  if (grant.kind === "host") return coversHost(grant.value, ask.value);
  if (grant.kind === "read") return isInside(realPath(grant.value), realPath(ask.value));
  return grant.value === ask.value;
}

function coversHost(granted: string, asked: string): boolean {
  const entry = readNetworkEntry(granted);
  const target = readNetworkEntry(asked);
  if ("problem" in entry || "problem" in target) return false;
  // Without a port, both default ports are asked for.
  const ports = target.port === null ? [443, 80] : [target.port];
  return ports.every((port) => entryFor([entry], target.host, port) !== null);
}
