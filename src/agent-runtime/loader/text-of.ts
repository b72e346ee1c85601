import { isUtf8 } from "node:buffer";

/** Bytes as text without a mark at the beginning; null where they are no text. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0) || !isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
