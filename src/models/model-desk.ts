import type { ModelSettings } from "../contract/config.ts";
import type { Model } from "../contract/model.ts";
import { UserError } from "../contract/user-error.ts";

export interface ModelSurroundings {
  env: NodeJS.ProcessEnv;
  /** The key of the `llm` endpoint from the user's own file, where it stands there. */
  apiKey: string | null;
  /** Folder that model calls are recorded in, or answered from. */
  record: string | null;
  replay: string | null;
}

/** Opens models by id, each once, and knows which words in what they were given are secret. */
export interface ModelDesk {
  /** The model of this id, or the configured one. A `UserError` where it cannot be asked. */
  open(id: string | undefined): Promise<Model>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

export function modelDesk(_settings: ModelSettings, _surroundings: ModelSurroundings): ModelDesk {
  return {
    open: () => Promise.reject(new UserError("model-invalid", "no model yet")),
    secrets: () => [],
  };
}
