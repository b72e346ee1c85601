import { truncationTag } from "../../shared/text/truncation-tag.ts";

/** The first characters of a text, with a mark where there is more. Never half of a character. */
export function beginningOf(text: string, limit: number): { text: string; isCut: boolean } {
  if (text.length <= limit) return { text, isCut: false };
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
  const cut = `${truncationTag} ${end} of ${text.length} characters are shown`;
  return { text: `${text.slice(0, end)}\n${cut}`, isCut: true };
}
