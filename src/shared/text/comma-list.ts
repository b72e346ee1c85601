/** The hint for several values that were typed as one, `json,html`; undefined where splitting it would not help. */
export function spacesHint(typed: string, isKnown: (part: string) => boolean): string | undefined {
  const parts = typed.split(",").map((part) => part.trim());
  if (parts.length < 2 || !parts.every((part) => part !== "" && isKnown(part))) return undefined;
  return `separate them with spaces: ${parts.join(" ")}`;
}
