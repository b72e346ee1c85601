import type { CaseReport } from "../../contract/document.ts";
import type { Level } from "../../contract/level.ts";
import type { Usage } from "../../contract/outcome.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Fact } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { grouped, milliseconds, usd } from "../text/format-numbers.ts";
import { cellReason } from "./cell-words.ts";
import { quarantineWords } from "./quarantine-words.ts";
import { describeReach } from "./run-facts.ts";

/** Explains the result of a cell: the parts of its level, framed by those that every cell has. */
export function explainCell(
  cell: CellResult,
  one: CaseReport | undefined,
  level: Level | undefined,
): Block[] {
  const own = level?.view?.explain?.(cell, one) ?? [];
  // Facts that come last are one list with those that every cell has.
  const last = own.at(-1);
  const lastFacts = last?.kind === "facts" && last.title === undefined ? last.facts : [];
  return [
    ...quarantineBlock(cell),
    ...reasonBlock(cell),
    ...inputBlock(one),
    ...(level?.view?.explainsDifference === true ? [] : differenceBlock(cell, one)),
    ...(lastFacts.length > 0 ? own.slice(0, -1) : own),
    ...attemptBlock(cell),
    ...printedBlocks(cell),
    ...cell.warnings.map((text): Block => ({ kind: "text", text, tone: "warn" })),
    { kind: "facts", facts: [...lastFacts, ...cellFacts(cell)] },
  ];
}

function quarantineBlock({ quarantine }: CellResult): Block[] {
  if (quarantine === undefined) return [];
  return [{ kind: "text", text: `${quarantineWords(quarantine)}; decides nothing`, tone: "warn" }];
}

function reasonBlock(cell: CellResult): Block[] {
  const text = cellReason(cell);
  if (text === "") return [];
  const tone = cell.status === "invalid" ? "warn" : "bad";
  return [{ kind: "text", text, ...(cell.status !== "pass" && { tone }) }];
}

function inputBlock(one: CaseReport | undefined): Block[] {
  return one === undefined || one.input === null ? [] : [caseBlock("Input", one.input, one)];
}

/** A value of a case, or its beginning where it was too long to repeat. */
export function caseBlock(title: string, value: Json, one: CaseReport): Block {
  if (!isBeginning(value, one)) return codeBlock(title, value);
  return { kind: "code", title: `${title} (beginning)`, code: withLines(String(value)) };
}

/** Whether a value of a case is the beginning of a longer one, as JSON text. */
export function isBeginning(value: Json, { isShortened }: CaseReport): boolean {
  return isShortened && typeof value === "string" && value.endsWith("…");
}

/** Expected and actual value, where a case says what it expects; else the output alone. */
function differenceBlock(cell: CellResult, one: CaseReport | undefined): Block[] {
  const output = outputBlock(cell);
  if (one === undefined || one.expected === null || cell.status !== "fail") return output;
  if (isBeginning(one.expected, one)) return [caseBlock("Expected", one.expected, one), ...output];
  return [{ kind: "diff", title: "Expected and actual", expected: one.expected, actual: cell.output }];
}

/** What came, where something came. */
export function outputBlock({ output, cause, outputTruncated, outputBytes }: CellResult): Block[] {
  if (output === null && cause !== null) return [];
  const title = outputTruncated ? `Output (beginning of ${grouped(outputBytes)} bytes)` : "Output";
  return [codeBlock(title, output)];
}

function attemptBlock({ attempts }: CellResult): Block[] {
  if (attempts.length < 2) return [];
  return [
    {
      kind: "table",
      title: "Attempts",
      columns: [
        { label: "Attempt", unit: "count" },
        { label: "Ended" },
        { label: "Latency", unit: "ms" },
        { label: "Message" },
      ],
      rows: attempts.map(({ n, status, code, latencyMs, message }) => [
        n,
        code === null ? status : `${status} (${code})`,
        latencyMs,
        message ?? "",
      ]),
    },
  ];
}

/** Output other than the answer. */
function printedBlocks({ stderrTail, stray = [], rawBase64 }: CellResult): Block[] {
  return [
    ...(stray.length === 0 ? [] : [codeBlock("Other lines on stdout", stray.join("\n"))]),
    ...(stderrTail ? [codeBlock("stderr", stderrTail)] : []),
    ...(rawBase64 === undefined ? [] : [codeBlock("Answer as received (base64)", rawBase64)]),
  ];
}

function cellFacts(cell: CellResult): Fact[] {
  const { latencyMs, startupMs, usage, costUsd, judge, containment, network } = cell;
  const tokens = usage === null ? "" : usageWords(usage);
  return [
    { label: "Latency", value: latencyMs, unit: "ms" },
    ...(startupMs === undefined
      ? []
      : [{ label: "Start-up", value: startupMs, unit: "ms", note: "not in the latency" } as const]),
    ...(tokens === "" ? [] : [{ label: "Tokens", value: tokens }]),
    ...(costUsd === null ? [] : [{ label: "Cost", value: costUsd, unit: "usd" } as const]),
    ...(judge === null ? [] : [{ label: "Judge", value: judge.model, note: judgeWords(judge) }]),
    ...(network ?? []).map(({ host, port, allowed, reason }) => ({
      label: "Network",
      value: `${host}:${port} ${allowed ? "allowed" : "refused"}`,
      ...(reason !== null && { note: reason }),
    })),
    ...(containment === null ? [] : [{ label: "Containment", value: describeReach(containment) }]),
    { label: "Key", value: cell.key },
  ];
}

/** `12 in, 3 out`, or their sum where only that is known. */
function usageWords({ promptTokens, completionTokens, totalTokens }: Usage): string {
  const parts = [
    ...(promptTokens === null ? [] : [`${grouped(promptTokens)} in`]),
    ...(completionTokens === null ? [] : [`${grouped(completionTokens)} out`]),
  ];
  if (parts.length > 0) return parts.join(", ");
  return totalTokens === null ? "" : grouped(totalTokens);
}

/** The cost of judging, which no figure of the cell includes. */
function judgeWords({ calls, latencyMs, usage }: NonNullable<CellResult["judge"]>): string {
  const tokens = usage === null ? "" : usageWords(usage);
  return [
    pluralize(calls, "call"),
    milliseconds(latencyMs),
    ...(tokens === "" ? [] : [`${tokens} tokens`]),
    ...(usage?.costUsd == null ? [] : [usd(usage.costUsd)]),
  ].join(", ");
}

/** A value under its title, as people read it. */
export function codeBlock(title: string, value: Json): Block {
  return { kind: "code", title, code: value === "" ? "(empty text)" : formatValue(value) };
}

/** A text as it is, any other value as indented JSON in which the lines of texts are lines. */
export function formatValue(value: Json): string {
  return typeof value === "string" ? value : withLines(JSON.stringify(value, null, 2));
}

/** JSON text with the line breaks of its texts, each line as deep as its text. */
export function withLines(json: string): string {
  const lines = json.split("\n").map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    return line.replace(/(\\\\)|(?:\\r)?\\n/g, (_, slashes) => slashes ?? `\n${indent}  `);
  });
  return lines.join("\n");
}
