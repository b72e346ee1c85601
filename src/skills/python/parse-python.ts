import type { Tree } from "@lezer/common";

/** Text of Python with the tree that was made of it. */
export interface ParsedPython {
  /** Lines end in LF, whatever they ended in. */
  source: string;
  tree: Tree;
  /** Whether the grammar knew all of it. */
  isWhole: boolean;
}

/**
 * Parses Python, as far as the grammar goes; null where more than so many characters would have to be fixed, which
 * takes up to twenty times as long as parsing what the grammar knows.
 */
export async function parsePython(source: string, maxLength: number): Promise<ParsedPython | null> {
  const { parser } = await import("@lezer/python");
  try {
    return { source, tree: parser.configure({ strict: true }).parse(source), isWhole: true };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return source.length > maxLength ? null : { source, tree: parser.parse(source), isWhole: false };
  }
}

/** One kind of line end, and neither the mark nor the page breaks that may stand before a line. */
export function plainLines(source: string): string {
  return source
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^\f+/gm, "");
}
