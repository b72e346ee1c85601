import { Diagnostics } from "../../contract/diagnostics.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { readAgentSkill } from "../../skills/agent-skill/read-agent-skill.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { placeholderIn } from "../../skills/skill-description.ts";
import { checkedFinding, finding } from "./finding.ts";
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
  return checkedFinding("frontmatter", () => frontmatterProblem(dir));
}

/** The first error in the frontmatter of `SKILL.md`. Its folder may be named for the id of the manifest. */
async function frontmatterProblem(dir: string): Promise<string | null> {
  const folder = new SkillFolder(dir);
  const diagnostics = new Diagnostics("strict", folder.name);
  await readAgentSkill(folder, "SKILL.md", diagnostics);
  const errors = diagnostics.list().filter(({ code, severity }) => severity === "error" && code !== "SKM05");
  return errors[0]?.message ?? null;
}

const shortest = 20;
const longest = 1024;
const fewestWords = 4;

/** Whether the description is long enough to choose the skill by, and its author's own. */
export function inspectDescription({ name, description }: UnitSkill): string[] {
  const found = placeholderIn(description);
  return [
    finding("length", lengthProblem([...description.trim()].length)),
    finding("no placeholder", found === null ? null : `still says "${found}"`),
    finding("differs from the name", plain(description) === plain(name) ? "same as the name" : null),
    finding("distinct words", wordsProblem(countDistinctWords(description))),
  ];
}

function lengthProblem(length: number): string | null {
  if (length >= shortest && length <= longest) return null;
  return `${length} characters, expected ${shortest} to ${longest}`;
}

function wordsProblem(count: number): string | null {
  return count >= fewestWords ? null : `${count}, expected at least ${fewestWords}`;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Words of any language, also of those that write none apart. */
function countDistinctWords(text: string): number {
  const words = new Set<string>();
  for (const { segment, isWordLike } of new Intl.Segmenter("en", { granularity: "word" }).segment(text))
    if (isWordLike) words.add(segment.toLowerCase());
  return words.size;
}
