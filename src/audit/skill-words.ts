import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { parseFrontmatter } from "../skills/agent-skill/parse-frontmatter.ts";
import { splitInstructions } from "../skills/agent-skill/read-frontmatter.ts";
import type { AuditedFile, AuditedSkill } from "./rule.ts";

/** What makes a folder a skill. The lower-case spelling is read by some hosts. */
export const manifestNames: readonly string[] = ["SKILL.md", "skill.json", "meta.yml", "skill.md"];

type SkillWords = Pick<AuditedSkill, "name" | "description" | "declared">;

/** What a skill says about itself in its manifests. One that cannot be parsed is read as far as a line says. */
export async function skillWords(files: readonly AuditedFile[], folderName: string): Promise<SkillWords> {
  const fileText = (name: string) => files.find(({ path }) => path === name)?.text ?? "";
  const instructions = await frontmatterWords(fileText("SKILL.md") || fileText("skill.md"));
  const manifest = manifestWords(fileText("skill.json"));
  const sidecar = sidecarWords(fileText("meta.yml"));
  const all = [instructions, manifest, sidecar];
  return {
    name: all.map(({ name }) => name).find((name) => name !== "") ?? folderName,
    description: all.map(({ description }) => description).find((text) => text !== "") ?? "",
    declared: [folderName, ...all.map(({ declared }) => declared)].join("\n"),
  };
}

async function frontmatterWords(text: string): Promise<SkillWords> {
  const block = splitInstructions(text)?.block;
  if (block === undefined) return { name: "", description: "", declared: "" };
  const { fields, faults } = await parseFrontmatter(block);
  const isWhole = faults.every(({ kind }) => kind === "recovered" || kind === "discouraged");
  if (fields === null || !isWhole) return linesAsWords(block);
  return { name: joinWords(fields.name), description: joinWords(fields.description), declared: block };
}

function manifestWords(text: string): SkillWords {
  const read = parseStrictJson(text);
  if (!read.ok || !isMap(read.value)) return { name: "", description: "", declared: "" };
  const { entrypoint: _, ...fields } = read.value;
  const meta = isMap(fields.meta) ? fields.meta : fields;
  return {
    name: joinWords(meta.id) || joinWords(meta.name),
    description: joinWords(meta.description),
    declared: JSON.stringify(fields),
  };
}

function sidecarWords(text: string): SkillWords {
  return { ...linesAsWords(text), name: "" };
}

/** `name: …` and `description: …`, at the beginning of a line. */
function linesAsWords(text: string): SkillWords {
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.{0,2000})$`, "m").exec(text)?.[1]?.replace(/^["'|>-]+\s*|["']\s*$/g, "") ??
    "";
  return { name: field("name"), description: field("description"), declared: text };
}

function joinWords(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
