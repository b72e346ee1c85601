const before = 60;
const shown = 200;

/** The part of a line that a match at this place should show. */
export function around(text: string, index: number): string {
  const start = Math.max(0, Math.min(index - before, text.length - shown));
  return start === 0 ? text : `…${text.slice(start)}`;
}

/** The number of the line that an index of a text is in. Ask with growing indexes, and each text is walked once. */
export function lineCounter(text: string): (index: number) => number {
  let at = 0;
  let line = 1;
  return (index) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < index; next = text.indexOf("\n", at)) {
      at = next + 1;
      line++;
    }
    return line;
  };
}
