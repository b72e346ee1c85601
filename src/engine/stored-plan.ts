import type { StoredRun } from "../contract/store.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import { listed } from "../shared/text/phrases.ts";
import { UserError } from "../shared/user-error.ts";

/** The command that planned a run, by which it is resumed (`run` plans as `eval` does); null where its plan does not say. */
export function planCommand({ plan }: Pick<StoredRun, "plan">): string | null {
  const command = (plan as { command?: unknown } | null)?.command;
  return typeof command === "string" ? command : null;
}

/** The run whose answers this run rescores. A rescore executes nothing, so it is never resumed. */
export function rescoredRun({ plan }: Pick<StoredRun, "plan">): string | null {
  const source = (plan as { rescores?: unknown } | null)?.rescores;
  return typeof source === "string" ? source : null;
}

/** The error for a run whose plan this version cannot read. */
export function incompatiblePlan(id: string, toolVersion: string): UserError {
  return new UserError(
    "usage",
    `run ${id} was planned by eval-skills ${toolVersion} in an incompatible format`,
    { hint: "resume it with that version, or start a new run" },
  );
}

/** Refuses to continue a run when something it was planned with has changed since. */
export function refuseChanged(
  runId: string,
  changed: readonly string[],
  action: "resumed" | "rescored" = "resumed",
): void {
  if (changed.length === 0) return;
  throw new UserError(
    "usage",
    `run ${runId} cannot be ${action}: ${listed(changed, 5)} ${changed.length === 1 ? "has" : "have"} changed since it started`,
    {
      hint: "start a new run, or restore the files",
    },
  );
}

/** The names under which two records differ. */
export function differences(before: Record<string, string>, now: Record<string, string>): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...ids].filter((id) => before[id] !== now[id]);
}

/** As much of a digest as distinguishes two states. It is compared with the digests stored with runs. */
export function shortDigest(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 16);
}

/** The same of any value. */
export function shortHash(value: unknown): string {
  return shortDigest(sha256(canonicalJson(value)));
}
