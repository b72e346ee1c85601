import { domainToASCII } from "node:url";
import { fullFormats } from "ajv-formats/dist/formats.js";

type Check = (value: unknown) => boolean;

/** The formats that the usual collection lacks: the same as its own, for all languages. */
const international: Readonly<Record<string, (text: string) => boolean>> = {
  "idn-email": (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  "idn-hostname": (text) => text !== "" && hasFormat("hostname", domainToASCII(text)),
  iri: (text) => hasFormat("uri", inAscii(text)),
  "iri-reference": (text) => hasFormat("uri-reference", inAscii(text)),
};

/** What a value of this format must be, for texts and numbers alone; null where nobody knows the format. */
export function formatCheck(name: string): Check | null {
  if (Object.hasOwn(international, name)) return onText((text) => international[name]?.(text) === true);
  return Object.hasOwn(fullFormats, name) ? (value) => isOfFormat(name, value) : null;
}

/** The names of those formats, for a compiler that is told about each. */
export const internationalFormats: readonly string[] = Object.keys(international);

function isOfFormat(name: string, value: unknown): boolean {
  const format = fullFormats[name as keyof typeof fullFormats];
  if (typeof format === "object" && "type" in format && format.type === "number")
    return typeof value !== "number" || asCheck(format)(value);
  return onText((text) => asCheck(format)(text))(value);
}

function asCheck(format: unknown): (value: unknown) => boolean {
  if (format instanceof RegExp) return (value) => format.test(String(value));
  if (typeof format === "function") return (value) => format(value) === true;
  const inner = (format as { validate?: unknown } | null)?.validate;
  return inner === undefined ? () => true : asCheck(inner);
}

function hasFormat(name: string, text: string): boolean {
  return isOfFormat(name, text);
}

function onText(check: (text: string) => boolean): Check {
  return (value) => typeof value !== "string" || check(value);
}

/** With everything that is not ASCII escaped, as far as it may be written unescaped. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => encodeURIComponent(character));
}
