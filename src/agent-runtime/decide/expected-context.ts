import type { MockTurn } from "../../contract/agent-case.ts";
import type { AgentMessage } from "../../contract/agent-parts.ts";
import { promptText } from "./prompt-text.ts";

/** What a script expects in a prompt and did not find there, and what it found and should not have. */
export function expectedContext(
  { contains = [], not_contains = [] }: NonNullable<MockTurn["expect_context"]>,
  messages: readonly AgentMessage[],
): { ok: boolean; missing: string[]; present: string[] } {
  const prompt = promptText(messages);
  const missing = contains.filter((text) => !prompt.includes(text));
  const present = not_contains.filter((text) => prompt.includes(text));
  return { ok: missing.length === 0 && present.length === 0, missing, present };
}
