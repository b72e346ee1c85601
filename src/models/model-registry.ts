import { statSync } from "node:fs";
import type { ReplyCache } from "../contract/cache.ts";
import type { ModelSettings, Price } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { Semaphore } from "../shared/async/waiting-line.ts";
import { makeFolder } from "../shared/files/paths.ts";
import { jsonPath } from "../shared/json/locations.ts";
import { redactor } from "../shared/text/redact.ts";
import { UserError, unwritable } from "../shared/user-error.ts";
import { findApiKey } from "./api-key.ts";
import type { Budget } from "./budget.ts";
import { budgeted } from "./budgeted.ts";
import { cached } from "./cached.ts";
import { recording, replayModel } from "./cassette.ts";
import { priced } from "./cost.ts";
import { type ModelEndpoint, modelIdentity, parseModelId } from "./model-id.ts";
import { retrying } from "./retrying.ts";

export interface ModelContext {
  env: NodeJS.ProcessEnv;
  /** The key of the `llm` endpoint from the user's own file, if it is there. */
  apiKey: string | null;
  /** Folder that model calls are recorded in, or answered from. */
  record: string | null;
  replay: string | null;
  /** Stores replies between runs. A replay does not use it, a recording only adds to it. */
  replies?: ReplyCache | null;
  /** What all models together may cost; stored or recorded replies cost nothing. */
  budget?: Budget | null;
  /** Further secrets that a recording must not show: values passed to skills. */
  secrets?: readonly string[];
  /** How many calls may run at once where the configuration sets no cap. */
  concurrency?: number | undefined;
  clock?: Clock;
  random?: () => number;
}

/** Opens models by id, each once, knows their keys, and closes their connections at the end. */
export interface ModelRegistry extends AsyncDisposable {
  /** The model of this id, or the configured one. A `UserError` if it cannot be called. */
  open(id: string | undefined): Promise<Model>;
  /** The price of that model; null if none is configured. Needs no key. */
  findPrice(id: string | undefined): Price | null;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

export function modelRegistry(settings: ModelSettings, context: ModelContext): ModelRegistry {
  const { llm } = settings;
  const { record, replay, replies = null, budget = null } = context;
  const { secrets = [], clock = systemClock, random = Math.random } = context;
  const opened = new Map<string, Promise<Model>>();
  const connected: AsyncDisposable[] = [];
  const keys = new Set<string>();
  const atOnce = llm.concurrency ?? context.concurrency ?? defaultConcurrency;
  const semaphore = new Semaphore(atOnce);
  const byProvider = new Map<string, Semaphore>();
  // Rebuilt for every reply: models that are opened later have keys of their own.
  const redact = (text: string) => redactor([...keys, ...secrets])(text);

  const findEndpoint = (id: string | undefined) =>
    id === undefined ? configuredEndpoint(settings) : parseModelId(id, settings);

  /** Prices are applied last, so that a corrected list also applies to recorded or stored replies. */
  async function openAt(endpoint: ModelEndpoint): Promise<Model> {
    const model = replay === null ? await openReal(endpoint) : openReplay(endpoint, replay);
    return priced(model, priceIn(settings, endpoint));
  }

  async function openReal(endpoint: ModelEndpoint): Promise<Model> {
    const key = findApiKey(endpoint, context);
    if (key !== null) keys.add(key);
    if (record !== null) prepareFolder(record);
    const price = budget === null ? null : knownPrice(settings, endpoint);
    // The SDK takes a while to load, so it is only loaded for real models.
    const { aiSdkModel } = await import("./ai-sdk.ts");
    const { timeoutMs, retries } = llm;
    const connectedModel = await aiSdkModel({ endpoint, key, timeoutMs, concurrency: atOnce, clock });
    connected.push(connectedModel);
    let model = retrying(limited(withinProvider(connectedModel, endpoint), semaphore), {
      retries,
      clock,
      random,
    });
    if (budget !== null && price !== null) model = budgeted(model, { budget, price });
    if (record !== null) model = recording(model, { folder: record, of: endpoint, redact, clock });
    return replies === null ? model : cached(model, { replies, isRead: record === null, redact });
  }

  /** At most as many calls as the configuration allows this provider. */
  function withinProvider(model: Model, { provider }: ModelEndpoint): Model {
    const cap = providerCap(settings, provider);
    if (cap === null) return model;
    const line = byProvider.get(provider) ?? new Semaphore(cap);
    byProvider.set(provider, line);
    return limited(model, line);
  }

  return {
    async open(id) {
      const endpoint = findEndpoint(id);
      const model = opened.get(endpoint.id) ?? openAt(endpoint);
      opened.set(endpoint.id, model);
      return model;
    },
    findPrice: (id) => priceIn(settings, findEndpoint(id)),
    secrets: () => [...keys],
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opened.values()); // one that is being opened has connections soon
      await Promise.all(connected.map((model) => model[Symbol.asyncDispose]()));
    },
  };
}

const defaultConcurrency = 4;

function providerCap({ models }: ModelSettings, provider: string): number | null {
  return Object.hasOwn(models, provider) ? (models[provider]?.concurrency ?? null) : null;
}

/** A configured limit on how many calls of models run at once. */
export interface CallCap {
  limit: number;
  /** The key that sets it. */
  key: string;
}

/** The limit for a run whose cells all ask these models; null where none is set. */
export function callCap(settings: ModelSettings, ids: readonly string[]): CallCap | null {
  const providers = new Set(ids.map((id) => parseModelId(id, settings).provider));
  const [only, ...others] = providers;
  if (only === undefined) return null;
  const shared = settings.llm.concurrency;
  const own = others.length === 0 ? providerCap(settings, only) : null;
  if (own !== null && (shared === null || own < shared))
    return { limit: own, key: jsonPath(["models", only, "concurrency"]).replace(/^\$\./, "") };
  return shared === null ? null : { limit: shared, key: "llm.concurrency" };
}

/** The configured model. An error in its id gets the path in the configuration. */
function configuredEndpoint(settings: ModelSettings): ModelEndpoint {
  try {
    return parseModelId(settings.llm.model, settings);
  } catch (error) {
    if (!(error instanceof UserError) || error.jsonPath !== null) throw error;
    const { code, message, hint } = error;
    throw new UserError(code, message, { jsonPath: "$.llm.model", hint: hint ?? undefined, cause: error });
  }
}

function priceIn({ prices }: ModelSettings, { aliases }: ModelEndpoint): Price | null {
  const name = aliases.find((alias) => Object.hasOwn(prices, alias));
  return name === undefined ? null : (prices[name] ?? null);
}

/** Without a price the cost of a call cannot be estimated before it is made. */
function knownPrice(settings: ModelSettings, endpoint: ModelEndpoint): Price {
  const price = priceIn(settings, endpoint);
  if (price !== null) return price;
  throw new UserError(
    "config-invalid",
    `no price is configured for model ${endpoint.id}, and a budget needs one`,
    {
      jsonPath: jsonPath(["prices", endpoint.id]),
      hint: `set it in the configuration, in USD: prices: { ${JSON.stringify(endpoint.id)}: { inputPerMTok: 2.5, outputPerMTok: 10 } }`,
    },
  );
}

function openReplay(endpoint: ModelEndpoint, folder: string): Model {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UserError("usage", `no such folder to replay from: ${folder}`, {
      path: folder,
      hint: "record a run into it first: --record <dir>",
    });
  }
  return replayModel({ id: endpoint.id, identity: modelIdentity(endpoint), folder, of: endpoint });
}

function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw unwritable(folder, error, "choose another folder with --record");
  }
}

/** A model whose calls go through this semaphore, which it may share with others. */
export function limited(model: Model, semaphore: Semaphore): Model {
  return {
    id: model.id,
    identity: model.identity,
    call: (request, call) => semaphore.with(call.signal, () => model.call(request, call)),
  };
}
