import { contextFields } from "../../contract/telemetry.ts";

/** The members of an event by our names for them, and those nobody here knows. */
export interface EventMembers {
  known: ReadonlyMap<string, unknown>;
  rest: readonly (readonly [string, unknown])[];
}

const named = ["event_id", "schema_version", "event_name", ...contextFields] as const;
const ours = new Set<string>([...named, "ts", "source", "payload", "extra"]);

/** Other spellings, the likeliest first. */
const spellings: ReadonlyMap<string, string> = new Map([
  ...named.map((name) => [camelCase(name), name] as const),
  ["event", "event_name"],
  ["name", "event_name"],
]);

/** Sorts the members of a foreign event. Of two spellings of one member our own counts, and the other is stored as data. */
export function eventMembers(event: Readonly<Record<string, unknown>>): EventMembers {
  const entries = Object.entries(event);
  const known = new Map(entries.filter(([name, value]) => ours.has(name) && !isAbsent(value)));
  const rest: (readonly [string, unknown])[] = [];
  const foreign = entries.filter(([name]) => !ours.has(name)).sort(([a], [b]) => rankOf(a) - rankOf(b));
  for (const [name, value] of foreign) {
    const own = spellings.get(name);
    if (own !== undefined && isAbsent(value)) continue;
    if (own === undefined || known.has(own)) rest.push([name, value]);
    else known.set(own, value);
  }
  return { known, rest };
}

/** Many senders fill every field; an empty one says nothing. */
function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

const ranks = [...spellings.keys()];

function rankOf(name: string): number {
  return ranks.indexOf(name);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
