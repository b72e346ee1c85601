import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { UnknownKey } from "../../../shared/json/unknown-keys.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import type { EvalFile } from "./read-eval-file.ts";

/** Looking up where a key stands takes longer the more keys there are; nobody reads more of them. */
const maxReported = 50;

/** Keys that nobody reads: an error where a known one was meant, since what it says is lost. */
export function reportUnknownKeys(
  keys: readonly UnknownKey[],
  evalFile: EvalFile,
  diagnostics: Diagnostics,
  way: readonly PropertyKey[] = [],
): void {
  for (const { steps, meant } of diagnostics.firstOf(keys, maxReported)) {
    const message = `unknown key ${shorten(String(steps.at(-1)), 80)}`;
    diagnostics.add("TRG04", evalFile.placeOf([...way, ...steps]), message, {
      severity: meant === null ? "warning" : "error",
      hint: meant === null ? undefined : `did you mean ${meant}?`,
    });
  }
}
