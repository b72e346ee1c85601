/** Words of templates: of ours, "<name>: describe what it does and when to use it", and of others. */
const placeholders: readonly RegExp[] = [
  /\bdescribe what (?:it|this skill|the skill|your skill) does/i,
  /\blorem ipsum\b/i,
  /\b(?:TODO|TBD|FIXME)(?=:|\W*$)/, // a "todo list" is none, nor are "TODO comments"
  /\[TODO\b/,
  /^(?:(?:your|a|an|the|insert|add|enter|write|brief|short|clear|skill) )*description(?: goes)?(?: here)?\W{0,9}$/i,
  /\breplace (?:this )?with (?:a |your )?description\b/i,
];

/** The words that show that nobody has described the skill yet, or null. */
export function placeholderIn(description: string): string | null {
  const text = description.trim().slice(0, 2000);
  for (const placeholder of placeholders) {
    const found = placeholder.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}
