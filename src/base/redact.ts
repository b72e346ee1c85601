const mark = "[redacted]";
const shortestSecret = 8;
const urlUser = /([a-z][a-z0-9+.-]*:\/\/)[^/\s"'@]+@/gi;

/**
 * Makes a function that takes secrets out of any value: plain, base64, base64url, URL-encoded and JSON-escaped,
 * and the user part of any URL. A value without secrets comes back as it is, uncopied.
 */
export function redactor(secrets: readonly string[]): <Value>(value: Value) => Value {
  const spellings = [
    ...new Set(secrets.filter(({ length }) => length >= shortestSecret).flatMap(spellingsOf)),
  ];
  // Longer first: a spelling may contain another.
  spellings.sort((a, b) => b.length - a.length);

  function clean(text: string): string {
    let cleaned = text;
    for (const spelling of spellings) {
      if (cleaned.includes(spelling)) cleaned = cleaned.replaceAll(spelling, mark);
    }
    return cleaned.includes("://") ? cleaned.replace(urlUser, `$1${mark}@`) : cleaned;
  }

  function redact(value: unknown): unknown {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(redact);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    let copy: Record<string, unknown> | null = null;
    for (const [key, member] of Object.entries(value)) {
      const cleanKey = clean(key);
      const cleanMember = redact(member);
      if (cleanKey === key && cleanMember === member) continue;
      copy ??= { ...value };
      delete copy[key];
      copy[cleanKey] = cleanMember;
    }
    return copy ?? value;
  }

  return <Value>(value: Value) => redact(value) as Value;
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString("base64");
  return [
    secret,
    base64,
    base64.replace(/=+$/, ""),
    bytes.toString("base64url"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}
