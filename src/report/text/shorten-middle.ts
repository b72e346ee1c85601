/** At most `limit` characters of a text whose end says more than its middle: a traceback ends with what went wrong. */
export function shortenMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headLength = Math.floor(limit / 3);
  const head = text.slice(0, headLength).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - (limit - headLength - 1)).replace(/^[\udc00-\udfff]/, "");
  return `${head}…${tail}`;
}
