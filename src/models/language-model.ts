import type { OpenAIProvider } from "@ai-sdk/openai";
import type { ModelEndpoint } from "./model-id.ts";

/** A model as the AI SDK's providers offer it. */
export type LanguageModel = ReturnType<OpenAIProvider["chat"]>;

/** Makes the provider's model for one request, which goes out through this `fetch`. */
export type LanguageModelMaker = (fetch: typeof globalThis.fetch) => LanguageModel;

/** Loads the one provider that a model needs. */
export async function loadProvider(
  { protocol, baseUrl: baseURL, model }: ModelEndpoint,
  key: string | null,
): Promise<LanguageModelMaker> {
  // Without a key of ours the providers would look for one in the environment by themselves.
  const apiKey = key ?? "none";
  switch (protocol) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return (fetch) => createOpenAI({ apiKey, baseURL, fetch }).chat(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return (fetch) => createAnthropic({ apiKey, baseURL, fetch })(model);
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return (fetch) => createGoogleGenerativeAI({ apiKey, baseURL, fetch })(model);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const settings = {
        name: "compatible",
        apiKey,
        baseURL,
        includeUsage: true,
        supportsStructuredOutputs: true,
      };
      return (fetch) => createOpenAICompatible({ ...settings, fetch }).chatModel(model);
    }
    default:
      return protocol satisfies never;
  }
}
