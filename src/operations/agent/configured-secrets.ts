import type { Config } from "../../contract/config.ts";

/** The values that the configuration calls secret, as far as they are set here: keys of models, and what scripts are trusted with. */
export function configuredSecrets({ llm, models, sandbox }: Config, env: NodeJS.ProcessEnv): string[] {
  const named = [
    llm.apiKeyEnv,
    ...Object.values(models).map(({ apiKeyEnv }) => apiKeyEnv),
    ...defaultKeys,
    ...sandbox.envKeys,
  ];
  const values = named.flatMap((name) => (name == null ? [] : (env[name] ?? [])));
  return [...new Set([...(llm.apiKey === undefined ? [] : [llm.apiKey]), ...values])];
}

/** Where keys of providers are when nobody says so. */
const defaultKeys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"];
