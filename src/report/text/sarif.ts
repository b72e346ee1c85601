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
  /** As the user would name it: below the current folder, or whole; undefined where it is in no file. */
  file: string | undefined;
  /** A logical location besides, or instead of, one in a file. */
  logical?: { name: string; fullyQualifiedName: string } | undefined;
  line?: number | null | undefined;
  column?: number | null | undefined;
  /** The text at the location. */
  snippet?: string | undefined;
  /** Identifies a result even after it moved within its file; combined with rule and file unless it is logical. */
  identity: readonly string[];
  properties: object;
}

export interface SarifRun {
  /** The command. */
  tool: string;
  version: string;
  rules: readonly SarifRule[];
  results: readonly SarifResult[];
  /** Properties of the whole run. */
  notes: readonly { level: "note" | "warning"; text: string }[];
}

/** One run as SARIF 2.1.0, which GitHub and editors show beside the lines. */
export function sarifLog({ tool, version, rules, results, notes }: SarifRun): object {
  const ruleIndexes = new Map(rules.map(({ id }, index) => [id, index]));
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
            rules: rules.map(ruleObject),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map(({ level, text }) => ({ level, message: { text } })),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: results.map((result) => resultObject(result, ruleIndexes.get(result.ruleId) ?? -1, tool)),
      },
    ],
  };
}

/** Words as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function ruleObject({ id, name, message, help, level, properties }: SarifRule): object {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    shortDescription: { text: sentence(message) },
    help: { text: help },
    defaultConfiguration: { level },
    ...(properties === undefined ? {} : { properties }),
  };
}

function resultObject(result: SarifResult, ruleIndex: number, tool: string): object {
  const { ruleId, level, message, file, line, column, snippet, identity, logical, properties } = result;
  const uri = file === undefined ? undefined : fileUri(file);
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
  const location = {
    ...(uri === undefined ? {} : { physicalLocation: { artifactLocation: { uri }, ...region } }),
    ...(logical === undefined ? {} : { logicalLocations: [logical] }),
  };
  const print =
    logical === undefined ? fingerprint(ruleId, uri ?? "", ...identity) : fingerprint(...identity);
  return {
    ruleId,
    ruleIndex,
    level,
    message: { text: message },
    locations: [location],
    partialFingerprints: { [fingerprintName(tool)]: print },
    properties,
  };
}

/** `evalSkillsAgentEval/v1`. */
function fingerprintName(tool: string): string {
  return `evalSkills${tool.replace(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}/v1`;
}

/** Relative to the current folder, so that it is the same on every machine; absolute outside of it. */
function fileUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(/[\\/]/).map(encodeURIComponent).join("/");
}

function fingerprint(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
