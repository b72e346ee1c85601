import { isUtf8 } from "node:buffer";

/** Bytes as text: strict UTF-8, or UTF-16 where its mark says so. Null for everything else. */
export function decodeText(content: Buffer): string | null {
  const encoding = utf16Of(content);
  if (encoding !== null) return decodeUtf16(content, encoding);
  // A zero byte is legal UTF-8 and stands in no text that a person wrote.
  if (!isUtf8(content) || content.includes(0)) return null;
  return content.toString("utf8").replace(/^\ufeff/, "");
}

/** What is left of a text when the bytes that are none are taken out: one bad byte must not hide the rest from every rule. */
export function salvageText(content: Buffer): string {
  return content.toString("utf8").replaceAll(/[\0\ufffd]/g, "");
}

function utf16Of(content: Buffer): "utf-16le" | "utf-16be" | null {
  if (content[0] === 0xff && content[1] === 0xfe) return "utf-16le";
  return content[0] === 0xfe && content[1] === 0xff ? "utf-16be" : null;
}

function decodeUtf16(content: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}
