import type { AgentMessage } from "../../contract/agent-parts.ts";

/** All that a model is shown in a call, as one text: what is counted, hashed and searched. */
export function promptText(messages: readonly AgentMessage[]): string {
  return messages.map(({ text }) => text).join(between);
}

/** The length of that text, without making it. */
export function promptChars(messages: readonly AgentMessage[]): number {
  let chars = Math.max(0, messages.length - 1) * between.length;
  for (const { text } of messages) chars += text.length;
  return chars;
}

const between = "\n\n";
