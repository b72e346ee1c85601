import { hash } from "node:crypto";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json } from "../../../shared/json/json.ts";

/**
 * The word that sets the sections of a prompt apart: hashed from what is asked, so that it is the same on every machine,
 * and hashed again while one of the texts holds it, so that no text can close its own section.
 */
export function promptMark(asked: Json, texts: readonly string[]): string {
  const lowered = texts.map((text) => text.toLowerCase());
  let digest = hash("sha256", canonicalJson(asked), "hex");
  while (lowered.some((text) => text.includes(digest.slice(0, markDigits))))
    digest = hash("sha256", digest, "hex");
  return digest.slice(0, markDigits);
}

const markDigits = 8;
