import type { EventFile, StoredEvent, TelemetryFilter } from "../../contract/telemetry.ts";
import { groupFields } from "../../contract/telemetry-fields.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { RequestHead } from "./asked.ts";
import { readFilter } from "./read-filter.ts";
import { jsonReply, type Reply, refusal } from "./reply.ts";
import type { Served } from "./served.ts";

const readAtOnce = 100;
const maxCharacters = 4 * 1024 * 1024;

/** `GET /dev/telemetry/events`: the newest first. A page that would grow too large ends early, and says where to go on. */
export async function getEvents({ parameters }: RequestHead, { file, clock }: Served): Promise<Reply> {
  const filter = readFilter(parameters);
  if ("problem" in filter) return refusal(400, "parameter-invalid", filter.problem);
  const { events, next } = file === null ? noEvents : await readNewest(file, filter);
  const rest = { enabled: file !== null, now_ts: clock.now() / 1000, next_before_id: next };
  const tail = JSON.stringify(rest).slice(1);
  const reply = jsonReply(200, {});
  return { ...reply, body: `{"events":[${events.join(",")}],${tail}\n` };
}

const noEvents = { events: [] as string[], next: null as number | null };

/** Reads piece by piece: between two pieces others are answered, and memory has a bound. */
async function readNewest(file: EventFile, filter: TelemetryFilter): Promise<typeof noEvents> {
  const events: string[] = [];
  let characters = 0;
  let last = filter.beforeId;
  while (events.length < filter.limit && characters < maxCharacters) {
    const limit = Math.min(readAtOnce, filter.limit - events.length);
    const piece = file.events({ ...filter, limit, beforeId: last });
    for (const event of piece) {
      const text = JSON.stringify(event);
      characters += text.length;
      events.push(text);
    }
    last = (piece.at(-1) as StoredEvent | undefined)?.id ?? last;
    if (piece.length < limit) return { events, next: null };
    await new Promise<void>((next) => setImmediate(next));
  }
  const more = file.events({ ...filter, limit: 1, beforeId: last });
  return { events, next: more.length === 0 ? null : (last ?? null) };
}

const maxGroups = 1000;

/** `GET /dev/telemetry/summary`: events counted by what `group_by` names, one field or several with commas; the largest groups. */
export function getSummary({ parameters }: RequestHead, { file, clock }: Served): Reply {
  const filter = readFilter(parameters);
  if ("problem" in filter) return refusal(400, "parameter-invalid", filter.problem);
  const by = [
    ...new Set((parameters.get("group_by") ?? "event_name").split(",").map((field) => field.trim())),
  ];
  const unknown = by.find((field) => !groupFields.includes(field));
  if (unknown !== undefined)
    return refusal(
      400,
      "parameter-invalid",
      `unknown group_by ${JSON.stringify(shownText(unknown))}: ${didYouMean(unknown, groupFields)}`,
    );
  const groups = file?.groups(filter, by) ?? [];
  return jsonReply(200, {
    group_by: by,
    groups: groups.slice(0, maxGroups),
    total_groups: groups.length,
    enabled: file !== null,
    now_ts: clock.now() / 1000,
  });
}
