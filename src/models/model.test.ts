import { httpServer, type LocalServer } from "../../test/local-server.ts";
import { bareContext, modelServer, modelSettings } from "../../test/model-server.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Model } from "../contract/model.ts";
import { memoryCache } from "../store/memory-cache.ts";
import { Budget } from "./budget.ts";
import { budgeted } from "./budgeted.ts";
import { cached } from "./cached.ts";
import { recording, replayModel } from "./cassette.ts";
import { mockModel } from "./mock.ts";
import { modelContract, type OpenModel } from "./model.contract.ts";
import { modelRegistry } from "./model-registry.ts";

const nothingToClear = { [Symbol.asyncDispose]: async () => {} };
const of = { provider: "mock", model: "model" };

/** A model that always replies with this, and reports its usage. */
function scripted(text: string): Model {
  const usage = { promptTokens: 31, completionTokens: 7, totalTokens: 38, costUsd: null };
  return mockModel([{ text, usage }], { repeatLast: true });
}

modelContract("the scripted model", {
  noUsage: "a script that does not say what it used",
  saying: async (text) => ({ model: mockModel([text], { repeatLast: true }), ...nothingToClear }),
  failing: async () => ({ model: mockModel([{ fault: "unavailable" }]), ...nothingToClear }),
  silent: async () => ({ model: mockModel([{ silent: true }]), ...nothingToClear }),
});

modelContract("a recording model", {
  async saying(text) {
    const folder = await temporaryFolder();
    const model = recording(scripted(text), {
      folder: folder.path,
      of,
      redact: (words) => words,
    });
    return { model, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  },
  async failing() {
    const folder = await temporaryFolder();
    const model = recording(mockModel([{ fault: "unavailable" }]), {
      folder: folder.path,
      of,
      redact: (words) => words,
    });
    return { model, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  },
  silent: async () => ({
    model: recording(mockModel([{ silent: true }]), { folder: "/nowhere", of, redact: (words) => words }),
    ...nothingToClear,
  }),
});

const keeping = { replies: memoryCache(), isRead: true, redact: (words: string) => words };

modelContract("a model whose replies are kept", {
  saying: async (text) => ({
    model: cached(scripted(text), { ...keeping, isRead: false }),
    ...nothingToClear,
  }),
  failing: async () => ({
    model: cached(mockModel([{ fault: "unavailable" }], { id: "mock/failing" }), keeping),
    ...nothingToClear,
  }),
  silent: async () => ({
    model: cached(mockModel([{ silent: true }], { id: "mock/silent" }), keeping),
    ...nothingToClear,
  }),
});

const spending = () => ({ budget: new Budget(1), price: { inputPerMTok: 1, outputPerMTok: 1 } });

modelContract("a model with a budget", {
  saying: async (text) => ({ model: budgeted(scripted(text), spending()), ...nothingToClear }),
  failing: async () => ({
    model: budgeted(mockModel([]), { ...spending(), budget: new Budget(0) }),
    ...nothingToClear,
  }),
  silent: async () => ({ model: budgeted(mockModel([{ silent: true }]), spending()), ...nothingToClear }),
});

/** Records the first call to a model that says this, and answers from the recording. */
async function replayed(text: string | null): Promise<OpenModel> {
  const folder = await temporaryFolder();
  const replay = replayModel({ id: "mock/model", identity: of, folder: folder.path, of });
  const record = recording(scripted(text ?? ""), {
    folder: folder.path,
    of,
    redact: (words) => words,
  });
  const model: Model = {
    ...replay,
    async call(request, call) {
      const inPieces = { signal: new AbortController().signal, onText: () => {} };
      if (text !== null) await record.call(request, inPieces);
      return replay.call(request, call);
    },
  };
  return { model, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

modelContract("the replay of a recording", {
  saying: (text) => replayed(text),
  failing: () => replayed(null),
  // No silence: a file is there or it is not.
});

const protocols = [
  { name: "an OpenAI-compatible server", id: "lab/some-model", path: "/v1" },
  { name: "a server of OpenAI's kind", id: "openai/gpt-4o", path: "/v1" },
  { name: "a server of Anthropic's kind", id: "anthropic/claude-sonnet-4-5", path: "/v1" },
  { name: "a server of Google's kind", id: "google/gemini-2.5-pro", path: "/v1beta" },
];

for (const { name, id, path } of protocols) {
  async function modelAt(server: Pick<LocalServer, "url"> & AsyncDisposable): Promise<OpenModel> {
    const endpoint = { baseUrl: `${server.url}${path}` };
    const models = { lab: endpoint, openai: endpoint, anthropic: endpoint, google: endpoint };
    const registry = modelRegistry(modelSettings({ models, llm: { retries: 0 } }), bareContext);
    return {
      model: await registry.open(id),
      async [Symbol.asyncDispose]() {
        await registry[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  modelContract(name, {
    saying: async (text) => modelAt(await modelServer(text)),
    failing: async () =>
      modelAt(await httpServer((_request, response) => void response.writeHead(400).end("no such thing"))),
    silent: async () => modelAt(await httpServer(() => {})),
  });
}
