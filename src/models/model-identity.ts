import type { Json } from "../shared/json/json.ts";
import type { ModelPlace } from "./model-id.ts";

/** What may change the answers of a model: who is asked, and where. Never a key. */
export function modelIdentity({ provider, model, baseUrl }: ModelPlace): Json {
  return { provider, model, baseUrl };
}
