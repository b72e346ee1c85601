/** Gathers a scorer's reply from its stdout, and holds no more of it than a reply may have. */
export interface ReplyCollector {
  /** `complete` ends the reading at once; `too-long` as well. */
  take(chunk: Buffer): "more" | "complete" | "too-long";
  /** The reply when the process has ended; null when there was none. */
  reply(): Buffer | null;
}

export const maxReplyBytes = 64 * 1024;

/** The reply is everything on stdout. */
export function wholeReply(): ReplyCollector {
  let bytes = Buffer.alloc(0);
  return {
    take(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      return bytes.length > maxReplyBytes ? "too-long" : "more";
    },
    reply: () => bytes,
  };
}

/** The reply is the rest of the line after the nonce, where it first stands; whatever else is printed is let pass. */
export function replyAfter(nonce: string): ReplyCollector {
  let isFound = false;
  let isComplete = false;
  let bytes = Buffer.alloc(0);
  return {
    take(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isFound) {
        const at = bytes.indexOf(nonce);
        isFound = at !== -1;
        bytes = isFound ? bytes.subarray(at + nonce.length) : bytes.subarray(1 - nonce.length);
      }
      if (!isFound) return "more";
      const end = bytes.indexOf("\n");
      isComplete = end !== -1;
      if (isComplete) bytes = bytes.subarray(0, end);
      if (bytes.length > maxReplyBytes) return "too-long";
      return isComplete ? "complete" : "more";
    },
    reply: () => (isComplete ? bytes : null),
  };
}
