import { createHash, timingSafeEqual } from "node:crypto";

/** Whether a stranger's word is the secret, in a time that tells nothing about it. */
export function isSameSecret(word: string, secret: string): boolean {
  return timingSafeEqual(digestOf(word), digestOf(secret));
}

/** Of equal length whatever the words are. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
