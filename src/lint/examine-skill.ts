import { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { advisedBodyTokens } from "../contract/skill-facts.ts";
import { examineLinks } from "../skills/agent-skill/examine-links.ts";
import { agentInstructions } from "../skills/agent-skill/read-frontmatter.ts";
import { describeSkill } from "../skills/describe-skill.ts";
import { examineFiles } from "../skills/examine-files.ts";
import type { SkillFolder } from "../skills/folder/skill-folder.ts";
import { locateDescription, placeholderIn } from "../skills/skill-description.ts";
import { countTokens } from "../skills/tokens/count-tokens.ts";
import { examineManifest, examineOutput } from "./prompt-tool/examine-manifest.ts";
import { examinePrompt } from "./prompt-tool/examine-prompt.ts";
import { examineTools } from "./prompt-tool/examine-tools.ts";

const advised = { lines: 500, characters: 40_000, tokens: advisedBodyTokens };

/** Whether the body of a `SKILL.md` says something, and no more than an agent should be given at once. */
async function examineInstructions(
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
  const excess = await findExcess(body.replaceAll("\r\n", "\n"));
  if (excess === null) return;
  const { count, unit } = excess;
  diagnostics.add(
    "SKM11",
    { file, line: bodyLine, column: 1 },
    `body: ${count} ${unit}, recommended at most ${advised[unit]}`,
  );
}

/** The first limit that is exceeded. Too many lines usually means too much of everything, and lines are what an author can see. */
async function findExcess(body: string): Promise<{ unit: keyof typeof advised; count: number } | null> {
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

/** Checks what describing a skill does not: its body, links, files, prompt, tools and their scripts. Runs nothing. */
export async function examineSkill(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  for (const examine of examinations) await examine(skill, folder, diagnostics);
}

/** One check; the skill is null if it cannot be loaded. */
type Examination = (
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
) => void | Promise<void>;

const examinations: readonly Examination[] = [
  examineDescription,
  examineInstructions,
  examineLinks,
  examineFiles,
  examinePrompt,
  examineOutput,
  examineTools,
  examineManifest, // the last: it names the errors that were found before it
];

/** Whether a skill of any kind has a description of its own, also where something else is wrong with it. */
async function examineDescription(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  if (diagnostics.kind === null) return;
  const described =
    skill ?? (await describeSkill(folder, "project", new Diagnostics("lenient", folder.name)));
  if (described === null || placeholderIn(described.description) === null) return;
  const location = await locateDescription(described, folder);
  diagnostics.add("SKD08", location, `${location.file}: description is still the template's placeholder`);
}
