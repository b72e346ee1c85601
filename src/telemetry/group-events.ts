import type { TelemetryFilter, TelemetryGroup } from "../contract/telemetry.ts";
import { durationFields, groupFields } from "../contract/telemetry-fields.ts";
import type { Database } from "../shared/files/sqlite-driver.ts";
import { filterCondition } from "./event-table.ts";

/** Events by what they have in common, the largest group first. Ranks are nearest ranks over the events that say a time. */
export function groupEvents(
  database: Database,
  filter: Omit<TelemetryFilter, "limit" | "beforeId">,
  by: readonly string[],
): TelemetryGroup[] {
  const fields = by.filter((field) => groupFields.includes(field)); // nothing else may get into the statement
  const { where, values } = filterCondition(filter);
  const within = fields.length === 0 ? "" : `PARTITION BY ${fields.join(", ")}`;
  const named = fields.map((field) => `${field}, `).join("");
  const rows = database
    .prepare(
      `WITH matching AS (SELECT ${named}${isError} AS is_error, ${duration} AS ms FROM telemetry_events ${where}),
      ranked AS (SELECT ${named}is_error, ms, row_number() OVER (${within} ORDER BY ms IS NULL, ms) AS position,
        count(ms) OVER (${within}) AS timed FROM matching)
      SELECT ${named}count(*) AS count, sum(is_error) AS errors,
        max(CASE WHEN position = (timed + 1) / 2 THEN ms END) AS p50,
        max(CASE WHEN position = (timed * 95 + 99) / 100 THEN ms END) AS p95
      FROM ranked ${fields.length === 0 ? "" : `GROUP BY ${fields.join(", ")}`}
      ORDER BY ${["count DESC", ...fields].join(", ")}`,
    )
    .all(...values);
  return rows
    .filter(({ count }) => count !== 0)
    .map((row) => ({
      group: Object.fromEntries(fields.map((field) => [field, row[field] as string | null])),
      count: row.count as number,
      errors: row.errors as number,
      p50: row.p50 as number | null,
      p95: row.p95 as number | null,
    }));
}

const member = (name: string) => `json_extract(payload_json, '$.${name}')`;
const isText = (name: string) => `json_type(payload_json, '$.${name}') = 'text'`;

const duration = `coalesce(${durationFields
  .map(
    (name) =>
      `CASE WHEN json_type(payload_json, '$.${name}') IN ('integer', 'real') THEN ${member(name)} END`,
  )
  .join(", ")})`;

/** Whether it reports something that went wrong: by its name, or by what its payload says about how it ended. */
const isError = `CASE
  WHEN event_name = 'macro.error_report' THEN 1
  WHEN json_type(payload_json, '$.ok') = 'false' THEN 1
  WHEN ${isText("status")} AND ${member("status")} NOT IN ('pass', 'ok') THEN 1
  WHEN ${isText("outcome")} AND ${member("outcome")} NOT IN ('pass', 'ok') THEN 1
  WHEN ${isText("verdict")} AND ${member("verdict")} NOT IN ('pass', 'ok') THEN 1
  WHEN json_type(payload_json, '$.exit_code') = 'integer' AND ${member("exit_code")} != 0 THEN 1
  ELSE 0 END`;
