import { LLMock } from "@copilotkit/aimock";
import { Config, type ModelSettings } from "../src/contract/config.ts";
import type { LocalServer } from "./local-server.ts";

export interface ModelServer extends AsyncDisposable {
  url: string;
  /** Requests so far. */
  count(): number;
}

/** A local server that speaks the protocols of OpenAI, Anthropic and Google, streamed or whole, and replies with this, or with what `reply` says. */
export async function modelServer(
  content: string,
  reply: (prompt: string) => string | null = () => null,
): Promise<ModelServer> {
  const mock = new LLMock({ port: 0, chunkSize: 9, logLevel: "silent" });
  mock.onMessage(/[\s\S]*/, ({ messages }) => ({
    content: reply(JSON.stringify(messages)) ?? content,
    usage: {
      prompt_tokens: 31,
      completion_tokens: 7,
      total_tokens: 38,
      input_tokens: 31,
      output_tokens: 7,
    },
  }));
  await mock.start();
  return {
    url: mock.url,
    count: () => mock.getRequests().length,
    [Symbol.asyncDispose]: () => mock.stop(),
  };
}

/** The settings of models as a configuration with these keys has them. */
export function modelSettings(keys: object = {}): ModelSettings {
  const { llm, models, prices } = Config.parse(keys);
  return { llm, models, prices };
}

/** Where models are opened: nothing is set, nothing is recorded. */
export const bareContext = { env: {}, apiKey: null, record: null, replay: null };

/** Settings whose `llm` endpoint is this server. */
export function settingsAt(
  { url }: Pick<LocalServer, "url">,
  llm: object = {},
  more: object = {},
): ModelSettings {
  return modelSettings({ llm: { baseUrl: `${url}/v1`, model: "judge-1", ...llm }, ...more });
}

/** A chat completion as a server that never streams sends it. */
export function completion(content: string, usage: object | null = null): string {
  return JSON.stringify({
    choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
    usage,
  });
}
