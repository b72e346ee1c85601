import type { Json, JsonObject } from "../src/shared/json/json.ts";
import { isMap } from "../src/shared/json/json-values.ts";

/** A log with one thing changed. */
export interface TamperedLog {
  /** What was changed, whichever event of its type it was: `action_executed data.tool dropped`. */
  what: string;
  /** The number of the line. */
  line: number;
  lines: readonly string[];
}

/**
 * Every way to change one thing about a log: each event dropped, repeated, renamed or swapped with the next, and each member of each event
 * dropped, renamed, contradicted or written twice. Lines are numbered anew, so that nothing shows but the change itself. Events that differ
 * in nothing but their number and texts count as one.
 */
export function* tamperedLogs(lines: readonly string[]): Generator<TamperedLog> {
  const events = lines.map((line) => JSON.parse(line) as JsonObject);
  const numbered = (list: readonly JsonObject[]) =>
    list.map((event, n) => JSON.stringify({ ...event, seq: n + 1 }));
  const known = new Set<string>();
  const isNew = (what: string, event: JsonObject) => {
    const key = `${what} ${kindOfCall(event, events)}`;
    return !known.has(key) && known.add(key) !== undefined;
  };
  for (const [n, event] of events.entries()) {
    const type = String(event.type);
    const line = n + 1;
    const next = events[n + 1];
    const around = (...middle: JsonObject[]) => [...events.slice(0, n), ...middle, ...events.slice(n + 1)];
    yield { what: `${type} dropped`, line, lines: numbered(around()) };
    yield { what: `${type} repeated`, line, lines: numbered(around(event, event)) };
    yield { what: `${type} renamed`, line, lines: numbered(around({ ...event, type: `${type}_too` })) };
    if (next !== undefined)
      yield {
        what: `${type} swapped with ${next.type}`,
        line,
        lines: numbered([...events.slice(0, n), next, event, ...events.slice(n + 2)]),
      };
    for (const path of memberPaths(event)) {
      if (path[0] === "seq") continue;
      const name = path.map((step) => (/^\d+$/.test(step) ? "[]" : step)).join(".");
      if (!isNew(`${type} ${name}`, event)) continue;
      for (const [how, changed] of changes(event, path))
        yield { what: `${type} ${name} ${how}`, line, lines: numbered(around(changed)) };
      const twice = lines.with(n, withMemberTwice(event, path));
      yield { what: `${type} ${name} written twice`, line, lines: twice };
    }
  }
}

/** What the turn of an event does: members of an event that loads a skill are others than those of one that runs a script. */
function kindOfCall({ turn }: JsonObject, events: readonly JsonObject[]): string {
  const planned = events.find((event) => event.turn === turn && event.type === "action_planned");
  const { action } = (planned?.data ?? {}) as { action?: { type?: string } };
  return action?.type ?? "";
}

function* memberPaths(value: Json, before: readonly string[] = []): Generator<readonly string[]> {
  const members = Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];
  for (const [key, member] of members) {
    const path = [...before, String(key)];
    yield path;
    yield* memberPaths(member as Json, path);
  }
}

function* changes(event: JsonObject, path: readonly string[]): Generator<[string, JsonObject]> {
  const key = path.at(-1) ?? "";
  const dropped = structuredClone(event);
  const renamed = structuredClone(event);
  const contradicted = structuredClone(event);
  const [from, as, other] = [dropped, renamed, contradicted].map((copy) => parentAt(copy, path));
  if (Array.isArray(from)) from.splice(Number(key), 1);
  else if (isMap(from)) delete from[key];
  yield ["dropped", dropped];
  if (isMap(as)) {
    as[`${key}_too`] = as[key];
    delete as[key];
    yield ["renamed", renamed];
  }
  const value = isMap(other) ? other[key] : (other as Json[])[Number(key)];
  for (const opposite of contradictions(value as Json)) {
    if (JSON.stringify(opposite) === JSON.stringify(value)) continue;
    if (Array.isArray(other)) other[Number(key)] = opposite;
    else if (isMap(other)) other[key] = opposite;
    yield ["contradicted", structuredClone(contradicted)];
  }
}

function parentAt(event: JsonObject, path: readonly string[]): unknown {
  return path.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], event);
}

function contradictions(value: Json): Json[] {
  switch (typeof value) {
    case "boolean":
      return [!value];
    case "number":
      return [value + 1, 0];
    case "string":
      return /^sha256:/.test(value) ? [`sha256:${"ab".repeat(32)}`] : [`${value}-too`, "read_file"];
    default:
      return Array.isArray(value) ? [[], [...value, ...value]] : [{}];
  }
}

/** JSON in which a member is there twice: two readers would disagree about it. */
function withMemberTwice(event: JsonObject, path: readonly string[]): string {
  const parent = parentAt(event, path);
  const key = path.at(-1) ?? "";
  if (!isMap(parent)) return JSON.stringify(event).replace("{", "{,");
  const tag = "a member of which there are two";
  const copy = structuredClone(event);
  (parentAt(copy, path) as JsonObject)[tag] = (parent[key] ?? null) as Json;
  return JSON.stringify(copy).replace(JSON.stringify(tag), JSON.stringify(key));
}
