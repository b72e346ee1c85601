import type { Model } from "../contract/model.ts";
import type { Semaphore } from "../shared/async/semaphore.ts";

/** A model whose calls go through this semaphore, which it may share with others. */
export function limited(model: Model, semaphore: Semaphore): Model {
  return {
    id: model.id,
    identity: model.identity,
    call: (request, call) => semaphore.with(call.signal, () => model.call(request, call)),
  };
}
