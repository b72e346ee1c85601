/** The formats of transcripts that are read, each by an importer. */
export const traceKinds = ["claude-code", "openai", "otel"] as const;
export type TraceKind = (typeof traceKinds)[number];
