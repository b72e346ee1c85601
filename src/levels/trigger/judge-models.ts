import type { ReplyCache } from "../../contract/cache.ts";
import type { Model, ModelRequest } from "../../contract/model.ts";
import { gathering } from "../../models/gathering.ts";
import { givingUp } from "../../models/giving-up.ts";
import type { ModelRegistry } from "../../models/model-registry.ts";

/** The models that judges ask, each once. */
export interface JudgeModels {
  modelFor(id: string): Promise<Model>;
  /** What a dry run would have asked, by model. */
  unasked: ReadonlyMap<string, ModelRequest[]>;
}

/** Opens models as judges want them: one out of reach is given up, and in a dry run nobody is asked. */
export function judgeModels(
  registry: ModelRegistry,
  { isDryRun, replies }: { isDryRun: boolean; replies: ReplyCache | null },
): JudgeModels {
  const unasked = new Map<string, ModelRequest[]>();
  const opened = new Map<string, Model>();
  function asked(model: Model): Model {
    if (!isDryRun) return givingUp(model);
    const requests: ModelRequest[] = [];
    unasked.set(model.id, requests);
    return gathering(model, requests, replies);
  }
  return {
    async modelFor(id) {
      const model = await registry.open(id);
      const known = opened.get(model.id) ?? asked(model);
      opened.set(model.id, known);
      return known;
    },
    unasked,
  };
}
