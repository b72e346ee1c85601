import type { Model } from "../contract/model.ts";
import { type RetryOptions, tryAgain } from "./try-again.ts";

/** A model that is asked again when the provider, not the question, was at fault. */
export function retrying(model: Model, options: RetryOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, { signal, onText }) {
      let isHeard = false;
      const onPiece = (piece: string) => {
        isHeard = true;
        onText?.(piece);
      };
      return tryAgain(() => model.call(request, { signal, onText: onText && onPiece }), {
        ...options,
        signal,
        // What was heard cannot be taken back: a second reply would be added to half of the first.
        isSpoilt: () => isHeard,
      });
    },
  };
}
