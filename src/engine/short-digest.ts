import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";

/** As much of a digest as tells one state from the next. It is compared with what runs in the store have kept. */
export function shortDigest(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 16);
}

/** The same of any value. */
export function shortHash(value: unknown): string {
  return shortDigest(sha256(canonicalJson(value)));
}
