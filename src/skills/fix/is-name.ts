/** Whether a folder is called what a skill may be called. */
export function isName(text: string): boolean {
  return text.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}
