import { hash } from "node:crypto";

/** JSON with sorted keys and no spaces: equal values give equal text, on any machine. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${canonicalJson(item)}`;
    return `[${text}]`;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members).sort()) {
    if (members[key] === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(members[key])}`;
  }
  return `{${text}}`;
}

/** `sha256:` and the hash of this text or these bytes. */
export function sha256(content: string | Uint8Array): string {
  return `sha256:${hash("sha256", content, "hex")}`;
}
