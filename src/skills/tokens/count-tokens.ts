import { encodedLength } from "../../shared/text/token-encoding.ts";
import { countInThread, hasThreads } from "./token-threads.ts";

const maxRemembered = 64;
const remembered = new Map<string, Promise<number>>();

/**
 * How many tokens a text is to a model, by the o200k encoding. Counted in a thread, beside other work; what was just
 * asked is not counted again.
 */
export function countTokens(text: string): Promise<number> {
  const before = remembered.get(text);
  if (before !== undefined) return before;
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  // Run from source there is no program that a thread could read.
  const tokens = hasThreads() ? countInThread(text) : encodedLength(text);
  remembered.set(text, tokens);
  return tokens;
}
