import type { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { advisedBodyTokens } from "../contract/token-costs.ts";
import { agentInstructions } from "../skills/agent-skill/agent-instructions.ts";
import type { SkillFolder } from "../skills/folder/skill-folder.ts";
import { countTokens } from "../skills/tokens/count-tokens.ts";

const advised = { lines: 500, characters: 40_000, tokens: advisedBodyTokens };

/** Whether the body of a `SKILL.md` says something, and no more than an agent should be given at once. */
export async function examineInstructions(
  _skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const instructions = await agentInstructions(folder, diagnostics);
  if (instructions === null) return;
  const { file, body, bodyLine } = instructions;
  if (body.trim() === "") {
    const message = "body: 0 lines, recommended at least 1";
    const hint = "say what to do, step by step";
    diagnostics.add("SKM11", { file, line: bodyLine - 1, column: 1 }, message, { hint });
    return;
  }
  const excess = await excessOf(body.replaceAll("\r\n", "\n"));
  if (excess === null) return;
  const { count, unit } = excess;
  diagnostics.add(
    "SKM11",
    { file, line: bodyLine, column: 1 },
    `body: ${count} ${unit}, recommended at most ${advised[unit]}`,
  );
}

/** The first limit that is exceeded. Who has too many lines has too many of all, and lines are what an author can see. */
async function excessOf(body: string): Promise<{ unit: keyof typeof advised; count: number } | null> {
  const lines = body.trim().split("\n").length;
  if (lines > advised.lines) return { unit: "lines", count: lines };
  if (body.length > advised.characters) {
    const characters = codePoints(body);
    if (characters > advised.characters) return { unit: "characters", count: characters };
  }
  if (Buffer.byteLength(body) <= advised.tokens) return null; // a token has one byte at least
  const tokens = await countTokens(body);
  return tokens > advised.tokens ? { unit: "tokens", count: tokens } : null;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
