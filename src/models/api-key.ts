import { isIPv4 } from "node:net";
import { UserError } from "../contract/user-error.ts";
import type { ModelPlace } from "./model-id.ts";

export interface KeySources {
  env: NodeJS.ProcessEnv;
  /** The key of the `llm` endpoint from the user's own file. */
  apiKey: string | null;
}

/** The key a model is asked with; null where it needs none. A `UserError` where it is missing. */
export function findApiKey(place: ModelPlace, { env, apiKey }: KeySources): string | null {
  const fromFile = place.provider === "llm" ? apiKey : null;
  const named = place.keyVariables
    .map((name) => env[name])
    .find((value) => value !== undefined && value !== "");
  // A variable that the configuration names beats the user's file; one that merely happens to be set does not.
  const isNamed = place.keyVariables.length === 1;
  const key = isNamed ? (named ?? fromFile) : (fromFile ?? named);
  if (key !== undefined && key !== null) return key;
  if (place.keyVariables.length === 0 || isLoopback(new URL(place.baseUrl))) return null;
  const variables = place.keyVariables.join(" or ");
  throw new UserError("secret-missing", `the model ${place.id} needs a key: ${variables} is not set`, {
    hint: `set ${variables}, or name another variable with ${settingOf(place)}`,
  });
}

function settingOf({ provider }: ModelPlace): string {
  return provider === "llm" ? "llm.apiKeyEnv" : `models.${provider}.apiKeyEnv`;
}

/** Whether an address is on this machine: a model there usually has no key. */
function isLoopback({ hostname }: URL): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]") return true;
  return isIPv4(hostname) && hostname.startsWith("127.");
}
