import type { AgentMessage } from "../../contract/agent-parts.ts";
import { truncationTag } from "../../shared/text/truncation-tag.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { promptChars } from "./prompt-text.ts";
import { schemaHint } from "./schema-hint.ts";

/** A reply that is no action, and what is wrong with it. */
export interface Mistake {
  reply: string;
  problem: string;
}

/** The question again, with the reply as far as there is room for it, and what is wrong with it. */
export function correction(
  messages: readonly AgentMessage[],
  { reply, problem }: Mistake,
  maxChars: number = Number.POSITIVE_INFINITY,
): readonly AgentMessage[] {
  const asked: AgentMessage = { role: "user", text: correctionText(problem) };
  const room = maxChars - promptChars([...messages, asked]) - joint;
  const shown = excerpt(reply, Math.min(room, maxExcerptLength));
  // Providers refuse a message without words.
  return shown.trim() === ""
    ? [...messages, asked]
    : [...messages, { role: "assistant", text: shown }, asked];
}

function correctionText(problem: string): string {
  return [
    "Your last reply was not accepted, and nothing was done.",
    `Error: ${problem}`,
    "Reply with the corrected JSON object only: no prose, no Markdown, no second object.",
    `It must match this JSON Schema: ${schemaHint}`,
  ].join("\n");
}

const maxExcerptLength = 4000;
/** What one more message takes besides its text. */
const joint = 2;

function excerpt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = limit - truncationTag.length;
  return kept < 1 ? "" : `${shorten(text, kept)}${truncationTag}`;
}
