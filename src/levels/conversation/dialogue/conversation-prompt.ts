import { plainLine } from "../../../agent-runtime/loop/quoted-text.ts";
import { shownName } from "../../../agent-runtime/loop/tool-signature.ts";
import type { ConversationSkill } from "../../../contract/conversation-parts.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { toolLines } from "./conversation-tools.ts";

export interface PromptParts {
  skills: readonly Pick<ConversationSkill, "id" | "prompt" | "tools">[];
  /** The program the request is made in; null if unknown. */
  host: string | null;
  document: { name: string } | null;
}

/** The system prompt: the rules of the skills, its tools and how to call them, and where the request is made. */
export function conversationPrompt({ skills, host, document }: PromptParts): string {
  const parts = [rulesSection(skills), toolsSection(skills), contextSection(skills, host, document)];
  return parts.filter((part) => part !== "").join("\n\n");
}

const shortestFence = 4;

/** Lines with more equals signs than any prompt has in a row separate the prompts, so that none can imitate another. */
function rulesSection(skills: PromptParts["skills"]): string {
  const prompted = skills.filter(({ prompt }) => prompt.trim() !== "");
  if (prompted.length === 0) return "";
  const fence = "=".repeat(Math.max(shortestFence, maxRowLength(prompted.map(({ prompt }) => prompt)) + 1));
  return [
    `Follow the rules of these skills, the first before the others. Lines that begin with ${fence} part them.`,
    ...prompted.map(({ id, prompt }) => `${fence} skill ${shownName(id)}\n${prompt.trimEnd()}`),
    `${fence} end of the skills`,
  ].join("\n");
}

function maxRowLength(texts: readonly string[]): number {
  let longest = 0;
  for (const text of texts) for (const [row] of text.matchAll(/=+/g)) longest = Math.max(longest, row.length);
  return longest;
}

function toolsSection(skills: PromptParts["skills"]): string {
  const lines = toolLines(skills);
  return lines.length === 0 ? "" : ["Tools:", ...lines, "", protocol].join("\n");
}

const protocol = `To call a tool, reply with one JSON object and nothing else: no Markdown, no fence, no text around it, one call per reply.
{"name":"tool_name","arguments":{}}
The next message is its result, TOOL_RESULT: {"result":{"data":{}}} or TOOL_RESULT: {"error":{"message":""}}. Then call again or answer. Any other reply is your final answer.`;

const filledIn = ["doc_text", "context_document_path", "contextDocumentPath"];

function contextSection(
  skills: PromptParts["skills"],
  host: string | null,
  document: PromptParts["document"],
): string {
  const hostSentence = host === null ? "" : `The request is made in ${shownName(host)}. `;
  if (document === null) return `${hostSentence}No document is open.`;
  const open = `${hostSentence}The document ${JSON.stringify(plainLine(document.name, 200))} is open.`;
  const names = filledIn.filter((name) => skills.some(({ tools }) => tools.some(takes(name))));
  return names.length === 0 ? open : `${open} Leave out ${names.join(", ")}: tools are given the document.`;
}

function takes(name: string): (tool: ConversationSkill["tools"][number]) => boolean {
  return ({ parameters }) =>
    isMap(parameters) && isMap(parameters.properties) && Object.hasOwn(parameters.properties, name);
}
