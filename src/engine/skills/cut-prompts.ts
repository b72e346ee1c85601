import { truncationTag } from "../../shared/text/truncation-tag.ts";
import { countCharacters } from "./count-characters.ts";

export interface PromptBudget {
  perSkillChars: number;
  /** Over all skills. */
  totalChars: number;
}

/** A prompt, or what there was room for. */
export interface CutPrompt {
  text: string;
  /** Of what is left, the mark included. */
  chars: number;
  truncated: boolean;
}

/** Cuts prompts to their budget, the best skill first: what one leaves over is there for the next. */
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
  // A marker with nothing before it means nothing to a model.
  if (room <= truncationTag.length) return { text: "", chars: 0, truncated: true };
  return {
    text: `${beginningOf(text, room - truncationTag.length)}${truncationTag}`,
    chars: room,
    truncated: true,
  };
}

function beginningOf(text: string, chars: number): string {
  let end = 0;
  for (let taken = 0; taken < chars; taken++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
