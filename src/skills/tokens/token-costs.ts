import { isUtf8 } from "node:buffer";
import type { DescribedSkill } from "../../contract/skill.ts";
import type { TokenCosts } from "../../contract/skill-facts.ts";
import { splitInstructions } from "../agent-skill/read-frontmatter.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { walkFolder } from "../folder/walk-folder.ts";
import { readPrompt } from "../prompt-tool/find-prompt.ts";
import { countTokens } from "./count-tokens.ts";

/** What a skill costs in the context of a model: what is always there, what a use of it adds, and what else it may ask for. */
export async function tokenCosts(skill: DescribedSkill, folder: SkillFolder): Promise<TokenCosts> {
  const { texts, isCapped } = readResources(skill, folder);
  const always = `${skill.id}\n${skill.description}`;
  const [metadata = 0, body = 0, ...resources] = await Promise.all(
    [always, await readBody(skill, folder), ...texts].map(countTokens),
  );
  return { metadata, body, resources: resources.reduce((sum, count) => sum + count, 0), isCapped };
}

/** As a model is given it. */
async function readBody({ kind, instructions }: DescribedSkill, folder: SkillFolder): Promise<string> {
  if (instructions === null) return "";
  const read = await readPrompt(folder, instructions);
  if (!read.ok) return "";
  const body = kind === "prompt-tool" ? null : splitInstructions(read.text)?.body;
  return (body ?? read.text).replaceAll("\r\n", "\n");
}

/** Beyond this the exact number does not matter. */
const maxCharacters = 500_000;
/** An agent is refused what is larger. */
const longestResource = 2_000_000;

/** The texts an agent may ask for. */
function readResources(skill: DescribedSkill, folder: SkillFolder): { texts: string[]; isCapped: boolean } {
  const { files, isCapped } = listFiles(folder);
  const texts: string[] = [];
  let room = maxCharacters;
  for (const path of files) {
    if (isNotResource(path, skill)) continue;
    const read = folder.bytes(path, longestResource);
    if (!read.ok || !isUtf8(read.bytes) || read.bytes.includes(0)) continue;
    const text = read.bytes.toString("utf8");
    texts.push(text.slice(0, room));
    room -= text.length;
    if (room < 0) return { texts, isCapped: true };
  }
  return { texts, isCapped };
}

const manifests = ["skill.json", "adapter.config.json", "meta.yml", "SKILL.md"];

/** What describes the skill, and what says how it is evaluated. */
function isNotResource(path: string, { instructions }: DescribedSkill): boolean {
  return (
    path === instructions?.path ||
    manifests.includes(path) ||
    path === "eval.yaml" ||
    path.startsWith("evals/") ||
    /^tests\/.*\.eval\.(?:json|ya?ml|jsonl)$/.test(path)
  );
}

const suffixes = [".md", ".txt", ".json", ".yaml", ".yml", ".csv"];

/** The files with such an ending, in code-unit order; nothing hidden, and each file once, whatever links lead to it. */
function listFiles(folder: SkillFolder): { files: string[]; isCapped: boolean } {
  const files: string[] = [];
  let isCapped = false;
  const onProblem = (path: string) => {
    isCapped ||= path === ""; // more than a skill may hold; what cannot be read costs nothing
  };
  for (const { path, kind } of walkFolder(folder.dir, { ignore: [], exclude: [], onProblem })) {
    const isHidden = path.split("/").some((name) => name.startsWith("."));
    if (kind === "file" && !isHidden && suffixes.some((suffix) => path.endsWith(suffix))) files.push(path);
  }
  return { files: files.sort(), isCapped };
}
