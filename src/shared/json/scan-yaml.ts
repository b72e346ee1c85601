import type { Lexer } from "yaml";

export interface YamlLimits {
  depth: number;
  aliases: number;
}

export interface YamlFault {
  /** 1-based. */
  line: number;
  problem: string;
}

/**
 * Looks for depth and aliases beyond the limits before anything is parsed, token by token, and stops there.
 * The parser itself recurses: half a megabyte of `? ? ?` would end the whole process.
 */
export function scanYaml(lexer: Lexer, text: string, limits: YamlLimits): YamlFault | null {
  let line = 1;
  let column = 0;
  let aliases = 0;
  let flowDepth = 0;
  let isScalar = false;
  let isLineStart = true;
  /** Where this line begins; text there is a level only if it turns out to be a key. */
  let keyColumn: number | null = null;
  /** Columns where the open block collections begin. */
  const columns: number[] = [];
  for (const token of lexer.lex(text)) {
    if (!isScalar && virtualTokens.has(token)) {
      isScalar = token === scalarFollows;
      continue;
    }
    const isContent = isScalar || /^[^\s#]/.test(token);
    if (isContent && isLineStart && flowDepth === 0) while ((columns.at(-1) ?? -1) >= column) columns.pop();
    if (!isScalar) {
      if (token === "[" || token === "{") flowDepth++;
      else if (token === "]" || token === "}") flowDepth = Math.max(0, flowDepth - 1);
      if (token.startsWith("*") && ++aliases > limits.aliases)
        return { line, problem: `more than ${limits.aliases} aliases` };
    }
    if (isContent && flowDepth === 0) {
      const isMark = !isScalar && (token === "-" || token === "?");
      if (isMark) columns.push(column);
      else if (isLineStart) keyColumn = column;
      if (!isScalar && token === ":" && keyColumn !== null) columns.push(keyColumn);
      if (isMark || token === ":") keyColumn = null;
    }
    if (columns.length + flowDepth > limits.depth)
      return { line, problem: `nesting deeper than ${limits.depth} levels is not allowed` };
    if (isContent) isLineStart = false;
    const end = token.lastIndexOf("\n");
    if (end !== -1) {
      line += token.split("\n").length - 1;
      isLineStart = true;
    }
    column = end === -1 ? column + token.length : token.length - end - 1;
    isScalar = false;
  }
  return null;
}

/** Tokens of the lexer without text: document start, scalar follows, flow collection broken off. */
const scalarFollows = "\u001f";
const virtualTokens = new Set(["\u0002", "\u0018", scalarFollows]);
