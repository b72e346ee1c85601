import type { AgentResult } from "../contract/agent-report.ts";

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
