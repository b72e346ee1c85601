import type { Floor, FloorKey, VectorCache } from "../contract/cache.ts";
import type { Embedder, Embedders, ScriptClass } from "../contract/model.ts";
import { unlessAborted } from "../shared/async/abort.ts";
import { embedTexts } from "./embed-texts.ts";
import type { ChangedText } from "./lexical-index.ts";
import { cosine, isUsable, type Measured, measured, measureFloor } from "./likeness.ts";
import { probes, probesDigest } from "./probes.ts";
import { digestOfTexts } from "./routing-text.ts";

export interface VectorSetting {
  embedders: Embedders;
  cache: VectorCache;
  /** How long one call to an embedder may take. */
  timeoutMs: number;
}

export interface VectorQuery {
  text: string;
  script: ScriptClass;
  changed: ChangedText | undefined;
}

/** How alike each skill is to a request, or why that is unknown. */
export type VectorMatch =
  | { ok: true; model: string; cosines: number[]; floor: Floor }
  | { ok: false; reason: string };

/** Compares skills with requests by meaning. Nothing is embedded before the first request of its script class. */
export class VectorSearch {
  readonly #texts: readonly string[];
  readonly #setting: VectorSetting;
  readonly #catalog: string;
  readonly #grounds = new Map<ScriptClass, Ground>();
  #preparing: { script: ScriptClass; ground: Promise<Ground> } | null = null;

  /** Of skills with these routing texts. */
  constructor(texts: readonly string[], setting: VectorSetting) {
    this.#texts = texts;
    this.#setting = setting;
    this.#catalog = digestOfTexts(texts);
  }

  /** Throws only the signal's reason. */
  async search({ text, script, changed }: VectorQuery, signal: AbortSignal): Promise<VectorMatch> {
    const embedder = this.#setting.embedders[script];
    if (embedder === undefined) return { ok: false, reason: `no embedder for ${script} requests` };
    if (this.#texts.length === 0) return { ok: false, reason: "no eligible skill" };
    try {
      const ground = await this.#prepareGround(script, embedder, signal);
      return ground.ok ? await this.#match(ground, embedder, { text, changed }, signal) : ground;
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, reason: `vectors: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  async #match(
    ground: Extract<Ground, { ok: true }>,
    embedder: Embedder,
    { text, changed }: Pick<VectorQuery, "text" | "changed">,
    signal: AbortSignal,
  ): Promise<VectorMatch> {
    const texts = changed === undefined ? [text] : [text, changed.text];
    const embedded = await embedTexts(texts, { embedder, ...this.#setting }, signal);
    if (!embedded.ok) return embedded;
    const [query, instead] = embedded.vectors.map(measured) as [Measured, Measured | undefined];
    const cosines = ground.skills.map((skill, index) =>
      cosine(query, instead !== undefined && index === changed?.index ? instead : skill),
    );
    if (!cosines.every(Number.isFinite)) return unusable("a cosine is not a finite number");
    return { ok: true, model: embedder.model, cosines, floor: ground.floor };
  }

  /** Prepared once for concurrent requests; a failure is retried by the next request. */
  async #prepareGround(script: ScriptClass, embedder: Embedder, signal: AbortSignal): Promise<Ground> {
    for (;;) {
      const ready = this.#grounds.get(script);
      if (ready !== undefined) return ready;
      const preparing = this.#preparing;
      if (preparing === null) return this.#prepare(script, embedder, signal);
      try {
        const ground = await unlessAborted(preparing.ground, signal);
        if (preparing.script === script) return ground;
      } catch {
        signal.throwIfAborted(); // else another request was aborted, which does not affect this one
      }
    }
  }

  async #prepare(script: ScriptClass, embedder: Embedder, signal: AbortSignal): Promise<Ground> {
    const ground = this.#layGround(script, embedder, signal);
    this.#preparing = { script, ground };
    try {
      const laid = await ground;
      if (laid.ok || laid.isFinal) this.#grounds.set(script, laid);
      return laid;
    } finally {
      this.#preparing = null;
    }
  }

  async #layGround(script: ScriptClass, embedder: Embedder, signal: AbortSignal): Promise<Ground> {
    const { cache } = this.#setting;
    const key: FloorKey = {
      model: embedder.model,
      dim: embedder.dim,
      catalog: this.#catalog,
      probes: probesDigest,
      script,
    };
    const known = cache.floor(key);
    const offTopic = known === null ? probes[script] : [];
    const embedded = await embedTexts([...this.#texts, ...offTopic], { embedder, ...this.#setting }, signal);
    if (!embedded.ok) return { ...embedded, isFinal: false };
    const vectors = embedded.vectors.map(measured);
    const skills = vectors.slice(0, this.#texts.length);
    const floor = known ?? measureFloor(vectors.slice(this.#texts.length), skills);
    if (!isUsable(floor)) return { ...unusable("the embedder does not distinguish texts"), isFinal: true };
    if (known === null) cache.keepFloor(key, floor);
    return { ok: true, skills, floor };
  }
}

/** What requests of one script class are compared with. */
type Ground =
  | { ok: true; skills: readonly Measured[]; floor: Floor }
  | { ok: false; reason: string; isFinal: boolean };

function unusable(why: string): { ok: false; reason: string } {
  return { ok: false, reason: `unusable floor: ${why}` };
}
