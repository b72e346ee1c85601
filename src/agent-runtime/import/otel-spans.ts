import { isMap } from "../../shared/json/json-values.ts";
import { listIn, mapIn, type TraceItem, textIn } from "./read-values.ts";
import type { TracePlace } from "./trace.ts";

/** A span about generative models, with its attributes as plain values. */
export interface GenAiSpan {
  place: TracePlace;
  traceId: string;
  id: string;
  parentId: string | null;
  operation: string;
  startMs: number | null;
  endMs: number | null;
  isError: boolean;
  attributes: Record<string, unknown>;
}

/** Something in a file of spans that is none, or lacks what every span has. */
interface SpanProblem {
  place: TracePlace;
  kind: string;
  content: unknown;
}

export interface OtelSpans {
  /** Those about models, agents and tools, by the time they began and then by their id. */
  spans: GenAiSpan[];
  parents: Map<string, string>;
  problems: SpanProblem[];
  /** How many spans are about something else. */
  others: number;
}

/** The spans of OTLP JSON, and the parent of every span. */
export function otelSpans(items: readonly TraceItem[]): OtelSpans {
  const parents = new Map<string, string>();
  const found: { span: GenAiSpan; start: bigint }[] = [];
  const problems: SpanProblem[] = [];
  const seen = new Map<string, string>();
  let others = 0;
  for (const item of items) {
    const listed = item.problem === null ? spansIn(item.value) : null;
    if (listed === null || listed.length === 0) {
      problems.push({ place: item, kind: item.problem ?? "item", content: item.text });
      continue;
    }
    for (const [at, span] of listed.entries()) {
      const location = listed.length === 1 ? item.location : `${item.location} span ${at + 1}`.trim();
      const place = { line: item.line, location };
      const id = textIn(span.spanId);
      const traceId = textIn(span.traceId);
      const text = JSON.stringify(span);
      if (id === null || traceId === null) {
        problems.push({ place, kind: "item", content: text });
        continue;
      }
      // Exporters send a span again when they are not sure that it arrived.
      const before = seen.get(id);
      if (before !== undefined) {
        if (before !== text) problems.push({ place, kind: "repeated", content: text });
        continue;
      }
      seen.set(id, text);
      const parentId = textIn(span.parentSpanId);
      if (parentId !== null) parents.set(id, parentId);
      const attributes = attributesIn(span.attributes);
      const operation = textIn(attributes["gen_ai.operation.name"]);
      if (operation === null) {
        if (isAboutModels(span, attributes)) problems.push({ place, kind: "item", content: text });
        else others++;
        continue;
      }
      const start = nanoseconds(span.startTimeUnixNano);
      const end = nanoseconds(span.endTimeUnixNano);
      const { code } = mapIn(span.status);
      found.push({
        start: start ?? 0n,
        span: {
          ...{ place, traceId, id, parentId, operation, attributes },
          startMs: start === null ? null : Number(start / 1_000_000n),
          endMs: end === null ? null : Number(end / 1_000_000n),
          isError: code === 2 || code === "STATUS_CODE_ERROR",
        },
      });
    }
  }
  found.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.span.id < b.span.id ? -1 : 1));
  return { spans: found.map(({ span }) => span), parents, problems, others };
}

/** Whether a span without an operation is about one all the same. */
function isAboutModels({ name }: Record<string, unknown>, attributes: Record<string, unknown>): boolean {
  const isNamed = /^(?:chat|execute_tool|invoke_agent|generate_content|text_completion)\b/.test(
    textIn(name) ?? "",
  );
  return isNamed || Object.keys(attributes).some((key) => /^(?:gen_ai|ai)\./.test(key));
}

/** Whether a value is a span, or holds some. */
export function isOtel(value: unknown): boolean {
  return isMap(value) && (Array.isArray(value.resourceSpans) || typeof value.spanId === "string");
}

function spansIn(value: unknown): Record<string, unknown>[] {
  const { resourceSpans, spanId } = mapIn(value);
  if (typeof spanId === "string") return [mapIn(value)];
  return listIn(resourceSpans)
    .flatMap((resource) => listIn(mapIn(resource).scopeSpans))
    .flatMap((scope) => listIn(mapIn(scope).spans))
    .map(mapIn);
}

/** Attributes of OTLP are a list of keys and typed values; some exporters write a plain map. */
function attributesIn(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return mapIn(value);
  return Object.fromEntries(
    value
      .map(mapIn)
      .flatMap(({ key, value: typed }) => (typeof key === "string" ? [[key, plainValue(typed, 0)]] : [])),
  );
}

function plainValue(value: unknown, depth: number): unknown {
  const typed = mapIn(value);
  if (depth > maxDepth) return null;
  if (typed.stringValue !== undefined) return typed.stringValue;
  if (typed.boolValue !== undefined) return typed.boolValue;
  const number = typed.intValue ?? typed.doubleValue;
  if (typeof number === "string" || typeof number === "number") return Number(number);
  if (typed.arrayValue !== undefined)
    return listIn(mapIn(typed.arrayValue).values).map((item) => plainValue(item, depth + 1));
  if (typed.kvlistValue === undefined) return null;
  return Object.fromEntries(
    listIn(mapIn(typed.kvlistValue).values)
      .map(mapIn)
      .flatMap((entry) =>
        typeof entry.key === "string" ? [[entry.key, plainValue(entry.value, depth + 1)]] : [],
      ),
  );
}

const maxDepth = 32;

/** As text, since they are larger than a number can hold; some exporters write numbers all the same. */
function nanoseconds(value: unknown): bigint | null {
  if (typeof value === "number" && Number.isSafeInteger(Math.trunc(value))) return BigInt(Math.trunc(value));
  return typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
}
