import type { ComponentChildren } from "preact";
import type { Block, Scalar, Tone, Unit } from "../../src/contract/view.ts";
import { milliseconds } from "../../src/report/text/format-numbers.ts";
import { readableText } from "../../src/report/text/html-text.ts";
import type { PageBlock } from "../../src/report/view/page-document.ts";
import { showValue } from "../../src/report/view/show-value.ts";
import { DiffView } from "./diff-view.tsx";
import type { Cell } from "./read-report.ts";
import { Facts, StrangerText } from "./values.tsx";

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

/** Parts of an explanation. `cell` holds the values they share with its row and its case. */
export function Blocks({ blocks, cell }: { blocks: readonly PageBlock[]; cell?: Cell }) {
  return (
    <>
      {blocks.map((block, at) => (
        <section key={at} class={`block block-${block.kind}`}>
          {block.title !== undefined && (
            <h3>
              <StrangerText text={block.title} />
            </h3>
          )}
          {body(block, cell)}
        </section>
      ))}
    </>
  );
}

function body(block: PageBlock, cell: Cell | undefined): ComponentChildren {
  switch (block.kind) {
    case "reason":
      return <Lines text={cell?.reason ?? ""} tone={block.tone} />;
    case "input":
      return <Code code={cell?.one.input ?? ""} />;
    case "caseDiff":
      return <DiffView expected={cell?.one.expected ?? null} actual={block.actual} />;
    case "text":
      return <Lines text={block.text} tone={block.tone} />;
    case "facts":
      return <Facts facts={block.facts} />;
    case "table":
      return <Table {...block} />;
    case "diff":
      return <DiffView {...block} />;
    case "code":
      return <Code code={block.code} />;
    case "timeline":
      return <Timeline {...block} />;
    case "matrix":
      return <Matrix {...block} />;
    case "bars":
      return <Bars {...block} />;
    default:
      return block satisfies never;
  }
}

function Lines({ text, tone }: { text: string; tone: Tone | undefined }) {
  return (
    <p class={`lines ${toneClass(tone)}`}>
      <StrangerText text={text} />
    </p>
  );
}

function Code({ code }: { code: string }) {
  return <pre>{readableText(code)}</pre>;
}

function Table({ columns, rows }: BlockOf<"table">) {
  return (
    <div class="scroll">
      <table class="small">
        <thead>
          <tr>
            {columns.map(({ label, unit }, at) => (
              <th key={at} scope="col" class={numberClass(unit)}>
                <StrangerText text={label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((value, column) => (
                <td key={column} class={numberClass(columns[column]?.unit)}>
                  <Value value={value} unit={columns[column]?.unit} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function toneClass(tone: Tone | undefined): string {
  return tone === undefined ? "" : `tone-${tone}`;
}

export function numberClass(unit: Unit | undefined): string {
  return unit === undefined || unit === "text" ? "" : "number";
}

export function Value({ value, unit }: { value: Scalar; unit: Unit | undefined }) {
  if (value === null || value === "") return <span class="unknown">–</span>;
  return <StrangerText text={showValue(value, unit)} />;
}

/** Texts longer than this are opened by the reader. */
const foldedAt = 700;
const foldedLines = 8;

function Timeline({ events, note }: BlockOf<"timeline">) {
  const isTimed = events.some(({ atMs }) => atMs !== null);
  return (
    <>
      <ol class="timeline">
        {events.map(({ atMs, label, text, tone, quote, cut }, at) => (
          <li key={at} class={toneClass(tone)}>
            {isTimed && <span class="at">{atMs === null ? "" : milliseconds(atMs)}</span>}
            <span class="who">
              <StrangerText text={label} />
            </span>
            <div class="lines">
              <StrangerText text={text} />
              {quote !== undefined && <Quote text={quote} cut={cut} />}
            </div>
          </li>
        ))}
      </ol>
      {note !== undefined && (
        <p class="under">
          <StrangerText text={note} />
        </p>
      )}
    </>
  );
}

/** Arguments or output of an event, folded where it is long. */
function Quote({ text, cut }: { text: string; cut: number | undefined }) {
  const shown = (
    <>
      <Code code={text} />
      {cut !== undefined && <span class="under">… {showValue(cut, "count")} more characters</span>}
    </>
  );
  const lines = text.split("\n").length;
  if (text.length <= foldedAt && lines <= foldedLines) return shown;
  return (
    <details>
      <summary>
        <StrangerText text={beginning(text)} /> …{" "}
        <span class="under">{lines > 1 ? `${showValue(lines, "count")} lines` : ""}</span>
      </summary>
      {shown}
    </details>
  );
}

/** The beginning of a text on one line, cut between words. */
function beginning(text: string): string {
  const line = text.slice(0, 400).trim().replace(/\s+/g, " ");
  return line.length <= 120 ? line : (/^.{1,120}(?=\s)/su.exec(line)?.[0] ?? line.slice(0, 120));
}

/** More columns than this do not fit on paper. */
const printableColumns = 30;

function Matrix({ rows, columns, cells, unit }: BlockOf<"matrix">) {
  const isWide = columns.length > 6 || columns.some((column) => column.length > 24);
  return (
    <div class={columns.length > printableColumns ? "matrix-box unprintable" : "matrix-box"}>
      <table class="matrix">
        <thead>
          <tr>
            <td class="corner" />
            {columns.map((column, at) => (
              <th key={at} scope="col">
                <span class={isWide ? "slanted" : ""}>
                  <StrangerText text={column} limit={40} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            const values = cells[at] ?? [];
            const most = Math.max(0, ...values.map(({ value }) => (typeof value === "number" ? value : 0)));
            return (
              <tr key={at}>
                <th scope="row" title={readableText(row)}>
                  <StrangerText text={row} />
                </th>
                {values.map(({ value, tone }, column) => (
                  <td
                    key={column}
                    class={`${tone === undefined ? "" : `fill-${tone}`} shade-${shade(value, most)}`}
                    title={readableText(`${row} → ${columns[column] ?? ""}: ${showValue(value, unit)}`)}
                  >
                    {value === null ? "" : <StrangerText text={showValue(value, unit)} />}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {columns.length > printableColumns && <p class="too-wide">Too wide for paper.</p>}
    </div>
  );
}

/** How strongly a value is shaded among those of its row, 0 to 3; non-numbers are always strong. */
function shade(value: Scalar, most: number): number {
  if (typeof value !== "number") return value === null || value === "" ? 0 : 3;
  return value <= 0 || most <= 0 ? 0 : Math.ceil((value / most) * 3);
}

function Bars({ bars }: BlockOf<"bars">) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  return (
    <ul class="bars">
      {bars.map(({ label, value, note, tone }, at) => (
        <li key={at}>
          <span class="bar-label">
            <StrangerText text={label} />
          </span>
          <svg class={`bar ${toneClass(tone)}`} aria-hidden="true" focusable="false">
            <rect width={`${most <= 0 ? 0 : (Math.max(0, value) / most) * 100}%`} height="100%" rx="2" />
          </svg>
          <span class="bar-value">
            {showValue(value, "count")}
            {note !== undefined && (
              <span class="under">
                {" "}
                <StrangerText text={note} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
