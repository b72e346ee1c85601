/** Whether a text matches one of these patterns: `*` stands for any characters, `?` for one. */
export function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => globExpression(pattern).test(text));
}

function globExpression(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${source}$`, "su");
}
