const replacement = "[redacted]";
const shortestSecret = 8;
/** Marks where a text was shortened. */
const cut = "…";
// Begins at the `://`: a pattern that begins with the scheme takes quadratic time on a long word.
const urlUser = /:\/\/[^/?#\s"'<>]+@/g;

/**
 * Makes a function that takes secrets out of any value: plain, base64, base64url, URL-encoded and JSON-escaped,
 * and the user part of any URL. A value without secrets comes back as it is, uncopied.
 */
export function redactor(secrets: readonly string[]): <Value>(value: Value) => Value {
  const spellings = secretSpellings(secrets);

  function clean(text: string): string {
    let cleaned = text;
    for (const spelling of spellings) {
      if (cleaned.includes(spelling)) cleaned = cleaned.replaceAll(spelling, replacement);
    }
    if (cleaned.includes(cut)) for (const spelling of spellings) cleaned = cleanCut(cleaned, spelling);
    return cleaned.includes("://") ? cleaned.replace(urlUser, `://${replacement}@`) : cleaned;
  }

  function redact(value: unknown): unknown {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(redact);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    let isChanged = false;
    const members = Object.entries(value).map(([key, member]) => {
      const cleaned = [clean(key), redact(member)] as const;
      isChanged ||= cleaned[0] !== key || cleaned[1] !== member;
      return cleaned;
    });
    // `fromEntries` keeps the order and takes `__proto__` for a name like any other.
    return isChanged ? Object.fromEntries(members) : value;
  }

  // Most values hold nothing, and their JSON shows that faster than a walk through them.
  const mayHoldOne = secretTraces(secrets);
  return <Value>(value: Value) =>
    mayHoldOne(JSON.stringify(value) ?? "") ? (redact(value) as Value) : value;
}

/** Whether JSON may hold one of these secrets: where it does not, the value needs no redaction. */
export function secretTraces(secrets: readonly string[]): (json: string) => boolean {
  // A quote or a backslash in a spelling is escaped once more within JSON.
  const escaped = secretSpellings(secrets).map((spelling) => JSON.stringify(spelling).slice(1, -1));
  const traces = [...new Set(escaped)];
  return (json) => json.includes("://") || json.includes(cut) || traces.some((trace) => json.includes(trace));
}

/** Every way in which these secrets may be written, the longest first: a spelling may contain another. */
export function secretSpellings(secrets: readonly string[]): string[] {
  const known = secrets
    .flatMap((secret) => [secret, secret.trim()])
    .filter(({ length }) => length >= shortestSecret);
  return [...new Set(known.flatMap(spellSecret))].sort((a, b) => b.length - a.length);
}

/** Takes out what is left of a secret where a long text was shortened: its beginning before the cut, its end behind it. */
function cleanCut(text: string, spelling: string): string {
  const head = spelling.slice(0, shortestSecret);
  const tail = spelling.slice(-shortestSecret);
  if (!text.includes(head) && !text.includes(tail)) return text;
  const pieces = text.split(cut);
  return pieces
    .map((piece, index) => (index === pieces.length - 1 ? piece : withoutBeginning(piece, spelling, head)))
    .map((piece, index) => (index === 0 ? piece : withoutEnd(piece, spelling, tail)))
    .join(cut);
}

function withoutBeginning(text: string, spelling: string, head: string): string {
  const near = text.slice(-spelling.length);
  for (let at = near.indexOf(head); at !== -1; at = near.indexOf(head, at + 1)) {
    const left = near.slice(at);
    if (spelling.startsWith(left)) return `${text.slice(0, text.length - left.length)}${replacement}`;
  }
  return text;
}

function withoutEnd(text: string, spelling: string, tail: string): string {
  const at = text.slice(0, spelling.length).indexOf(tail);
  const end = at + tail.length;
  return at !== -1 && spelling.endsWith(text.slice(0, end)) ? `${replacement}${text.slice(end)}` : text;
}

function spellSecret(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    base64,
    base64.replace(/=+$/, ""),
    bytes.toString("base64url"),
    ...base64Within(bytes).flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]),
    ...urlSpellings(secret),
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
function urlSpellings(secret: string): string[] {
  const javascript = encodeURIComponent(Buffer.from(secret).toString());
  const strict = javascript.replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const spellings = [javascript, strict, strict.replaceAll("%2F", "/"), form];
  return [...spellings, ...spellings.map((text) => text.replace(/%../g, (hex) => hex.toLowerCase()))];
}
