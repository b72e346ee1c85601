import type { QueryLine } from "../../contract/trigger-report.ts";
import { queryName } from "../../levels/trigger/verdict/query-name.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { RoutedAgain } from "./route-again.ts";

/** One state of a catalog, as the router saw it. */
export interface RoutedState {
  lines: readonly QueryLine[];
  routed: Pick<RoutedAgain, "routingOf">;
}

/** Choices by words and choices by vectors cannot be compared: a difference would say nothing about an edit. */
export function refuseOtherModes(before: RoutedState, after: RoutedState): void {
  const firsts = new Map(before.lines.map((line) => [queryName(line), before.routed.routingOf(line)]));
  for (const line of after.lines) {
    const one = firsts.get(queryName(line)) ?? null;
    const other = after.routed.routingOf(line);
    if (one === null || other === null || one.mode === other.mode) continue;
    const why = one.fallbackReason ?? other.fallbackReason ?? "vectors are missing";
    const where = one.mode === "lexical" ? "the base" : "the new state";
    throw new UserError(
      "model-invalid",
      `the router has no vectors for ${shownText(line.query)} in ${where}, so the two states cannot be compared: ${why}`,
      { hint: "fix the embedder and try again, or set router.embedding to null to compare by words only" },
    );
  }
}
