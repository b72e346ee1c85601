/** The description of the templates; `doctor` then asks to replace it. */
export function placeholderFor(name: string): string {
  return `${name}: describe what it does and when to use it`;
}
