import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill, Instructions } from "../../contract/skill.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { markdownLines } from "../../skills/folder/markdown.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { readPrompt } from "../../skills/prompt-tool/find-prompt.ts";
import { promptToolFacts } from "./prompt-tool-facts.ts";

/** Whether the prompt of a skill can be read whole, and is lean. */
export async function examinePrompt(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const instructions = (await promptToolFacts(skill, folder, diagnostics))?.instructions ?? null;
  if (instructions === null) return;
  const { path: file } = instructions;
  const read = await readPrompt(folder, instructions);
  if (!read.ok) {
    diagnostics.add("AHM04", { file }, `entry ${file}: unsupported (${read.problem})`, {
      hint: hints[instructions.format],
    });
    return;
  }
  reportUnread(read.unread, file, diagnostics);
  reportLength(read.text, file, diagnostics);
}

const hints: Record<Instructions["format"], string> = {
  md: "save it as UTF-8 text",
  txt: "save it as UTF-8 text",
  docx: "save it again as .docx, or as .md",
};

function reportUnread(
  unread: Readonly<Record<string, number>>,
  file: string,
  diagnostics: Diagnostics,
): void {
  const counts = Object.entries(unread).filter(([, count]) => count > 0);
  if (counts.length === 0) return;
  const words = counts.map(([kind, count]) =>
    count > 1 && kind.endsWith("x") ? `${count} ${kind}es` : pluralize(count, kind),
  );
  diagnostics.add("AHM05", { file }, `${file}: ${words.join(", ")} not read`, {
    hint: "move important content into the text; prefer .md",
  });
}

const advisedCharacters = 4000;
const advisedShare = 0.3;

function reportLength(text: string, file: string, diagnostics: Diagnostics): void {
  const characters = [...text].length;
  if (characters > advisedCharacters)
    diagnostics.add(
      "PTS08",
      { file },
      `${file}: prompt has ${characters} characters, recommended at most ${advisedCharacters}`,
      {
        hint: "say what to do, how, and what the output is; longer prompts are truncated in use",
      },
    );
  const share = exampleShare(text);
  if (share > advisedShare)
    diagnostics.add(
      "PTS08",
      { file },
      `${file}: examples are ${Math.round(share * 100)} % of the prompt, recommended at most ${advisedShare * 100} %`,
      {
        hint: "keep the shortest example that shows the output",
      },
    );
}

/** How much of a prompt is examples, from 0 to 1: code blocks, and everything under a heading that says so. */
export function exampleShare(text: string): number {
  let all = 0;
  let examples = 0;
  /** The level of the heading that introduces the examples. */
  let under: number | null = null;
  for (const { text: line, kind } of markdownLines(text.trimEnd())) {
    const level = kind === "prose" ? headingLevel(line) : null;
    if (level !== null && (under === null || level <= under)) under = saysExample.test(line) ? level : null;
    const size = [...line].length + 1;
    all += size;
    if (kind !== "prose" || under !== null) examples += size;
  }
  return all === 0 ? 0 : examples / all;
}

const saysExample = /\bexamples?\b|示例|例子|样例|范例/i;

/** In plain text without `#` headings, a short line that ends in a colon counts as a heading of the lowest level. */
const labelLevel = 7;
const longestLabel = 40;

function headingLevel(line: string): number | null {
  const hashes = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line)?.[1];
  if (hashes !== undefined) return hashes.length;
  const label = line.trim();
  return label.length <= longestLabel && /[:：][*_]{0,2}$/.test(label) ? labelLevel : null;
}
