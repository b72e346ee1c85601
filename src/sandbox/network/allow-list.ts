import { type NetworkEntry, readNetworkEntry } from "../../contract/network-entry.ts";
import { UserError } from "../../shared/user-error.ts";

/** The hosts that skills may reach, each once and in a fixed order, so that two runs with the same list compare. */
export function networkAllowList(texts: readonly string[]): NetworkEntry[] {
  const entries = new Map(texts.map(entryOf).map((entry) => [entry.text, entry]));
  return [...entries.values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Both doors, the command line and the files, have checked it before; a caller of the library may not have. */
function entryOf(text: string): NetworkEntry {
  const entry = readNetworkEntry(text);
  if (!("problem" in entry)) return entry;
  throw new UserError("config-invalid", `sandbox.allowNetwork: ${JSON.stringify(text)} ${entry.problem}`);
}
