/** Shorter values would take half of a report with them. */
export const shortestSecret = 8;
/** A beginning or an end of this many characters gives away a secret of more than `longSecret` characters. */
const givesAway = 12;
const longSecret = 20;

/** One way in which a secret may be written. */
export interface Spelling {
  text: string;
  /** The same without white space: so it is found however it is spaced. Null where too little would be left. */
  squeezed: string | null;
  /** How many characters of the beginning, and of the end, are as good as all of it. */
  head: number;
  tail: number;
}

// White space, and characters that take no space: a word can be cut in two by either.
const blanks = /[\s\u200b-\u200d\u2060]+/g;

/** A text without white space. */
export function squeeze(text: string): string {
  return text.replace(blanks, "");
}

export function isBlank(char: string): boolean {
  return squeeze(char) === "";
}

/** Every way in which these secrets may be written, the longest first: a spelling may contain another. */
export function secretSpellings(secrets: readonly string[]): Spelling[] {
  const known = secrets
    .flatMap((secret) => [secret, secret.trim()])
    .filter(({ length }) => length >= shortestSecret);
  const spellings = new Map<string, Spelling>();
  for (const secret of new Set(known))
    for (const text of spellSecret(secret))
      if (!spellings.has(text)) spellings.set(text, describeSpelling(text, secret));
  return [...spellings.values()].sort((a, b) => b.text.length - a.text.length);
}

function describeSpelling(text: string, secret: string): Spelling {
  const squeezed = squeeze(text);
  const isLoose = squeezed.length >= shortestSecret;
  const { length } = isLoose ? squeezed : text;
  // Addresses are configured like secrets, and their schemes give nothing away.
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(secret)?.[0].length ?? 0;
  const partOf = (count: number) =>
    secret.length > longSecret ? Math.min(length, Math.ceil((count * length) / secret.length)) : length;
  return {
    text,
    squeezed: isLoose ? squeezed : null,
    head: partOf(givesAway + scheme),
    tail: partOf(givesAway),
  };
}

function spellSecret(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  const hex = bytes.toString("hex");
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    [...secret].reverse().join(""),
    base64,
    base64.replace(/=+$/, ""),
    bytes.toString("base64url"),
    ...base64Within(bytes).flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]),
    hex,
    hex.toUpperCase(),
    ...urlSpellings(secret, hex),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ];
}

/**
 * How a secret reads in the base64 of something longer: three ways, by how many bytes precede it. Only the
 * characters it decides alone; those at its borders hold bits of its neighbours.
 */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Languages agree on the percent sign and on little else: which characters are left as they are, and in which case. */
function urlSpellings(secret: string, hex: string): string[] {
  const javascript = encodeURIComponent(Buffer.from(secret).toString());
  const strict = javascript.replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const whole = hex.toUpperCase().replace(/../g, "%$&");
  const spellings = [javascript, strict, strict.replaceAll("%2F", "/"), form, whole];
  return [...spellings, ...spellings.map((text) => text.replace(/%../g, (code) => code.toLowerCase()))];
}
