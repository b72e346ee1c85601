import { visibleText } from "../../shared/text/visible-text.ts";

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// Two characters that no XML may hold and that are not hidden ones, which have become visible by then.
const illegal = /[\ufffe\uffff]/g;

// Most attributes are ids and numbers: one look at them is enough.
const harmless = /^[\w .#/:+-]*$/;

/** Untrusted text as one line of XML text, in an attribute as anywhere: no markup, no character that XML forbids. */
function escapeXml(text: string): string {
  if (harmless.test(text)) return text;
  return visibleText(text)
    .replace(/[&<>"']/g, (char) => entities[char] as string)
    .replace(illegal, "\ufffd");
}

/** The same for the content of an element, where line breaks stay. */
export function escapeXmlLines(text: string): string {
  return text.split(/\r?\n/).map(escapeXml).join("\n");
}

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
