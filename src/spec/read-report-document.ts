import { UserError } from "../contract/user-error.ts";
import { parseJsonText } from "./read-json-file.ts";
import { readTextFile } from "./read-text-file.ts";

/** A little less than the longest text Node can hold. A hundred thousand results take about a tenth of it. */
const reportCapBytes = 500 * 1024 * 1024;
const code = "report-invalid";

/** What stands in a report file, unread but for its head: a document of a command we know, or a bare list. */
export type ReportDocument =
  | { kind: "unit" | "trigger" | "agent" | "planbench"; value: object }
  | { kind: "bare"; value: readonly unknown[] };

/** Opens a report file and finds out whose report it is. */
export function readReportDocument(path: string, shownPath: string): ReportDocument {
  const text = readTextFile(path, { code, capBytes: reportCapBytes, shownPath });
  const value = parseJsonText(text, code, shownPath);
  if (Array.isArray(value)) return { kind: "bare", value };
  const document = refuseOthers(value, shownPath);
  return { kind: kindOf[document.command], value: document };
}

const kindOf = {
  eval: "unit",
  run: "unit",
  trigger: "trigger",
  "agent eval": "agent",
  planbench: "planbench",
} as const;

/** Says what a document is, where it is not a report we can read: "$.run is missing" would not help there. */
function refuseOthers(value: unknown, shownPath: string): { command: keyof typeof kindOf } {
  const refuse = (message: string, jsonPath: string, hint?: string): never => {
    throw new UserError(code, `${shownPath} ${message}`, { path: shownPath, jsonPath, hint });
  };
  if (value === null || typeof value !== "object")
    return refuse("is neither a report nor a list of skill reports", "$", example);
  const { schemaVersion, command, error, reports, results } = value as Record<string, unknown>;
  if (command === undefined) refuse("has no $.command, so it is not a report", "$.command", example);
  if (typeof command !== "string" || !Object.hasOwn(kindOf, command))
    refuse(`has the command ${JSON.stringify(command)}, which makes no reports`, "$.command", example);
  if (schemaVersion !== 1)
    refuse(
      `has the schema version ${JSON.stringify(schemaVersion)}; this version reads 1`,
      "$.schemaVersion",
    );
  if (reports === undefined && results === undefined && error !== undefined)
    refuse(`holds an error of ${command}, not a report`, "$.error", "mend the error and run it again");
  return value as { command: keyof typeof kindOf };
}

const example = "`eval-skills eval` writes its report to ./reports/eval-result.json";
