/** A piece of a text that is replaced. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** Replaces pieces that do not overlap; everything else stays byte for byte. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = "";
  let at = 0;
  for (const { from, to, insert } of [...edits].sort((a, b) => a.from - b.from || a.to - b.to)) {
    edited += text.slice(at, from) + insert;
    at = to;
  }
  return edited + text.slice(at);
}
