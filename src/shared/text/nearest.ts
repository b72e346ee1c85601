/** The known word that was most likely meant, or null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  return nearestSpelling(word, known) ?? nearestBeginning(word, known);
}

/** The known word that a typing mistake made this one of. */
export function nearestSpelling(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.min(3, Math.floor(word.length / 3)));
  const typed = word.toLowerCase();
  let best: { word: string; distance: number } | null = null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - typed.length) > limit) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance))
      best = { word: candidate, distance };
  }
  return best?.word ?? null;
}

/** Fewer letters begin too many words to mean one of them. */
const leastBeginning = 5;

/** The known word that goes on where this one stops, or stops where this one goes on; null where two are as near. */
export function nearestBeginning(word: string, known: readonly string[]): string | null {
  const typed = word.toLowerCase();
  const wayTo = (candidate: string) => Math.abs(candidate.length - word.length);
  const alike = known
    .filter((candidate) => Math.min(word.length, candidate.length) >= leastBeginning)
    .filter((candidate) => {
      const other = candidate.toLowerCase();
      return typed.startsWith(other) || other.startsWith(typed);
    })
    .sort((a, b) => wayTo(a) - wayTo(b));
  const [first, second] = alike;
  if (first === undefined) return null;
  return second !== undefined && wayTo(second) === wayTo(first) ? null : first;
}

/** `did you mean X?`, or the list where nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? `known: ${known.join(", ")}` : `did you mean ${near}?`;
}

/** Levenshtein distance with neighbouring letters swapped counting as one edit. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The hint for several values that were typed as one, `json,html`; undefined where splitting it would not help. */
export function spacesHint(typed: string, isKnown: (part: string) => boolean): string | undefined {
  const parts = typed.split(",").map((part) => part.trim());
  if (parts.length < 2 || !parts.every((part) => part !== "" && isKnown(part))) return undefined;
  return `separate them with spaces: ${parts.join(" ")}`;
}
