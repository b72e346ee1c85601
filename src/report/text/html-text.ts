// Controls, direction marks and overrides, invisible spaces, tags, halves of characters. Tabs and line breaks are
// fine in a page, and so are joiners: emoji and many scripts need them.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Untrusted text for a page: what a browser would hide, or let reorder the line, becomes a visible escape. */
export function readableText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(hidden, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** Escapes untrusted text for markup, in elements and attributes. Nothing else may insert text. */
export function escapeHtml(text: string): string {
  return readableText(text).replace(/[&<>"']/g, (char) => entities[char] as string);
}

/** JSON for a script element: the same values, and nothing that could end the element or begin a comment. */
export function escapeJson(text: string): string {
  return text.replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
