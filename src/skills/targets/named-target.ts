import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { didYouMean } from "../../shared/text/nearest.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import type { ReadFolder } from "../describe-found.ts";
import type { FoundFolder } from "../discover/discover-skills.ts";

/** One tool of a skill, as a user names it. */
interface ToolTarget {
  /** The skill's folder or its manifest. */
  skill: string;
  tool: string;
}

/** What `<skill>#<tool>` means; null where it is a path like any other, also one that has a `#` in its name. */
export function toolTarget(path: string, cwd: string): ToolTarget | null {
  const at = path.lastIndexOf("#");
  if (at < 1 || existsSync(resolve(cwd, path))) return null;
  return { skill: path.slice(0, at), tool: path.slice(at + 1) };
}

/** Why something that was named cannot be called, and what to name or add instead. */
export function uncallable(path: string, read: ReadFolder): UserError {
  const { skill } = read;
  if (skill === null) return new UserError("skill-not-found", `no skill at ${path}`, { path });
  const file = skill.instructions?.path ?? "prompt";
  if (skill.manifest === null)
    return new UserError("skill-invalid", `${path} has a ${file} but no skill.json, so it is not callable`, {
      path,
      hint: `add a skill.json with adapterType and entrypoint next to the ${file}`,
    });
  const tools = toolNames(read);
  return new UserError("skill-invalid", `${path} is a prompt with tools: only its tools can be called`, {
    path,
    hint: tools.length === 0 ? "it declares no tools" : `pass one of them: ${listed(tools, 5)}`,
  });
}

/** Why there is no such tool, with what was most likely meant. */
export function undeclared(path: string, name: string, { skill, found }: ReadFolder): UserError {
  const refuse = (problem: string, hint: string) =>
    new UserError("skill-invalid", `${path}: ${problem}`, { path, hint });
  if (skill === null || skill.kind !== "prompt-tool")
    return refuse("#<tool> only works for a prompt with tools", `pass the skill itself: ${found.shown}`);
  const names = skill.tools.map((tool) => tool.name);
  const hint = names.length === 0 ? "it declares no tools" : didYouMean(name, names);
  return refuse(`${skill.id} declares no tool ${JSON.stringify(name)}`, hint);
}

/** The error for a tool name after a folder of skills. */
export function notOneSkill(path: string, name: string, { shown }: Pick<FoundFolder, "shown">): UserError {
  return new UserError("skill-invalid", `${path}: expected a single skill before #, not a folder of skills`, {
    path,
    hint: `for example ${shown}#${name}`,
  });
}

/** Why a folder that was searched has nothing to call. */
export function noneCallable(path: string, tools: readonly string[]): UserError {
  const create = "a callable skill has a skill.json; create one with `eval-skills create --name my_skill`";
  return new UserError("skill-not-found", `no callable skills found in ${path}`, {
    path,
    hint: tools.length === 0 ? create : `pass tools of prompts: ${listed(tools, 5)}`,
  });
}

/** The tools of a skill, as a user names them. */
export function toolNames({ skill, found: { shown } }: ReadFolder): string[] {
  return (skill?.tools ?? []).map(({ name }) => `${shown}#${name}`);
}
