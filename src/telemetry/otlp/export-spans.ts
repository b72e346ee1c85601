import { createHash } from "node:crypto";
import { type Attributes, context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { Json } from "../../shared/json/json.ts";

export interface ExportOrder {
  runId: string;
  root: SpanTree;
  /** The whole address. */
  url: string;
  version: string;
}

/** What was sent, or why the rest was not. */
export type Exported = { ok: true; spans: number } | { ok: false; spans: number; problem: string };

const batchSize = 512;
/** Of one batch, with all retries: nobody wants to wait for a collector that is not there. */
const timeoutMs = 5000;
/** Of all batches together. */
const maxMs = 60_000;

/** Sends a run as spans. The tree is walked once, and no more of it than one batch is held. */
export async function exportSpans({ runId, root, url, version }: ExportOrder): Promise<Exported> {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const ids = namedIds(runId);
  const ended: ReadableSpan[] = [];
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    // A sample of a run would be another run.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({ "service.name": "eval-skills", "service.version": version }),
    spanProcessors: [collecting(ended)],
  });
  const tracer = provider.getTracer("eval-skills", version);
  const began = performance.now();
  let sent = 0;

  async function send(least: number): Promise<void> {
    while (ended.length >= least && ended.length > 0) {
      if (performance.now() - began > maxMs) throw new Error(`it took longer than ${maxMs / 1000} s`);
      const batch = ended.splice(0, batchSize);
      await exportBatch(exporter, batch);
      sent += batch.length;
    }
  }

  async function walk(tree: SpanTree, parent: Span | null): Promise<void> {
    ids.next = tree.key;
    const within = parent === null ? context.active() : trace.setSpan(context.active(), parent);
    const kind = tree.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const { name, startMs, endMs, attributes } = tree;
    const options = { kind, startTime: startMs, attributes: definedOnly(attributes), root: parent === null };
    const span = tracer.startSpan(name, options, within);
    if (tree.status !== "unset")
      span.setStatus({
        code: tree.status === "ok" ? SpanStatusCode.OK : SpanStatusCode.ERROR,
        ...(tree.message !== undefined && { message: tree.message }),
      });
    for await (const child of tree.children) await walk(child, span);
    span.end(Math.max(startMs, endMs));
    if (ended.length >= batchSize) await send(batchSize);
  }

  try {
    await walk(root, null);
    await send(1);
    return { ok: true, spans: sent };
  } catch (error) {
    return { ok: false, spans: sent, problem: inWords(error) };
  } finally {
    await provider.shutdown().catch(() => {});
    await exporter.shutdown().catch(() => {});
  }
}

/** Gives each span the id of the name that was set last. */
function namedIds(runId: string): IdGenerator & { next: string } {
  return {
    next: "",
    generateTraceId: () => makeTraceId(runId),
    generateSpanId() {
      return makeSpanId(runId, this.next);
    },
  };
}

function collecting(ended: ReadableSpan[]): SpanProcessor {
  return {
    onStart() {},
    onEnd: (span) => void ended.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

function exportBatch(exporter: SpanExporter, spans: ReadableSpan[]): Promise<void> {
  return new Promise((resolve, reject) => {
    exporter.export(spans, ({ code, error }) => {
      if (code === 0) resolve();
      else reject(error ?? new Error("the collector did not accept them"));
    });
  });
}

/** Attributes are texts, numbers, booleans and lists of texts; the rest goes as JSON. */
function definedOnly(attributes: SpanTree["attributes"]): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, attribute(value)]])),
  );
}

function attribute(value: Exclude<Json, null>): string | number | boolean | string[] {
  if (typeof value !== "object") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value as string[];
  return JSON.stringify(value);
}

function inWords(error: unknown): string {
  const { message, code } = error as { message?: string; code?: unknown };
  return [
    message ?? String(error),
    ...(typeof code === "number" || typeof code === "string" ? [`(${code})`] : []),
  ].join(" ");
}

/** The id of a trace: the same run has the same one wherever and however often it is sent. */
function makeTraceId(runId: string): string {
  return hashParts(["trace", runId], 16);
}

/** The id of a span by its name in the trace. */
function makeSpanId(runId: string, key: string): string {
  return hashParts(["span", runId, key], 8);
}

/** Hexadecimal; all zeros would be no id. */
function hashParts(parts: readonly string[], bytes: number): string {
  const hex = createHash("sha256")
    .update(JSON.stringify(parts))
    .digest("hex")
    .slice(0, bytes * 2);
  return /^0+$/.test(hex) ? `${hex.slice(1)}1` : hex;
}

/** Something that took time, and what took part of it: a run, its cells, their calls of models and tools. */
export interface SpanTree {
  /** Ids are derived from it: the same name in the same trace is the same span, however often it is sent. */
  key: string;
  name: string;
  kind: "internal" | "client";
  /** Epoch milliseconds. */
  startMs: number;
  endMs: number;
  /** Texts, numbers and booleans; null is left out. */
  attributes: Readonly<Record<string, Json>>;
  status: "unset" | "ok" | "error";
  /** Why it is an error. */
  message?: string | undefined;
  children: Iterable<SpanTree> | AsyncIterable<SpanTree>;
}
