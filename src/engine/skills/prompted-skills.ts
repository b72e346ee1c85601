import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { Config } from "../../contract/config.ts";
import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import type { Skill, SkillTool } from "../../contract/skill.ts";
import { truncationTag, visibleText } from "../../shared/text/visible-text.ts";
import { splitInstructions } from "../../skills/agent-skill/read-frontmatter.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { readPrompt } from "../../skills/prompt-tool/find-prompt.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";

interface PromptEntry {
  skill: Skill;
  routed: ConversationSkill["routed"];
}

/** Skills with their prompts, cut to what there is room for, and their tools, ready to be called. */
export async function promptedSkills(
  entries: readonly PromptEntry[],
  budget: Config["prompt"],
): Promise<ConversationSkill[]> {
  const texts = await Promise.all(entries.map(({ skill }) => readPromptText(skill)));
  const prompts = cutPrompts(texts, budget);
  return Promise.all(
    entries.map(async ({ skill, routed }, n) => {
      const { id, version, digest, controls, output, dir } = skill;
      const { text = "", truncated = false } = prompts[n] ?? {};
      return {
        id,
        version,
        digest,
        priority: controls.priority,
        routed,
        prompt: text,
        truncated,
        tools: await readHostedTools(skill),
        output,
        dir,
      };
    }),
  );
}

/** Empty where it can no longer be read: the record then shows an empty prompt. */
async function readPromptText({ dir, instructions }: Skill): Promise<string> {
  if (instructions === null) return "";
  const read = await readBody({ dir, instructions });
  return read.ok ? read.body : "";
}

/** The tools that a skill declares, each with its deadline. */
export async function readHostedTools(skill: Skill): Promise<ConversationSkill["tools"]> {
  if (skill.tools.length === 0) return [];
  const deadlines = await toolDeadlines(skill.dir);
  return skill.tools.map((tool) => hostedTool(skill, tool, deadlines(tool.name)));
}

/** A declared tool, ready to be called. */
export function hostedTool(
  { id, dir, digest }: Pick<Skill, "id" | "dir" | "digest">,
  { name, description, script, parameters }: SkillTool,
  timeoutMs: number | null,
): ConversationSkill["tools"][number] {
  return { skill: { id, dir, digest }, name, description, script, parameters, timeoutMs };
}

interface PromptBudget {
  perSkillChars: number;
  /** Over all skills. */
  totalChars: number;
}

/** A prompt, or what there was room for. */
interface CutPrompt {
  text: string;
  /** Of the cut text, including the truncation tag. */
  chars: number;
  truncated: boolean;
}

/** Cuts prompts to their budget, the best skill first; what one does not use is left for the next. */
export function cutPrompts(prompts: readonly string[], budget: PromptBudget): CutPrompt[] {
  let left = budget.totalChars;
  return prompts.map((prompt) => {
    const cut = cutText(prompt, Math.min(budget.perSkillChars, left));
    left -= cut.chars;
    return cut;
  });
}

function cutText(text: string, room: number): CutPrompt {
  const chars = countCharacters(text, room + 1);
  if (chars <= room) return { text, chars, truncated: false };
  // A tag with nothing before it means nothing to a model.
  if (room <= truncationTag.length) return { text: "", chars: 0, truncated: true };
  return {
    text: `${firstCharacters(text, room - truncationTag.length)}${truncationTag}`,
    chars: room,
    truncated: true,
  };
}

function firstCharacters(text: string, chars: number): string {
  let end = 0;
  for (let taken = 0; taken < chars; taken++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** How many characters (code points) a text has; no further than to this limit. */
export function countCharacters(text: string, limit = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < text.length && count < limit; count++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

/** The instructions of a skill as a model gets them: without frontmatter, byte order mark and carriage returns. */
export async function readBody({
  dir,
  instructions,
}: Pick<AgentSkill, "dir" | "instructions">): ReturnType<AgentCatalog["readBody"]> {
  const folder = new SkillFolder(dir);
  const { path, format } = instructions;
  const file = folder.bytes(path, maxInstructionBytes);
  if (!file.ok) return failed(path, file.problem);
  const read = await readPrompt(folder, instructions);
  if (!read.ok) return failed(path, read.problem);
  const text = read.text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const body = format === "md" ? (splitInstructions(text)?.body ?? text) : text;
  return { ok: true, bytes: file.bytes, body: body.replace(/^\n+/, "") };
}

const maxInstructionBytes = 32 * 1024 * 1024;

function failed(
  path: string,
  problem: string,
): { ok: false; error: { code: "IOError"; message: string; reason: string } } {
  const words = visibleText(problem);
  return {
    ok: false,
    error: {
      code: "IOError",
      message: `${path} cannot be read: ${words}`,
      reason: problem === "missing" ? "not_found" : "unreadable",
    },
  };
}
