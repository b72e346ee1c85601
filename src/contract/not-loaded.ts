import * as z from "zod";
import { listed, pluralize } from "../shared/text/phrases.ts";
import { groupedBy } from "../shared/text/sort-and-group.ts";
import { diagnosticRules } from "./diagnostic-rules.ts";

/** A skill of a folder that cannot be loaded. It never stops the others. */
export const NotLoaded = z.object({
  /** As a user would name it. */
  path: z.string(),
  /** The rule of `doctor` that it breaks. */
  code: z.string(),
  reason: z.string(),
});
export type NotLoaded = z.infer<typeof NotLoaded>;

/** Up to this many are named with their own reason; more are summarised by cause. */
const namedOneByOne = 3;
const namedOfMany = 3;

/** What was not loaded, in lines for people: one each, or where there are many one line with how many break which rule. */
export function notLoadedLines(all: readonly NotLoaded[]): string[] {
  if (all.length <= namedOneByOne) return all.map(({ path, reason }) => `${path} not loaded: ${reason}`);
  const causes = [...groupedBy(all, ({ code }) => code)].sort(([, a], [, b]) => b.length - a.length);
  const words = causes.map(([code, { length }]) => `${length} × ${code}${ruleWords(code)}`);
  const names = listed(
    all.map(({ path }) => path),
    namedOfMany,
  );
  return [`${pluralize(all.length, "skill")} not loaded: ${words.join(", ")}; ${names}`];
}

function ruleWords(code: string): string {
  const known = Object.hasOwn(diagnosticRules, code)
    ? diagnosticRules[code as keyof typeof diagnosticRules]
    : null;
  return known === null ? "" : ` (must hold: ${known.rule})`;
}
