/** The two classes of requests, by the characters in them; each may have an embedder of its own. */
export const scriptClasses = ["han", "other"] as const;
export type ScriptClass = (typeof scriptClasses)[number];

/** How a call to an embedder ended. What a provider does wrong is a value, never a throw. */
export type EmbedOutcome =
  | { status: "embedded"; vectors: Float32Array[] }
  | { status: "failed"; message: string };

/** Texts go in, a vector for each comes out, in their order. Write one and the router can use it. */
export interface Embedder extends AsyncDisposable {
  /** `<provider>/<model>`, as reports and the store name it. */
  readonly model: string;
  readonly dim: number;
  /** How many texts it is handed at once, where that is fewer than others take: a model on this machine is slow, not down. */
  readonly textsPerCall?: number | undefined;
  /** Throws only the signal's reason. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbedOutcome>;
}

/** The embedder of each class of requests; a class without one stays lexical. */
export type Embedders = { readonly [script in ScriptClass]?: Embedder | undefined };
