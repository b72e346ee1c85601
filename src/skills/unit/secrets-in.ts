import { webAddress } from "../../shared/network/http.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { credentialsIn, isPlaceholder } from "../secrets/credentials.ts";

export interface WrittenSecret {
  steps: readonly PropertyKey[];
  /** Its kind, never itself: `an API key`. */
  what: string;
}

/** The credentials among the texts of a JSON value, each location once. */
export function secretsIn(value: unknown): WrittenSecret[] {
  return [...textsIn(value, [])].flatMap(({ text, steps }) => {
    const what = secretIn(text);
    return what === null ? [] : [{ steps, what }];
  });
}

/** A text that can be shown: credentials in it, and the user part of a URL, are left out. */
export function maskedSecrets(text: string): string {
  let shown = text.slice(0, 40 * longestShown); // nobody is shown more, and each secret is looked for in all of it
  for (const { secret } of credentialsIn(shown)) shown = shown.replaceAll(secret, "…");
  return shownText(shown.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/]*@/i, "$1…@"), longestShown);
}

const longestShown = 120;

function secretIn(text: string): string | null {
  for (const { name, secret } of credentialsIn(text)) if (!isPlaceholder(secret)) return name;
  return webAddress(text)?.password ? "a password" : null;
}

/** Nesting is bounded: the value was read as strict JSON. */
function* textsIn(
  value: unknown,
  steps: readonly PropertyKey[],
): Generator<{ text: string; steps: readonly PropertyKey[] }> {
  if (typeof value === "string") yield { text: value, steps };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, [...steps, index]);
  else if (typeof value === "object" && value !== null)
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...steps, key]);
}
