import type { PositionBias } from "../contract/trigger-report.ts";
import { wilson } from "../statistics/wilson.ts";
import { percent } from "./format-numbers.ts";

/** Whether the place of a card decides, over all skills of a run, in plain text; null where no card was picked. */
export function describePositionBias(
  results: readonly { positionBias: PositionBias | null }[],
): string | null {
  const all = results.flatMap(({ positionBias }) => positionBias ?? []);
  const first = describeThird(all.map(({ first }) => first));
  const last = describeThird(all.map(({ last }) => last));
  if (first === null || last === null) return null;
  return `position of the cards picked: first third ${first}, last third ${last}`;
}

function describeThird(thirds: readonly PositionBias["first"][]): string | null {
  const picked = thirds.reduce((sum, third) => sum + third.count, 0);
  const of = thirds.reduce((sum, third) => sum + third.of, 0);
  const bounds = wilson(picked, of);
  if (bounds === null) return null;
  const [lower, upper] = [bounds.lower, bounds.upper].map((bound) => (bound * 100).toFixed(0));
  return `${percent(picked / of)} [${lower}–${upper}]${expectedWords(thirds, of)}`;
}

/** What no bias would give: the mean over the answers of each skill. */
function expectedWords(thirds: readonly PositionBias["first"][], of: number): string {
  let sum = 0;
  for (const third of thirds) {
    if (third.expected == null) return "";
    sum += third.expected * third.of;
  }
  return ` (expected ${percent(sum / of)})`;
}
