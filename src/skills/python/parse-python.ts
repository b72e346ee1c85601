import type { SyntaxNode, SyntaxNodeRef, Tree } from "@lezer/common";

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

/** Normalizes line ends, and drops the byte order mark and the page breaks before a line. */
export function plainLines(source: string): string {
  return source
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^\f+/gm, "");
}

/** The text of a node. */
export function nodeText(source: string, { from, to }: SyntaxNodeRef): string {
  return source.slice(from, to);
}

/** A name as Python compares it. */
export function nodeName(source: string, node: SyntaxNodeRef): string {
  return nodeText(source, node).normalize("NFKC");
}

/** The direct children of a node, without comments. */
export function* childNodes(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") yield child;
}

/** What a string literal says; null if it has escapes, fields or parts that are only known at run time. */
export function literalText(source: string, node: SyntaxNodeRef): string | null {
  if (node.name !== "String") return null;
  const text = nodeText(source, node);
  return text.includes("\\") ? null : (/^[rRuU]?(["'])([^"'\n]*)\1$/.exec(text)?.[2] ?? null);
}

/** Whether a block is never run in a module that is imported: it is for type checkers, or for a start as a program. */
export function isDormant(source: string, body: SyntaxNode): boolean {
  const test = body.prevSibling;
  if (test?.prevSibling?.name !== "if" || body.parent?.name !== "IfStatement") return false;
  return test.to - test.from < longestTest && tests.some((pattern) => pattern.test(nodeText(source, test)));
}

const longestTest = 100;
const tests = [
  /^\(?(?:\w+\.)?TYPE_CHECKING\)?$/,
  /^\(?__name__\s*==\s*["']__main__["']\)?$/,
  /^\(?["']__main__["']\s*==\s*__name__\)?$/,
];
