import { statSync } from "node:fs";
import type { ReplyCache } from "../contract/cache.ts";
import type { ModelSettings, Price } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { Semaphore } from "../shared/async/waiting-line.ts";
import { makeFolder } from "../shared/files/paths.ts";
import { jsonPath } from "../shared/json/places.ts";
import { redactor } from "../shared/text/redact.ts";
import { UserError, unwritable } from "../shared/user-error.ts";
import { findApiKey } from "./api-key.ts";
import type { Budget } from "./budget.ts";
import { budgeted } from "./budgeted.ts";
import { cached } from "./cached.ts";
import { recording, replayModel } from "./cassette.ts";
import { priced } from "./cost.ts";
import { type ModelPlace, modelIdentity, parseModelId } from "./model-id.ts";
import { retrying } from "./retrying.ts";

export interface ModelContext {
  env: NodeJS.ProcessEnv;
  /** The key of the `llm` endpoint from the user's own file, where it stands there. */
  apiKey: string | null;
  /** Folder that model calls are recorded in, or answered from. */
  record: string | null;
  replay: string | null;
  /** Keeps replies between runs. A replay leaves it alone, a recording only adds to it. */
  replies?: ReplyCache | null;
  /** What all models together may cost; replies that were kept or recorded cost nothing. */
  budget?: Budget | null;
  /** What else a recording must not show: values that skills are trusted with. */
  secrets?: readonly string[];
  clock?: Clock;
  random?: () => number;
}

/** Opens models by id, each once, knows which words in what they were given are secret, and closes their connections at the end. */
export interface ModelRegistry extends AsyncDisposable {
  /** The model of this id, or the configured one. A `UserError` where it cannot be asked. */
  open(id: string | undefined): Promise<Model>;
  /** What that model costs; null where the configuration does not say. Asks for no key. */
  priceOf(id: string | undefined): Price | null;
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
  const semaphore = new Semaphore(llm.concurrency);
  // Anew for every reply: models that are opened later have keys of their own.
  const redact = (text: string) => redactor([...keys, ...secrets])(text);

  const placeOf = (id: string | undefined) =>
    id === undefined ? configuredPlace(settings) : parseModelId(id, settings);

  /** Prices are put on last: a corrected list corrects what was recorded or kept. */
  async function openAt(place: ModelPlace): Promise<Model> {
    const model = replay === null ? await openReal(place) : openReplay(place, replay);
    return priced(model, priceIn(settings, place));
  }

  async function openReal(place: ModelPlace): Promise<Model> {
    const key = findApiKey(place, context);
    if (key !== null) keys.add(key);
    if (record !== null) prepareFolder(record);
    const price = budget === null ? null : knownPrice(settings, place);
    // The SDK takes a while to load: only who asks a real model pays.
    const { aiSdkModel } = await import("./ai-sdk.ts");
    const { timeoutMs, concurrency, retries } = llm;
    const asked = await aiSdkModel({ place, key, timeoutMs, concurrency, clock });
    connected.push(asked);
    let model = retrying(limited(asked, semaphore), { retries, clock, random });
    if (budget !== null && price !== null) model = budgeted(model, { budget, price });
    if (record !== null) model = recording(model, { folder: record, of: place, redact });
    return replies === null ? model : cached(model, { replies, isRead: record === null, redact });
  }

  return {
    async open(id) {
      const place = placeOf(id);
      const model = opened.get(place.id) ?? openAt(place);
      opened.set(place.id, model);
      return model;
    },
    priceOf: (id) => priceIn(settings, placeOf(id)),
    secrets: () => [...keys],
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(opened.values()); // one that is being opened has connections soon
      await Promise.all(connected.map((model) => model[Symbol.asyncDispose]()));
    },
  };
}

/** The model that the configuration names. A mistake in its id has a place there. */
function configuredPlace(settings: ModelSettings): ModelPlace {
  try {
    return parseModelId(settings.llm.model, settings);
  } catch (error) {
    if (!(error instanceof UserError) || error.jsonPath !== null) throw error;
    const { code, message, hint } = error;
    throw new UserError(code, message, { jsonPath: "$.llm.model", hint: hint ?? undefined, cause: error });
  }
}

function priceIn({ prices }: ModelSettings, { aliases }: ModelPlace): Price | null {
  const name = aliases.find((alias) => Object.hasOwn(prices, alias));
  return name === undefined ? null : (prices[name] ?? null);
}

/** Without a price nobody can say what a call may cost before it is made. */
function knownPrice(settings: ModelSettings, place: ModelPlace): Price {
  const price = priceIn(settings, place);
  if (price !== null) return price;
  throw new UserError(
    "config-invalid",
    `no price is configured for model ${place.id}, and a budget needs one`,
    {
      jsonPath: jsonPath(["prices", place.id]),
      hint: `set it in the configuration, in USD: prices: { ${JSON.stringify(place.id)}: { inputPerMTok: 2.5, outputPerMTok: 10 } }`,
    },
  );
}

function openReplay(place: ModelPlace, folder: string): Model {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UserError("usage", `no such folder to replay from: ${folder}`, {
      path: folder,
      hint: "record a run into it first: --record <dir>",
    });
  }
  return replayModel({ id: place.id, identity: modelIdentity(place), folder, of: place });
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
