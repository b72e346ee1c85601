import { contextFields, type TelemetryFilter } from "../contract/telemetry.ts";

/** What a filter asks for, as the condition of a statement. Values are bound, never written into it. */
export function conditionOf(filter: Partial<TelemetryFilter>): {
  where: string;
  values: (string | number)[];
} {
  const conditions: [sql: string, value: string | number | undefined][] = [
    ["ts >= ?", filter.sinceTs],
    ["ts <= ?", filter.untilTs],
    ["id < ?", filter.beforeId],
    ["event_name = ?", filter.eventName],
    ...contextFields.map(
      (field) => [`${field} = ?`, filter.context?.[field]] as [string, string | undefined],
    ),
  ];
  const said = conditions.filter(([, value]) => value !== undefined);
  return {
    where: said.length === 0 ? "" : `WHERE ${said.map(([sql]) => sql).join(" AND ")}`,
    values: said.map(([, value]) => value as string | number),
  };
}
