import { readableText } from "../../src/report/text/html-text.ts";
import { cutWords } from "../../src/report/view/wrap-words.ts";

/** Text that others wrote: only ever a text node, cut off from the direction of the text around it, and cut between words. */
export function StrangerText({ text, limit }: { text: string; limit?: number }) {
  return <bdi>{readableText(limit === undefined ? text : cutWords(text, limit))}</bdi>;
}
