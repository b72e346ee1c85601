import { isMap } from "../../shared/json/json-values.ts";

/** The content of one line of an agent's output. */
export interface AgentLine {
  /** Names of skills that it says were activated. */
  activated: readonly string[];
  /** What the agent says went wrong, where it ended that way. */
  problem: string | null;
}

/**
 * Reads a line of an agent: `{"type":"skill","name":"…"}`, or a message of Claude Code's `stream-json`. Null where
 * it is neither, nor any other message with a type.
 */
export function readAgentLine(line: Buffer): AgentLine | null {
  const message = parsed(line);
  if (!isMap(message) || typeof message.type !== "string") return null;
  if (message.type === "skill") return activationLine(named(message.name));
  if (message.type === "assistant") return activationLine(activatedBy(message.message));
  return { activated: [], problem: message.type === "result" ? resultProblem(message) : null };
}

function parsed(line: Buffer): unknown {
  if (line[0] !== openBrace) return null; // much cheaper than a failed parse, and prose has many lines
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return null;
  }
}

const openBrace = 0x7b;

function activationLine(activated: readonly string[]): AgentLine {
  return { activated, problem: null };
}

/** An agent loads a skill by the tool of that name, or by reading the instructions itself. */
function activatedBy(message: unknown): string[] {
  const content = isMap(message) && Array.isArray(message.content) ? message.content : [];
  return content.flatMap((block) => {
    if (!isMap(block) || block.type !== "tool_use" || !isMap(block.input)) return [];
    const { input } = block;
    if (block.name === "Skill")
      return [input.skill, input.command, input.name].map(named).find(({ length }) => length > 0) ?? [];
    return block.name === "Read" ? skillRead(input.file_path ?? input.path) : [];
  });
}

const instructions = /(?:^|[\\/])skills[\\/]([^\\/]{1,255})[\\/]SKILL\.md$/;

function skillRead(path: unknown): string[] {
  return typeof path === "string" ? named(instructions.exec(path.slice(-maxPathChars))?.[1]) : [];
}

const maxPathChars = 4096;
const maxNameChars = 255;

function named(name: unknown): string[] {
  return typeof name === "string" && name !== "" && name.length <= maxNameChars ? [name] : [];
}

/** Reaching the turn limit is not a failure: a low limit is used to see only how an agent begins. */
function resultProblem({ is_error, subtype, result }: Record<string, unknown>): string | null {
  if (is_error !== true || subtype === "error_max_turns") return null;
  return typeof result === "string" && result !== ""
    ? result
    : `it ended with ${JSON.stringify(subtype ?? "an error")}`;
}
