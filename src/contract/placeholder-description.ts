/** What a new skill says of itself until somebody describes it; `doctor` asks to replace it. */
export function placeholderDescription(name: string): string {
  return `${name}: describe what it does and when to use it`;
}
