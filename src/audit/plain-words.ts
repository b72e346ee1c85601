// Soft hyphen, zero-width, bidirectional controls, variation selectors, tags: what a reader never sees.
const hidden = /\p{Default_Ignorable_Code_Point}/gu;
const tags = /[\u{e0020}-\u{e007e}]/gu;

/** A line as a machine would act on it: hidden characters gone, tag characters as the letters they stand for, forms made one. */
export function withoutHidden(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no work, and most lines are
  if (/^[\u0000-\u007f]*$/.test(text)) return text;
  return text
    .replace(tags, (char) => String.fromCharCode((char.codePointAt(0) ?? 0) - 0xe0000))
    .replace(hidden, "")
    .normalize("NFKC");
}

/** A line as a reader would say it: without emphasis, quotation and item marks, comment signs and doubled spaces. */
export function plainWords(text: string): string {
  return withoutHidden(text)
    .replace(/^\s{0,40}(?:(?:>|[-+*•]|\d{1,3}[.)]|\/\/|\/\*|#(?!!)|--|;;)\s{0,8}){1,6}/, "")
    .replace(/\*{1,3}|~~|(?<![\w`])_{1,3}(?=\w)|(?<=\w)_{1,3}(?![\w`])/g, "")
    .replace(/[\t ]{2,}/g, " ")
    .trim();
}
