import { extname, isAbsolute } from "node:path";
import { withServicePorts } from "../../contract/suite-programs.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { webAddress } from "../../shared/network/http.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import { isOfPackages } from "../../skills/unit/check-entrypoint.ts";
import { fileInside } from "./read-inside.ts";

/** What is wrong with the entrypoint of a skill, or null: a file in its folder, or a well-formed URL. */
export function entrypointProblem(skill: UnitSkill): string | null {
  const { type, entrypoint } = skill.adapter;
  switch (type) {
    case "http":
      return urlProblem(skill);
    case "subprocess":
      return commandProblem(skill);
    case "mcp":
      return /^https?:/i.test(entrypoint) ? urlProblem(skill) : commandProblem(skill);
    case "langchain":
    case "custom":
      return moduleProblem(skill.dir, entrypoint);
    case "tool":
      return fileInside(skill.dir, entrypoint) === null
        ? `the script ${entrypoint} is not in the folder`
        : null;
    default:
      return type satisfies never;
  }
}

function urlProblem({ adapter: { entrypoint, config } }: UnitSkill): string | null {
  // Beside a base the entrypoint is only a path.
  const address = (config?.type === "http" ? config.baseUrl : undefined) ?? entrypoint;
  return webAddress(withServicePorts(address)) === null ? `${address} is not an http(s) URL` : null;
}

/** The first word of the command that names a file decides. */
function commandProblem({ dir, adapter }: UnitSkill): string | null {
  const words = commandWords(adapter);
  if (words === null) return "the command line cannot be split into words";
  for (const [position, word] of words.entries()) {
    const isInterpreter = position === 0 && (isAbsolute(word) || !word.includes("/") || isOfPackages(word));
    if (isInterpreter || word.startsWith("-")) continue;
    if (candidates(word, words[position - 1]).some((path) => fileInside(dir, path) !== null)) return null;
    if (/[\\/]/.test(word) || extname(word) !== "") return `the file ${word} is not in the folder`;
  }
  return "the command does not start a file in the folder";
}

function commandWords({ entrypoint, config }: UnitSkill["adapter"]): string[] | null {
  if (config?.type === "subprocess" && config.command !== undefined) return [config.command, ...config.args];
  try {
    return splitCommand(entrypoint);
  } catch {
    return null;
  }
}

/** `python3 -m name` means a module of that name. */
function candidates(word: string, before: string | undefined): string[] {
  if (before !== "-m") return [word];
  const path = word.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__main__.py`];
}

function moduleProblem(dir: string, entrypoint: string): string | null {
  const path = entrypoint.replace(/#[^#]*$/, "");
  return fileInside(dir, path) === null ? `the module ${path} is not in the folder` : null;
}
