import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { splitInstructions } from "../../skills/agent-skill/split-instructions.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { readPrompt } from "../../skills/prompt-tool/read-prompt.ts";

/** The instructions of a skill as a model gets them: without frontmatter, byte order mark and carriage returns. */
export async function readBody({
  dir,
  instructions,
}: Pick<AgentSkill, "dir" | "instructions">): ReturnType<AgentCatalog["readBody"]> {
  const folder = new SkillFolder(dir);
  const { path, format } = instructions;
  const file = folder.bytes(path, longestInstructions);
  if (!file.ok) return failed(path, file.problem);
  const read = await readPrompt(folder, instructions);
  if (!read.ok) return failed(path, read.problem);
  const text = read.text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const body = format === "md" ? (splitInstructions(text)?.body ?? text) : text;
  return { ok: true, bytes: file.bytes, body: body.replace(/^\n+/, "") };
}

const longestInstructions = 32 * 1024 * 1024;

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
