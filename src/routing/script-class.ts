import type { ScriptClass } from "../contract/embedder.ts";

/** Which embedder a request is for. */
export function scriptClass(query: string): ScriptClass {
  return /\p{Script=Han}/u.test(query) ? "han" : "other";
}
