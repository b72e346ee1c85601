import type { AgentMessage } from "../../contract/agent-parts.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { shorten, truncationTag } from "../../shared/text/visible-text.ts";
import { argumentSchemas, schemaHint } from "./schema-hint.ts";

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

const argumentLines = [...argumentSchemas].map(([name, schema]) => `   ${name}: ${argumentsInWords(schema)}`);

/** The first message to every model: how to reply, what it may do, and in which order. Ends with the schema. */
export const rulesText: string = `You solve the user's request with the help of skills, one action per turn.

HOW TO REPLY
- Reply with exactly one JSON object: {"action":{"type":…,"payload":{…}},"plan_update":null,"diagnostics":null}
- No Markdown, no code fence, no prose before or after it, no second object.
- "action.type" and "action.payload" must be present. A payload has the members shown below and no others.
- One action per turn. You see its result in the next turn.

THE FIVE ACTIONS
1. select_skills: load the instructions of one or more skills of the index.
   {"action":{"type":"select_skills","payload":{"skills":[{"name":"pdf-forms"}],"reason":"The request is about a PDF form."}}}
2. load_resource: read one file of a selected skill; "section_hint" is a heading line, to get that section only.
   {"action":{"type":"load_resource","payload":{"skill":{"name":"pdf-forms"},"relative_path":"references/fields.md","section_hint":"## Fields"}}}
3. run_script: run a file below scripts/ of a selected skill.
   {"action":{"type":"run_script","payload":{"skill":{"name":"pdf-forms"},"relative_path":"scripts/fill.py","args":["inputs/form.pdf"]}}}
4. call_tool: call one of the tools below, or a tool that a selected skill declares. Not all of them are always allowed.
   {"action":{"type":"call_tool","payload":{"tool":"read_file","arguments":{"path":"inputs/notes.txt"}}}}
${argumentLines.join("\n")}
   A path is relative to the workspace, or skill:<name>/<path> for a file of a selected skill.
5. final_answer: answer the user. This ends the run.
   {"action":{"type":"final_answer","payload":{"content":"The form is filled in."}}}

IN WHICH ORDER
- While you see only the index of skills, select a skill before you assume what its instructions say. If none fits, answer without one.
- After you have read the instructions of a skill, you may ask for its resources and run its scripts.
- After each observation, update the plan and choose the next action. A failed action is not repeated for you: decide what to do next.
- When you are told to answer now, reply with final_answer.

THE PLAN (optional, beside the action)
- A new plan: "plan_update":{"mode":"replace","plan":{"goal":"Fill in the form","steps":[{"id":"read","title":"Read the form","status":"pending"}]}}
- A change: "plan_update":{"mode":"patch","ops":[{"op":"set","path":"/steps/read/status","value":"completed"}]}

THE JSON SCHEMA OF A REPLY
${schemaHint}`;

function argumentsInWords({ properties, required }: JsonObject): string {
  const words = Object.entries(properties as Record<string, JsonObject>).map(([name, { enum: values }]) => {
    const isNeeded = ((required ?? []) as string[]).includes(name);
    return `${name}${isNeeded ? "" : "?"}${Array.isArray(values) ? ` (${values.join("|")})` : ""}`;
  });
  return words.join(", ");
}

/** A reply that is not an action, and what is wrong with it. */
interface Mistake {
  reply: string;
  problem: string;
}

/** The question again, with the reply as far as there is room for it, and what is wrong with it. */
export function correction(
  messages: readonly AgentMessage[],
  { reply, problem }: Mistake,
  maxChars: number = Number.POSITIVE_INFINITY,
): readonly AgentMessage[] {
  const correctionMessage: AgentMessage = { role: "user", text: correctionText(problem) };
  const room = maxChars - promptChars([...messages, correctionMessage]) - joint;
  const shown = excerpt(reply, Math.min(room, maxExcerptLength));
  // Providers refuse a message without words.
  return shown.trim() === ""
    ? [...messages, correctionMessage]
    : [...messages, { role: "assistant", text: shown }, correctionMessage];
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
  const keptLength = limit - truncationTag.length;
  return keptLength < 1 ? "" : `${shorten(text, keptLength)}${truncationTag}`;
}
