import type { Model, ModelFault, ModelOutcome, ModelReply, ModelRequest } from "../contract/model.ts";
import { onAbort } from "../shared/async/abort.ts";

/** One line of a script: a reply, a failure, silence until the run is interrupted, or what to make of the request. */
export type MockLine =
  | string
  | (Partial<ModelReply> & { text: string })
  | { fault: ModelFault; message?: string; retryAfterMs?: number }
  | { silent: true }
  | ((request: ModelRequest) => MockLine);

export interface MockModel extends Model {
  /** The requests it received, in order. */
  readonly requests: readonly ModelRequest[];
}

export interface MockOptions {
  id?: string;
  /** Repeat the last line instead of running out of lines. */
  repeatLast?: boolean;
}

/** A model that replies with scripted lines, one per call, and fails loudly when they run out. Needs no network. */
export function mockModel(
  lines: readonly MockLine[],
  { id = "mock/model", repeatLast = false }: MockOptions = {},
): MockModel {
  const requests: ModelRequest[] = [];
  return {
    id,
    identity: { provider: "mock", model: id },
    requests,
    async call(request, { signal, onText }) {
      signal.throwIfAborted();
      const index = repeatLast ? Math.min(requests.length, lines.length - 1) : requests.length;
      requests.push(request);
      const line = lines[index];
      if (line === undefined)
        throw new Error(`the script of ${id} has ${lines.length} lines, and this is call ${requests.length}`);
      return say(line, request, signal, onText);
    },
  };
}

async function say(
  line: MockLine,
  request: ModelRequest,
  signal: AbortSignal,
  onText: ((piece: string) => void) | undefined,
): Promise<ModelOutcome> {
  if (typeof line === "function") return say(line(request), request, signal, onText);
  if (typeof line === "string") return say({ text: line }, request, signal, onText);
  if ("silent" in line)
    return new Promise((_resolve, reject) => onAbort(signal, () => reject(signal.reason)));
  if ("fault" in line) return { status: "failed", message: `scripted: ${line.fault}`, latencyMs: 0, ...line };
  for (const piece of pieces(line.text)) onText?.(piece);
  return { status: "answered", finishReason: "stop", usage: null, latencyMs: 0, ...line };
}

const pieceChars = 8;

/** In pieces, as a provider would stream it. */
function* pieces(text: string): Iterable<string> {
  for (let at = 0; at < text.length; at += pieceChars) yield text.slice(at, at + pieceChars);
}
