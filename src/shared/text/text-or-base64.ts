import { isUtf8 } from "node:buffer";

/** Bytes of a stranger as text; what is no text stays whole as base64, instead of being replaced in silence. */
export function textOrBase64(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : `base64:${bytes.toString("base64")}`;
}
