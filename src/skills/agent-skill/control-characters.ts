const control = /[^\P{Cc}\n\t]|\p{Cs}/u;
const controls = new RegExp(control, "gu");

/** The place of the first character that no text needs: a control character but newline and tab, or half of a pair; -1 where there is none. */
export function findControl(text: string): number {
  return text.search(control);
}

/** The text without them. */
export function withoutControls(text: string): string {
  return text.replace(controls, "");
}
