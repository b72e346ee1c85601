import type { Places } from "../base/places.ts";
import type { Model } from "../contract/model.ts";

/** A model that is asked only in these places, which it may share with others. */
export function limited(model: Model, places: Places): Model {
  return {
    id: model.id,
    identity: model.identity,
    call: (request, call) => places.with(call.signal, () => model.call(request, call)),
  };
}
