import { shorten } from "../src/base/visible-text.ts";
import { readableText } from "../src/reporters/html-text.ts";

/** Text that others wrote: only ever a text node, cut off from the direction of the text around it. */
export function StrangerText({ text, limit }: { text: string; limit?: number }) {
  const shown = limit === undefined ? text : shorten(text, limit);
  return <bdi>{readableText(shown)}</bdi>;
}
