import { hash } from "node:crypto";

/** JSON with sorted keys and no spaces: equal values give equal text, on any machine. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** `sha256:` and the hash of this text or these bytes. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${hash("sha256", content, "hex")}`;
}
