import type { AgentResult, ConversationRates } from "../../contract/agent-report.ts";
import { rateFigure } from "../../engine/figures/rate-figure.ts";
import { total } from "../../shared/statistics/intervals.ts";

type RateName = Exclude<keyof ConversationRates, "cells">;
const rateNames: readonly RateName[] = [
  "hit",
  "protocol",
  "protocol_after_correction",
  "calls",
  "continuation",
  "output",
];

/** What these rates need of a cell. */
type Spoken = Pick<
  AgentResult,
  "suite" | "case_id" | "model" | "status" | "scores" | "conversation" | "protocol_after_correction"
>;

interface Tally {
  passed: number;
  of: number;
}

/** Counts how conversations did in each dimension. */
interface ConversationTally {
  add(result: Spoken): void;
  /** Null where there was no conversation. */
  rates(): ConversationRates | null;
}

export function conversationTally(): ConversationTally {
  /** By case: trials of one case are alike. */
  const cases = new Map<string, Record<RateName, Tally>>();
  let cells = 0;
  return {
    add(result) {
      if (result.conversation === undefined) return;
      cells++;
      if (result.status === "invalid") return;
      const tallies = tallyIn(cases, result);
      for (const name of rateNames) {
        const passed = passedIn(result, name);
        if (passed === null) continue;
        tallies[name].of++;
        if (passed) tallies[name].passed++;
      }
    },
    rates() {
      if (cells === 0) return null;
      const rows = [...cases].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      const rates = rateNames.map((name) => [name, rateOver(rows.map((row) => row[name]))]);
      return { cells, ...Object.fromEntries(rates) } as ConversationRates;
    },
  };
}

function tallyIn(cases: Map<string, Record<RateName, Tally>>, { suite, case_id, model }: Spoken) {
  const key = JSON.stringify([suite, case_id, model]);
  const known = cases.get(key);
  if (known !== undefined) return known;
  const fresh = Object.fromEntries(rateNames.map((name) => [name, { passed: 0, of: 0 }]));
  cases.set(key, fresh as Record<RateName, Tally>);
  return fresh as Record<RateName, Tally>;
}

function passedIn({ scores, protocol_after_correction }: Spoken, name: RateName): boolean | null {
  if (name === "protocol_after_correction") return protocol_after_correction ?? null;
  return scores[name]?.pass ?? null;
}

function rateOver(rows: readonly Tally[]): ConversationRates["hit"] {
  const numerators = rows.map(({ passed }) => passed);
  const denominators = rows.map(({ of }) => of);
  const { value, interval = null } = rateFigure({ passed: numerators, trials: denominators });
  return { value, numerator: total(numerators), denominator: total(denominators), interval };
}

/** Watches which versions of each skill the conversations of a run were given. */
export function skillVersions() {
  const seen = new Map<string, Set<string>>();
  const mixed = () =>
    [...seen]
      .filter(([, digests]) => digests.size > 1)
      .map(([id]) => id)
      .sort();
  return {
    add({ conversation }: Pick<AgentResult, "conversation">): void {
      for (const { id, digest, edited_to } of conversation?.selected ?? []) {
        const digests = seen.get(id) ?? new Set();
        seen.set(id, digests.add(digest).add(edited_to ?? digest));
      }
    },
    /** Ids of skills that were edited between two cells, or in one. */
    mixed,
    warnings: (): string[] =>
      mixed().map(
        (id) =>
          `mixed-skill-version: ${id} was edited during the run; its figures belong to no single version`,
      ),
  };
}
