import type { ManifestPart } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";

/** A piece of a prompt. Most stay the same from turn to turn, so each is hashed once. */
export interface ContextPart {
  readonly kind: ManifestPart["kind"];
  readonly text: string;
  /** How it is listed in the event of a request. */
  readonly listing: ManifestPart;
}

/** A piece that a shorter one can stand for where there is no room. */
export interface ShortenablePart {
  readonly whole: ContextPart;
  readonly short: ContextPart;
}

export function contextPart(kind: ContextPart["kind"], text: string, ref: string | null = null): ContextPart {
  let listing: ManifestPart | null = null;
  return {
    kind,
    text,
    get listing() {
      listing ??= { kind, ref, sha256: sha256(text), chars: text.length };
      return listing;
    },
  };
}

/** The shorter text is made when it is needed, which is seldom. */
export function shortenablePart(
  kind: ContextPart["kind"],
  text: string,
  shortText: () => string,
  ref: string | null = null,
): ShortenablePart {
  let short: ContextPart | null = null;
  return {
    whole: contextPart(kind, text, ref),
    get short() {
      short ??= contextPart(kind, shortText(), ref);
      return short;
    },
  };
}
