import type { AuditRule } from "./rule.ts";
import { wellKnownNames } from "./well-known-names.ts";

/** A name that can be mistaken for a well-known one. */
export const nameSquatting: AuditRule = {
  id: "AUD190",
  name: "name-squatting",
  severity: "medium",
  message: "the skill name is almost that of a well-known skill",
  help: "Check that it is the one you want, and who published it.",
  *find({ name }) {
    const known = imitated(name);
    if (known !== null)
      yield {
        file: ".",
        line: null,
        evidence: name,
        message: `the name "${name}" is almost the well-known "${known}"`,
      };
  },
};

const known = wellKnownNames.map((word) => ({ word, plain: plainName(word) }));

/** From this length on, one wrong letter is not another word by chance. */
const longName = 9;

function imitated(name: string): string | null {
  const plain = plainName(name);
  if (plain.length < 5 || plain.length > 60 || ordinary.has(plain)) return null;
  const unnumbered = plain.replace(/v?\d+$/, ""); // another edition is not another name
  if (known.some((other) => other.plain === plain || other.plain === unnumbered)) return null;
  const near = known.find((other) => isNear(plain, other.plain));
  return near === undefined ? null : near.word;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, "");
}

/** Words of the language that are a letter away from a name. */
const ordinary = new Set([
  "motion",
  "option",
  "nation",
  "locker",
  "docket",
  "rocker",
  "strip",
  "stripes",
  "stripped",
  "strike",
  "figure",
  "entry",
  "sentry",
  "discard",
  "accord",
  "record",
  "typescripts",
  "openapi",
  "opena",
  "pytests",
  "notions",
  "dockers",
  "vertical",
  "prometheu",
]);

function isNear(name: string, known: string): boolean {
  if (unmasked(name) === unmasked(known)) return true;
  if (hasSwap(name, known) || hasDoubling(name, known) || hasDoubling(known, name)) return true;
  if (known.length < longName || name === `${known}s` || known === `${name}s`) return false;
  return isOneEdit(name, known);
}

/** Digits and pairs that pass for a letter. */
function unmasked(name: string): string {
  return name
    .replaceAll("0", "o")
    .replace(/[1|!]/g, "l")
    .replaceAll("i", "l")
    .replaceAll("3", "e")
    .replaceAll("5", "s")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

function hasSwap(name: string, known: string): boolean {
  if (name.length !== known.length) return false;
  const at = [...name].findIndex((letter, index) => letter !== known[index]);
  return (
    name[at] === known[at + 1] && name[at + 1] === known[at] && name.slice(at + 2) === known.slice(at + 2)
  );
}

/** Whether `longer` is the other with one letter typed twice. */
function hasDoubling(longer: string, other: string): boolean {
  if (longer.length !== other.length + 1) return false;
  for (let at = 1; at < longer.length; at++)
    if (longer[at] === longer[at - 1] && longer.slice(0, at) + longer.slice(at + 1) === other) return true;
  return false;
}

function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
