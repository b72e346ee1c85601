/**
 * Finds which of very many phrases occur in a message without searching for each: at each position only phrases that
 * begin with its two characters are tried, and only in the lengths that such phrases have.
 */
export class PhraseIndex<Owner> {
  readonly #owners = new Map<string, Owner[]>();
  /** How long the phrases are that begin with two characters, or are one. */
  readonly #lengths = new Map<string, number[]>();

  /** Adds a phrase, normalised and not empty. */
  add(phrase: string, owner: Owner): void {
    const known = this.#owners.get(phrase);
    if (known !== undefined) {
      known.push(owner);
      return;
    }
    this.#owners.set(phrase, [owner]);
    const beginning = phrase.slice(0, 2);
    const lengths = this.#lengths.get(beginning);
    if (lengths === undefined) this.#lengths.set(beginning, [phrase.length]);
    else if (!lengths.includes(phrase.length)) lengths.push(phrase.length);
  }

  /** The phrases that occur in a normalised message, with every position where one begins. */
  find(message: string): Map<string, { owners: readonly Owner[]; positions: number[] }> {
    const found = new Map<string, { owners: readonly Owner[]; positions: number[] }>();
    const isEdge = findEdges(message);
    for (let at = 0; at < message.length; at++) {
      if (!isEdge[at]) continue;
      this.#tryAt(message, at, message.slice(at, at + 1), isEdge, found);
      if (at + 1 < message.length) this.#tryAt(message, at, message.slice(at, at + 2), isEdge, found);
    }
    return found;
  }

  #tryAt(
    message: string,
    at: number,
    beginning: string,
    isEdge: Uint8Array,
    found: Map<string, { owners: readonly Owner[]; positions: number[] }>,
  ): void {
    for (const length of this.#lengths.get(beginning) ?? none) {
      if (!isEdge[at + length]) continue;
      const phrase = message.slice(at, at + length);
      const owners = this.#owners.get(phrase);
      if (owners === undefined) continue;
      const known = found.get(phrase);
      if (known === undefined) found.set(phrase, { owners, positions: [at] });
      else known.positions.push(at);
    }
  }
}

const none: readonly number[] = [];

/**
 * Where a phrase may begin or end: anywhere but between two Latin letters or digits, so that `et` is not in `get`, and not
 * inside a character.
 */
function findEdges(message: string): Uint8Array {
  const isEdge = new Uint8Array(message.length + 1);
  let at = 0;
  let wasLetter = false;
  for (const character of message) {
    const isLetter = isLatinOrDigit(character);
    isEdge[at] = isLetter && wasLetter ? 0 : 1;
    wasLetter = isLetter;
    at += character.length;
  }
  isEdge[at] = 1;
  return isEdge;
}

const latinOrDigit = /^[\p{Script=Latin}\p{Nd}]/u;

function isLatinOrDigit(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return latinOrDigit.test(character);
}
