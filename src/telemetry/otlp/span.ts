import type { Json } from "../../shared/json/json.ts";

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
