/** Whether this Node runs TypeScript files as they are: from 22.18 on. */
export function readsTypeScript(): boolean {
  return Boolean((process.features as { typescript?: unknown }).typescript);
}
