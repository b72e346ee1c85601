import { closeSync } from "node:fs";
import { extname, posix } from "node:path";
import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentCatalog } from "../../contract/agent-parts.ts";
import type { AgentGuardrails } from "../../contract/limits.ts";
import { findInterpreter } from "../../shared/files/find-interpreter.ts";
import { openInside } from "../../shared/files/guarded-open.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import {
  blockedPath,
  failedPath,
  lexicalProblem,
  type PathFacts,
  type PathRefusal,
} from "../../shared/files/path-guard.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { hides } from "../loader/guarded-text.ts";

const scriptsFolder = "scripts";

/** What is wrong with the path of a script as written: it must be below `scripts/`. */
export function scriptPathProblem(path: string): PathRefusal | null {
  const problem = lexicalProblem(path);
  if (problem !== null) return blockedPath(path, "lexical", problem);
  const rest = belowScripts(path);
  return rest === "" ? blockedPath(path, "no_script", `does not lie below ${scriptsFolder}/`) : null;
}

/** The file behind the path of a script, as programs name it. It is looked at, links followed, and never leaves `scripts/`. */
export function findScript(
  dir: string,
  path: string,
  catalog: Pick<AgentCatalog, "isHidden">,
): { ok: true; real: string; path: PathFacts } | PathRefusal {
  const folder = locateInside(dir, scriptsFolder, "folder");
  if (!folder.ok) return { ...folder, path: { ...folder.path, requested: path } };
  const found = openInside(folder.real, belowScripts(path), "read");
  if (!found.ok) return { ...found, path: { ...found.path, requested: path } };
  closeSync(found.fd);
  const resolved = posix.join(folder.path.resolved ?? scriptsFolder, found.path.resolved ?? "");
  const facts = { requested: path, resolved, inside: true };
  return hides(catalog, facts) ? failedPath(path, "ENOENT") : { ok: true, real: found.real, path: facts };
}

/** The name of the program that runs a file with this suffix, or why there is none. */
export function interpreterName(
  path: string,
  interpreters: AgentGuardrails["interpreters"],
): { ok: true; program: string } | { ok: false; error: AgentError } {
  const suffix = extname(path).toLowerCase();
  const program = Object.hasOwn(interpreters, suffix) ? interpreters[suffix] : undefined;
  if (program !== undefined) return { ok: true, program };
  const known = Object.keys(interpreters).join(", ");
  const message = `${shownText(path)}: no program is set for files that end in "${shownText(suffix, 20)}"; known are ${known}`;
  return { ok: false, error: { code: "UnsupportedInterpreter", message, reason: "unknown_suffix" } };
}

/** Where that program really is, without a version manager in between. */
export async function interpreterPath(
  program: string,
  dir: string,
  env: NodeJS.ProcessEnv,
  canReach: ((path: string) => boolean) | undefined,
): Promise<{ ok: true; path: string } | { ok: false; error: AgentError }> {
  const { path, passedOver } = await findInterpreter(program, dir, env, canReach);
  if (path !== null) return { ok: true, path };
  const why = passedOver === null ? "was not found" : "lies where the sandbox cannot reach it";
  const message = `${shownText(program)} ${why}`;
  return { ok: false, error: { code: "UnsupportedInterpreter", message, reason: "not_found" } };
}

/** What follows `scripts/`; empty where a path lies elsewhere. */
function belowScripts(path: string): string {
  const [first, ...rest] = path.split("/").filter((segment) => segment !== "." && segment !== "");
  return first === scriptsFolder ? rest.join("/") : "";
}
