import { isLoopbackHost } from "../shared/network/http.ts";
import { UserError } from "../shared/user-error.ts";
import type { ModelEndpoint } from "./model-id.ts";

export interface KeySources {
  env: NodeJS.ProcessEnv;
  /** The key of the `llm` endpoint from the user's own file. */
  apiKey: string | null;
}

/** The API key for a model; null if it needs none. A `UserError` if it is missing. */
export function findApiKey(endpoint: ModelEndpoint, { env, apiKey }: KeySources): string | null {
  const fromFile = endpoint.provider === "llm" ? keyIn("llm.apiKey", apiKey) : undefined;
  const named = endpoint.keyVariables
    .map((name) => keyIn(name, env[name]))
    .find((found) => found !== undefined);
  // A variable that the configuration names beats the user's file; one that merely happens to be set does not.
  const isNamed = endpoint.keyVariables.length === 1;
  const found = isNamed ? (named ?? fromFile) : (fromFile ?? named);
  if (found !== undefined) return checkedKey(found, endpoint);
  const isLocal = isLoopbackHost(new URL(endpoint.baseUrl).hostname);
  if (endpoint.keyVariables.length === 0 || (isLocal && !endpoint.isKeyNamed)) return null;
  const variables = endpoint.keyVariables.join(" or ");
  throw new UserError("secret-missing", `model ${endpoint.id} needs an API key: ${variables} is not set`, {
    hint: `set ${variables}, or choose another variable with ${keySetting(endpoint)}`,
  });
}

interface FoundKey {
  /** The variable or the setting it was found in. */
  where: string;
  key: string;
}

/** White space around a key comes from the file it was read from, and is not part of it. */
function keyIn(where: string, value: string | null | undefined): FoundKey | undefined {
  const key = value?.trim() ?? "";
  return key === "" ? undefined : { where, key };
}

/** A header that cannot be sent would fail in the middle of the run, with the key in the error message. */
function checkedKey({ where, key }: FoundKey, { id }: ModelEndpoint): string {
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  const problem = `${where} contains a line break or another character that is not allowed in a header`;
  throw new UserError("model-invalid", `the API key of model ${id} is invalid: ${problem}`);
}

function keySetting({ provider }: ModelEndpoint): string {
  return provider === "llm" ? "llm.apiKeyEnv" : `models.${provider}.apiKeyEnv`;
}
