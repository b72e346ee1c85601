import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";

/** The text of a node. */
export function textOf(source: string, { from, to }: SyntaxNodeRef): string {
  return source.slice(from, to);
}

/** A name as Python compares it. */
export function nameOf(source: string, node: SyntaxNodeRef): string {
  return textOf(source, node).normalize("NFKC");
}

/** What stands directly below a node, without comments. */
export function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.name !== "Comment") yield child;
}

/** What a string literal says; null where it has escapes, fields or parts that only running it would tell. */
export function literalOf(source: string, node: SyntaxNodeRef): string | null {
  if (node.name !== "String") return null;
  const text = textOf(source, node);
  return text.includes("\\") ? null : (/^[rRuU]?(["'])([^"'\n]*)\1$/.exec(text)?.[2] ?? null);
}
