import type { ModelSettings } from "../contract/config.ts";
import type { Json } from "../shared/json/json.ts";
import { webAddress } from "../shared/network/http.ts";
import { nearest } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";

/** The protocol of an endpoint. */
type Protocol = "openai" | "anthropic" | "google" | "openai-compatible";

/** The endpoint of a model id, and the name of the model there. */
export interface ModelEndpoint {
  /** `<provider>/<model>`; the bare model for one at the `llm` endpoint. */
  id: string;
  /** All names of the model under which a price may be listed. */
  aliases: readonly string[];
  provider: string;
  model: string;
  protocol: Protocol;
  baseUrl: string;
  /** The variables that may hold its key, the first that is set counts; none where it has no key. */
  keyVariables: readonly string[];
  /** The configuration names the variable: it must be set then, wherever the endpoint is. */
  isKeyNamed: boolean;
}

/** Reads a model id: `<provider>/<model>`, or a bare model. A `UserError` if it has no endpoint. */
export function parseModelId(text: string, settings: ModelSettings): ModelEndpoint {
  const id = text.trim();
  const slash = id.indexOf("/");
  if (slash !== -1) return atProvider(id.slice(0, slash), id.slice(slash + 1), id, settings);
  if (id.startsWith("claude-")) return atProvider("anthropic", id, id, settings);
  if (id.startsWith("gemini-")) return atProvider("google", id, id, settings);
  return atLlmEndpoint(id, settings);
}

const openAiUrl = "https://api.openai.com/v1";

const vendors = new Map<string, { protocol: Protocol; baseUrl: string; keyVariables: readonly string[] }>([
  ["openai", { protocol: "openai", baseUrl: openAiUrl, keyVariables: ["OPENAI_API_KEY"] }],
  [
    "anthropic",
    {
      protocol: "anthropic",
      baseUrl: "https://api.anthropic.com/v1",
      keyVariables: ["ANTHROPIC_API_KEY"],
    },
  ],
  [
    "google",
    {
      protocol: "google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    },
  ],
]);

const compatible = "openai-compatible";
/** The provider of ids that name none. Keys and recordings use this name, so it is reserved. */
const llmProvider = "llm";

function atProvider(
  provider: string,
  model: string,
  written: string,
  settings: ModelSettings,
): ModelEndpoint {
  const vendor = vendors.get(provider);
  const own = Object.hasOwn(settings.models, provider) ? settings.models[provider] : undefined;
  if (vendor === undefined && own === undefined && provider !== compatible)
    throw unknownProvider(provider, written, settings);
  if (model === "") throw invalid(`the model id ${JSON.stringify(written)} has no model name`);
  if (provider === llmProvider) {
    throw invalid(`${llmProvider} is reserved for the configured endpoint`, {
      jsonPath: `$.models.${llmProvider}`,
      hint: "give it another name under models",
    });
  }
  const baseUrl = own?.baseUrl ?? vendor?.baseUrl;
  if (baseUrl === undefined) {
    throw invalid(`the model ${written} has no endpoint`, {
      jsonPath: `$.models.${provider}.baseUrl`,
      hint: `set models.${provider}.baseUrl in the configuration`,
    });
  }
  const id = `${provider}/${model}`;
  return {
    id,
    aliases: vendor === undefined ? [id] : [id, model],
    provider,
    model,
    protocol: vendor?.protocol ?? compatible,
    baseUrl: checkedUrl(baseUrl, `$.models.${provider}.baseUrl`),
    keyVariables: keyVariables(own?.apiKeyEnv, vendor?.keyVariables ?? []),
    isKeyNamed: typeof own?.apiKeyEnv === "string",
  };
}

const llmKeyVariables = ["EVAL_SKILLS_LLM_KEY", "OPENAI_API_KEY", "OPENAI_KEY"];

function atLlmEndpoint(model: string, { llm }: ModelSettings): ModelEndpoint {
  if (model === "") throw invalid("the model id is empty", { jsonPath: "$.llm.model" });
  const baseUrl = checkedUrl(llm.baseUrl, "$.llm.baseUrl");
  const isOpenAi = new URL(baseUrl).origin === new URL(openAiUrl).origin;
  return {
    id: model,
    aliases: isOpenAi ? [model, `openai/${model}`] : [model],
    provider: llmProvider,
    model,
    // OpenAI's own models differ in what they accept; its provider knows how.
    protocol: isOpenAi ? "openai" : compatible,
    baseUrl,
    keyVariables: keyVariables(llm.apiKeyEnv, llmKeyVariables),
    isKeyNamed: typeof llm.apiKeyEnv === "string",
  };
}

/** The variables that may hold a key: the one that is configured, else the usual ones; none after `false`. */
function keyVariables(
  configured: string | false | null | undefined,
  usual: readonly string[],
): readonly string[] {
  if (configured === false) return [];
  return configured == null ? usual : [configured];
}

function checkedUrl(text: string, jsonPath: string): string {
  const url = webAddress(text);
  if (url === null) throw invalid("the endpoint of a model must be an http or https URL", { jsonPath });
  // A key in an address would be stored with every cell.
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalid("the endpoint of a model must not contain a user or a query", {
      jsonPath,
      hint: "set apiKeyEnv to the name of the variable that holds the key",
    });
  }
  return text.replace(/\/+$/, "");
}

function unknownProvider(provider: string, written: string, { models }: ModelSettings): UserError {
  const known = [...new Set([...vendors.keys(), compatible, ...Object.keys(models)])];
  const near = nearest(provider, known);
  const advice =
    near === null
      ? `known: ${known.join(", ")}. For a server of your own, set models.${provider}.baseUrl in eval-skills.config.yaml. A model with a slash in its name needs a provider before it: <provider>/${written}`
      : `did you mean ${near}/${written.slice(provider.length + 1)}?`;
  return invalid(`unknown provider ${JSON.stringify(provider)} in model ${written}`, {
    hint: advice,
  });
}

function invalid(message: string, details: { jsonPath?: string; hint?: string } = {}): UserError {
  return new UserError("model-invalid", message, details);
}

/** What may change the answers of a model: its name and its endpoint. Never a key. */
export function modelIdentity({ provider, model, baseUrl }: ModelEndpoint): Json {
  return { provider, model, baseUrl };
}
