import { escapeXml } from "./junit-escape.ts";

/** An XML tag with its attributes, escaped; an attribute without a value is left out. */
export function xmlTag(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  kind: "open" | "empty" = "open",
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escapeXml(String(value))}"`);
  return `<${name}${written.join("")}${kind === "empty" ? "/>" : ">"}`;
}
