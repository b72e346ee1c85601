import { isoTime } from "../../shared/async/clock.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A date or date and time of ISO 8601, in UTC unless it names its zone; or exit 2. Gives it back as files write times. */
export function parseDate(text: string, flag: string): string {
  const epochMs = epochOf(text);
  if (epochMs !== null) return isoTime(epochMs);
  throw new UserError(
    "usage",
    `${flag} takes a date such as 2026-03-01 or 2026-03-01T07:00Z, not ${JSON.stringify(shorten(text, 60))}`,
  );
}

function epochOf(text: string): number | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Number((found[7] ?? "").padEnd(3, "0"));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would take the year 26 for 1926
  date.setUTCHours(hour, minute, second, ms);
  // A date that does not exist, such as 2026-02-30, rolls over into another one.
  const isReal =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second;
  const offset = offsetMinutes(found[8] ?? "Z");
  return isReal && offset !== null ? date.getTime() - offset * 60_000 : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
