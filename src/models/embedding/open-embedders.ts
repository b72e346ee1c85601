import type { Config, ModelSettings } from "../../contract/config.ts";
import { type Embedder, type Embedders, type ScriptClass, scriptClasses } from "../../contract/model.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { UserError } from "../../shared/user-error.ts";
import { findApiKey, type KeySources } from "../api-key.ts";
import { parseModelId } from "../model-id.ts";

export interface EmbedderContext extends KeySources {
  clock?: Clock;
  random?: () => number;
}

export interface OpenEmbedders extends AsyncDisposable {
  embedders: Embedders;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** Opens the embedders that `router.embedding` configures, without sending a request. A `UserError` if one cannot be used. */
export async function openEmbedders(
  setting: Config["router"]["embedding"],
  settings: ModelSettings,
  context: EmbedderContext,
): Promise<OpenEmbedders> {
  if (setting === null) return openedAs({}, []);
  if (setting !== "local") return openProviders(setting, settings, context);
  const { localEmbedders } = await import("./local-embedder.ts");
  return openedAs(localEmbedders(), []);
}

type ProviderEmbedding = Exclude<Config["router"]["embedding"], null | "local">;

/** How long a query may wait for its vector before it is routed by words alone. */
const timeoutMs = 10_000;

const defaultConcurrency = 4;

async function openProviders(
  configured: ProviderEmbedding,
  settings: ModelSettings,
  context: EmbedderContext,
): Promise<OpenEmbedders> {
  const { clock = systemClock, random = Math.random } = context;
  const { retries } = settings.llm;
  const concurrency = settings.llm.concurrency ?? defaultConcurrency;
  const found: { [script in ScriptClass]?: Embedder } = {};
  const keys = new Set<string>();

  async function open(script: ScriptClass): Promise<void> {
    const setting = configured[script];
    if (setting === undefined) return;
    const { provider, model, dim } = setting;
    const endpoint = parseModelId(`${provider}/${model}`, settings);
    const same = Object.values(found).find((other) => other.model === endpoint.id && other.dim === dim);
    if (same !== undefined) {
      found[script] = same;
      return;
    }
    const key = findApiKey(endpoint, context);
    if (key !== null) keys.add(key);
    // The SDK takes a while to load, so it is only loaded for real models.
    const { providerEmbedder } = await import("./provider-embedder.ts");
    const options = { endpoint, key, dim, timeoutMs, retries, concurrency, clock, random };
    found[script] = await providerEmbedder(options);
  }

  await openOrClose(
    () => closeAll(found),
    async () => {
      for (const script of scriptClasses) await open(script).catch((error) => throwWithPath(error, script));
    },
  );
  return openedAs(found, [...keys]);
}

function openedAs(embedders: Embedders, keys: readonly string[]): OpenEmbedders {
  return { embedders, secrets: () => [...keys], [Symbol.asyncDispose]: () => closeAll(embedders) };
}

async function closeAll(embedders: Embedders): Promise<void> {
  const each = new Set(Object.values(embedders));
  await Promise.all([...each].map((embedder) => embedder?.[Symbol.asyncDispose]()));
}

/** An error without a path of its own gets the path of the embedder in the configuration. */
function throwWithPath(error: unknown, script: ScriptClass): never {
  if (!(error instanceof UserError) || error.jsonPath !== null) throw error;
  const { code, message, hint } = error;
  throw new UserError(code, message, {
    jsonPath: `$.router.embedding.${script}`,
    hint: hint ?? undefined,
    cause: error,
  });
}
