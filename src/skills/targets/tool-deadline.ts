import { join } from "node:path";
import { longestTimerMs } from "../../contract/limits.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseLocatedYaml } from "../../shared/json/located-yaml.ts";
import { UserError } from "../../shared/user-error.ts";
import { SkillFolder } from "../folder/skill-folder.ts";

const file = "eval.yaml";

/** How long a call of a tool may take by `tools.<name>.timeout_ms` of its skill's `eval.yaml`; null where that says nothing. */
export async function toolDeadline(dir: string, tool: string): Promise<number | null> {
  return (await toolDeadlines(dir))(tool);
}

/** The same for every tool of a skill, whose file is read once. */
export async function toolDeadlines(dir: string): Promise<(tool: string) => number | null> {
  const folder = new SkillFolder(dir);
  if (!folder.has(file)) return () => null;
  const read = folder.text(file);
  const path = join(dir, file);
  if (!read.ok) throw new UserError("skill-invalid", `${path}: ${read.problem}`, { path });
  const tools = await toolsIn(read.text, path);
  return (tool) => {
    const settings = isMap(tools) && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    const timeoutMs = isMap(settings) ? settings.timeout_ms : undefined;
    if (timeoutMs === undefined) return null;
    if (Number.isInteger(timeoutMs) && (timeoutMs as number) >= 1 && (timeoutMs as number) <= longestTimerMs)
      return timeoutMs as number;
    throw new UserError("skill-invalid", `${path}: timeout_ms of ${tool} must be a number of milliseconds`, {
      path,
      jsonPath: `$.tools.${tool}.timeout_ms`,
    });
  };
}

/** Text → what it says of tools. A run needs it before every request, and the file may hold hundreds of cases. */
const known = new Map<string, unknown>();
const maxKnown = 32;

async function toolsIn(text: string, path: string): Promise<unknown> {
  if (known.has(text)) return known.get(text);
  const yaml = await parseLocatedYaml(text, { scalars: "core", depth: 32, aliases: 100 });
  if (!yaml.ok) {
    const { line, problem } = yaml.fault;
    throw new UserError("skill-invalid", `${path}:${line}: ${problem}`, { path });
  }
  const tools = isMap(yaml.value) ? yaml.value.tools : undefined;
  known.set(text, tools);
  const [first] = known.keys();
  if (known.size > maxKnown && first !== undefined) known.delete(first);
  return tools;
}
