import type { UnitSkill } from "../../contract/unit-skill.ts";
import { placeholderIn } from "../../skills/folder/placeholder-in.ts";
import { finding } from "./finding.ts";

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
