import type { DescribedSkill, SkillTool } from "../../../contract/skill.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";
import type { ComparedTools } from "./catalog-report.ts";

/** Tools that a skill no longer has, or has under another name; null where all are as they were. */
export function compareTools(before: DescribedSkill, after: DescribedSkill): ComparedTools | null {
  const gone = missingIn(before.tools, after.tools);
  const fresh = missingIn(after.tools, before.tools);
  if (gone.length + fresh.length === 0) return null;
  const renamed: ComparedTools["renamed"] = [];
  for (const tool of gone) {
    const match = fresh.find((other) => isSame(tool, other) && renamed.every(({ to }) => to !== other.name));
    if (match !== undefined) renamed.push({ from: tool.name, to: match.name });
  }
  const names = (tools: readonly SkillTool[], known: readonly string[]) =>
    tools.map(({ name }) => name).filter((name) => !known.includes(name));
  return {
    skillId: after.id,
    renamed,
    removed: names(
      gone,
      renamed.map(({ from }) => from),
    ),
    added: names(
      fresh,
      renamed.map(({ to }) => to),
    ),
  };
}

function missingIn(tools: readonly SkillTool[], others: readonly SkillTool[]): SkillTool[] {
  const names = new Set(others.map(({ name }) => name));
  return tools.filter(({ name }) => !names.has(name));
}

/** A tool is identified by its description and parameters; a name alone is not enough. */
function isSame(a: SkillTool, b: SkillTool): boolean {
  if (a.parameters === null && a.description === "") return a.script === b.script;
  return toolFacts(a) === toolFacts(b);
}

function toolFacts({ description, parameters }: SkillTool): string {
  return canonicalJson({ description, parameters: parameters as Json });
}
