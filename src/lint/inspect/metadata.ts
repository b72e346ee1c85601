import { Diagnostics } from "../../contract/diagnostics.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { readAgentSkill } from "../../skills/agent-skill/read-agent-skill.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { finding, findingOf } from "./finding.ts";
import { fileInside } from "./read-inside.ts";

/** Whether the manifest says who made what, and a `SKILL.md` has its frontmatter. */
export async function inspectMetadata(skill: UnitSkill): Promise<string[]> {
  const { author, license } = skill.metadata;
  return [
    finding("id", isBlank(skill.id)),
    finding("name", isBlank(skill.name)),
    finding("version", isBlank(skill.version)),
    finding("description", isBlank(skill.description)),
    finding("tags", skill.tags.some((tag) => tag.trim() !== "") ? null : "none given"),
    finding("author", isBlank(author)),
    finding("license", isBlank(license)),
    await inspectFrontmatter(skill.dir),
  ];
}

function isBlank(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? "missing" : null;
}

async function inspectFrontmatter(dir: string): Promise<string> {
  if (fileInside(dir, "SKILL.md") === null) return `${finding("frontmatter", null)} (no SKILL.md)`;
  return findingOf("frontmatter", () => frontmatterProblem(dir));
}

/** The first error in the frontmatter of `SKILL.md`. Its folder may be named for the id of the manifest. */
async function frontmatterProblem(dir: string): Promise<string | null> {
  const folder = new SkillFolder(dir);
  const diagnostics = new Diagnostics("strict", folder.name);
  await readAgentSkill(folder, "SKILL.md", diagnostics);
  const errors = diagnostics.list().filter(({ code, severity }) => severity === "error" && code !== "SKM05");
  return errors[0]?.message ?? null;
}
