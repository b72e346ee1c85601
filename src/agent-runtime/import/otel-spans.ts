import { type LocatedValue, listIn, mapIn, textIn } from "./read-values.ts";

/** A span about generative models, with its attributes as plain values. */
export interface GenAiSpan {
  traceId: string;
  id: string;
  parentId: string | null;
  operation: string;
  startMs: number | null;
  endMs: number | null;
  isError: boolean;
  attributes: Record<string, unknown>;
}

/** The spans of OTLP JSON that are about models, agents and tools, by the time they began and then by their id; and the parent of every span. */
export function otelSpans(values: readonly LocatedValue[]): {
  spans: GenAiSpan[];
  parents: Map<string, string>;
} {
  const parents = new Map<string, string>();
  const found: { span: GenAiSpan; start: bigint }[] = [];
  for (const span of values.flatMap(({ value }) => spansIn(value))) {
    const id = textIn(span.spanId) ?? "";
    const parentId = textIn(span.parentSpanId);
    if (parentId !== null) parents.set(id, parentId);
    const attributes = attributesIn(span.attributes);
    const operation = textIn(attributes["gen_ai.operation.name"]);
    if (operation === null) continue;
    const start = nanoseconds(span.startTimeUnixNano);
    const end = nanoseconds(span.endTimeUnixNano);
    const { code } = mapIn(span.status);
    found.push({
      start: start ?? 0n,
      span: {
        traceId: textIn(span.traceId) ?? "",
        id,
        parentId,
        operation,
        startMs: start === null ? null : Number(start / 1_000_000n),
        endMs: end === null ? null : Number(end / 1_000_000n),
        isError: code === 2 || code === "STATUS_CODE_ERROR",
        attributes,
      },
    });
  }
  found.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.span.id < b.span.id ? -1 : 1));
  return { spans: found.map(({ span }) => span), parents };
}

function spansIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => (Array.isArray(item) ? [] : spansIn(item)));
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
