import { isBlank, secretSpellings } from "./secret-spellings.ts";

/** A text that comes in pieces, redacted as it comes. */
export interface RedactStream {
  /** Takes a piece and gives what can be let out: what no later piece can change any more. May be empty. */
  write(piece: string): string;
  /** Gives what was held. */
  end(): string;
}

/**
 * Makes streams that redact like `redact`: whatever the pieces, what they give adds up to what it makes of the whole. It may be
 * cut only behind a character that no redaction can reach across: one that is in no spelling of a secret and in no user part of
 * a URL, or the white space behind such a one. Each character is looked at once.
 */
export function redactStreams(
  secrets: readonly string[],
  redact: (text: string) => string,
): () => RedactStream {
  const inSecrets = new Set(
    secretSpellings(secrets)
      .map(({ text }) => text)
      .join(""),
  );

  return () => {
    let held = "";
    // The two characters before the next piece, and whether a `://` follows the last one that ends a user part.
    let before = "";
    let isInUrl = false;
    // White space is as safe as what it follows: a secret may have it anywhere.
    let isSafe = true;

    /** Where a piece may be cut; 0 where nowhere. Looks at the piece alone: reading what is held again and again takes quadratic time. */
    function lastBorder(piece: string): number {
      let border = 0;
      const text = before + piece;
      for (let at = before.length; at < text.length; at++) {
        const char = text.charAt(at);
        isSafe = !inSecrets.has(char) && (isSafe || !isBlank(char));
        if (char === "/" && text.charAt(at - 1) === "/" && text.charAt(at - 2) === ":") isInUrl = true;
        if (isSafe && endsUrl.has(char)) isInUrl = false;
        if (isSafe && !isInUrl && !holdsOn(char)) border = at + 1 - before.length;
      }
      before = text.slice(-2);
      return border;
    }

    return {
      write(piece) {
        const border = lastBorder(piece);
        if (border === 0) {
          held += piece;
          return "";
        }
        const free = held + piece.slice(0, border);
        held = piece.slice(border);
        return redact(free);
      },
      end() {
        const rest = held;
        held = "";
        before = "";
        isInUrl = false;
        isSafe = true;
        return redact(rest);
      },
    };
  };
}

/** White space and what else cannot be in the user part of a URL; the slash can, within `://`. */
const endsUrl: ReadonlySet<string> = new Set([..." \n\r\t\f\v?#\"'<>"]);

/** What may begin a `://`, the ellipsis of a cut (a secret may end after it), and half a character. */
function holdsOn(char: string): boolean {
  return char === ":" || char === "/" || char === "…" || (char >= "\ud800" && char <= "\udbff");
}
