import type { OpenAIProvider } from "@ai-sdk/openai";
import { UserError } from "../../shared/user-error.ts";
import type { ModelEndpoint } from "../model-id.ts";

/** An embedding model as the AI SDK's providers offer it. */
export type EmbeddingModel = ReturnType<OpenAIProvider["embeddingModel"]>;

/** Makes the provider's model for one request, which goes out through this `fetch`. */
export type EmbeddingModelMaker = (fetch: typeof globalThis.fetch) => EmbeddingModel;

/** Loads the one provider that an embedding model needs. */
export async function loadEmbeddingProvider(
  { protocol, baseUrl: baseURL, model, id }: ModelEndpoint,
  key: string | null,
): Promise<EmbeddingModelMaker> {
  // Without a key of ours the providers would look for one in the environment by themselves.
  const apiKey = key ?? "none";
  switch (protocol) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return (fetch) => createOpenAI({ apiKey, baseURL, fetch }).embeddingModel(model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return (fetch) => createGoogleGenerativeAI({ apiKey, baseURL, fetch }).embeddingModel(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const settings = { name: "compatible", apiKey, baseURL };
      return (fetch) => createOpenAICompatible({ ...settings, fetch }).embeddingModel(model);
    }
    case "anthropic":
      throw new UserError("model-invalid", `${id} cannot embed text: Anthropic has no embedding models`, {
        hint: "use a model of another provider, or local",
      });
    default:
      return protocol satisfies never;
  }
}

/** The length is only requested from models that support shorter vectors; others refuse the option. */
export function lengthOptions(
  { protocol, model }: ModelEndpoint,
  dim: number,
): Parameters<EmbeddingModel["doEmbed"]>[0]["providerOptions"] {
  if (protocol === "openai" && model.startsWith("text-embedding-3")) return { openai: { dimensions: dim } };
  if (protocol === "google" && model.startsWith("gemini-embedding"))
    return { google: { outputDimensionality: dim } };
  return undefined;
}
