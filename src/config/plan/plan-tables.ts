import type { Violation } from "../../contract/output-contract.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { jsonPointer } from "../../shared/json/locations.ts";

/** What JSON Schema cannot say of a plan: a table has no more data than its `rows` and `cols`. */
export function tableViolations(plan: unknown): Violation[] {
  return isMap(plan) ? inActions(plan.actions, ["actions"]) : [];
}

function inActions(actions: unknown, steps: readonly (string | number)[]): Violation[] {
  if (!Array.isArray(actions)) return [];
  return actions.flatMap((action: unknown, n) => {
    if (!isMap(action)) return [];
    const at = [...steps, n];
    if (action.op === "upsert_block") return inActions(action.actions, [...at, "actions"]);
    return action.op === "insert_table" ? inTable(action, [...at, "data"]) : [];
  });
}

function inTable(
  { rows, cols, data }: Record<string, unknown>,
  steps: readonly (string | number)[],
): Violation[] {
  if (!Array.isArray(data) || typeof rows !== "number" || typeof cols !== "number") return [];
  const surplus: Violation[] =
    data.length > rows
      ? [{ pointer: jsonPointer(steps), reason: `has ${data.length} rows, and the table has ${rows}` }]
      : [];
  const wide = data.flatMap((row: unknown, n) =>
    Array.isArray(row) && row.length > cols
      ? [
          {
            pointer: jsonPointer([...steps, n]),
            reason: `has ${row.length} cells, and the table has ${cols} columns`,
          },
        ]
      : [],
  );
  return [...surplus, ...wide];
}
