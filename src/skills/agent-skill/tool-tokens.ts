import { isMap } from "../../shared/json/is-map.ts";

/** The tools that a text or a list names, and how it fails to be words separated by spaces. */
export interface ToolTokens {
  /** What is written, with spaces between the items of a list. */
  text: string;
  tokens: string[];
  /** The first token that a comma follows. */
  commaAfter: string | null;
  unbalanced: string | null;
}

/** Reads what stands in `allowed-tools`: tokens end at white space and commas outside parentheses. */
export function toolTokens(written: unknown): ToolTokens {
  const text = itemsOf(written).join(" ");
  const found: ToolTokens = { text, tokens: [], commaAfter: null, unbalanced: null };
  let depth = 0;
  let token = "";
  let isUnbalanced = false;
  const end = () => {
    if (isUnbalanced || depth !== 0) found.unbalanced ??= token;
    if (token !== "") found.tokens.push(token);
    token = "";
    isUnbalanced = false;
  };
  for (const char of text) {
    if (depth === 0 && (char === "," || /\s/.test(char))) {
      if (char === ",") found.commaAfter ??= token || (found.tokens.at(-1) ?? "");
      end();
      continue;
    }
    if (char === "(") depth++;
    if (char === ")" && --depth < 0) {
      depth = 0;
      isUnbalanced = true;
    }
    token += char;
  }
  end();
  return found;
}

function itemsOf(written: unknown): string[] {
  if (Array.isArray(written)) return written.filter((item) => typeof item === "string");
  return isMap(written) ? [] : [String(written)];
}
