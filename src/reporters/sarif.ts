import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

export type SarifLevel = "error" | "warning" | "note";

export interface SarifRule {
  id: string;
  /** The same in words, where it has any. */
  name?: string | undefined;
  /** What it is about, in a sentence. */
  message: string;
  /** What to do, in a sentence. */
  help: string;
  level: SarifLevel;
  properties?: object | undefined;
}

export interface SarifResult {
  ruleId: string;
  level: SarifLevel;
  message: string;
  /** As the user would name it: below the current folder, or whole. */
  file: string;
  line?: number | null | undefined;
  column?: number | null | undefined;
  /** The text of the place. */
  snippet?: string | undefined;
  /** Says that two results are the same, also when one has moved down its file. */
  identity: readonly string[];
  properties: object;
}

export interface SarifRun {
  /** The command. */
  tool: string;
  version: string;
  rules: readonly SarifRule[];
  results: readonly SarifResult[];
  /** What is said about the run as a whole. */
  note: { level: "note" | "warning"; text: string };
}

/** One run as SARIF 2.1.0, which GitHub and editors show beside the lines. */
export function sarifLog({ tool, version, rules, results, note }: SarifRun): object {
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: `eval-skills ${tool}`,
            version,
            semanticVersion: version,
            rules: rules.map(ruleOf),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [{ level: note.level, message: { text: note.text } }],
          },
        ],
        columnKind: "utf16CodeUnits",
        results: results.map((result) => resultOf(result, indexOf.get(result.ruleId) ?? -1, tool)),
      },
    ],
  };
}

/** Words as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function ruleOf({ id, name, message, help, level, properties }: SarifRule): object {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    shortDescription: { text: sentence(message) },
    help: { text: help },
    defaultConfiguration: { level },
    ...(properties === undefined ? {} : { properties }),
  };
}

function resultOf(result: SarifResult, ruleIndex: number, tool: string): object {
  const { ruleId, level, message, file, line, column, snippet, identity, properties } = result;
  const uri = uriOf(file);
  const region =
    line == null
      ? {}
      : {
          region: {
            startLine: line,
            ...(column == null ? {} : { startColumn: column }),
            ...(snippet === undefined ? {} : { snippet: { text: snippet } }),
          },
        };
  const name = `evalSkills${tool.charAt(0).toUpperCase()}${tool.slice(1)}/v1`;
  return {
    ruleId,
    ruleIndex,
    level,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }],
    partialFingerprints: { [name]: fingerprint(ruleId, uri, ...identity) },
    properties,
  };
}

/** Relative to where the command was started, so that it is the same on every machine; outside of it the whole address. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(/[\\/]/).map(encodeURIComponent).join("/");
}

function fingerprint(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
