import { hash } from "node:crypto";

/** How texts are made; another way of making them gives other digests, so nothing embedded before is taken for them. */
const textVersion = "text/1";

/** What the vector of a text is kept under. */
export function textDigest(text: string): string {
  return hash("sha256", `${textVersion}\n${text}`, "hex");
}

/** One digest for many texts, in whatever order they come. */
export function digestOfTexts(texts: readonly string[]): string {
  return hash("sha256", texts.map(textDigest).sort().join("\n"), "hex");
}
