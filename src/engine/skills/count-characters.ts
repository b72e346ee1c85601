/** How many characters (code points) a text has; no further than to this limit. */
export function countCharacters(text: string, limit = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = 0; at < text.length && count < limit; count++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
