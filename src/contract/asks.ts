import { isInside, realPath } from "../shared/files/paths.ts";
import { isLoopbackHost, webAddress } from "../shared/network/http.ts";
import type { Ask } from "./grant.ts";

/** The file and the member of it that ask, and for whom. */
export type AskSource = Pick<Ask, "subject" | "asker" | "file" | "steps" | "purpose">;

/** Asks to send something to the host of an address. */
export function askHost(url: string, place: AskSource): Ask {
  return { ...place, kind: "host", value: hostOf(url), to: hostOf(url) };
}

/** Asks for the value of an environment variable, and where it is sent: null where a process gets it. */
export function askEnv(name: string, url: string | null, place: AskSource): Ask {
  return { ...place, kind: "env", value: name, to: url === null ? null : hostOf(url) };
}

/** Asks to read a file or folder; nothing where it is, links followed, in one of these real folders. */
export function askRead(path: string, folders: readonly string[], place: AskSource): Ask[] {
  const value = realPath(path);
  if (folders.some((folder) => isInside(folder, value))) return [];
  return [{ ...place, kind: "read", value, to: null }];
}

/** `host:port` of an address; the text itself where it is none, so that no grant fits it. */
function hostOf(text: string): string {
  const url = webAddress(text);
  if (url === null) return text;
  return `${url.hostname}:${url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port}`;
}

/**
 * Whether an address is a service on this machine that any user may run: a loopback address and no system port. Names below
 * `localhost` are looked up, and somebody else may answer.
 */
export function isOwnService(text: string): boolean {
  const url = webAddress(text);
  if (url === null || url.hostname.endsWith(".localhost")) return false;
  return Number(url.port) >= 1024 && isLoopbackHost(url.hostname);
}
