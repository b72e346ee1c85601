import type { EventData } from "../../contract/agent-event.ts";
import type { Recording } from "../../contract/limits.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { type RedactStream, redactStreams } from "../../shared/text/redact-stream.ts";

type DeltaData = EventData<"model_delta">;

/** The pieces of streamed text between two other events. */
export interface DeltaStreams {
  /** What to record now; nothing where all of it is held. */
  write(delta: { attempt: number; path: string; text: string }): DeltaData[];
  /** What is still held. */
  end(): DeltaData[];
}

/**
 * Redacts pieces so that those of one attempt and path add up; under minimal recording only their total length and hash are emitted.
 * Text without a secret is emitted in the pieces it came in, whatever the secrets are: a run that is played again, where no key is
 * needed, has the same log.
 */
export function deltaStreams({
  recording,
  secrets,
  redact,
}: {
  recording: Recording;
  secrets: readonly string[];
  redact: (text: string) => string;
}): DeltaStreams {
  interface Open {
    attempt: number;
    path: string;
    stream: RedactStream;
    /** As they came, and how many of them are emitted. */
    pieces: string[];
    emitted: number;
    /** What was released and is not emitted yet. */
    gathered: string;
  }
  let open: Open | null = null;
  let makeStream: (() => RedactStream) | null = null;

  function begin(attempt: number, path: string): Open {
    makeStream ??= redactStreams(secrets, redact);
    return { attempt, path, stream: makeStream(), pieces: [], emitted: 0, gathered: "" };
  }

  /** The pieces that were released; all gathered text as one piece where redaction changed it. */
  function emitPieces(of: Open): DeltaData[] {
    const { attempt, path, pieces } = of;
    const emitted: DeltaData[] = [];
    for (;;) {
      const piece = pieces[of.emitted];
      const isWhole = piece !== undefined && of.gathered.startsWith(piece);
      if (!isWhole && of.gathered.length <= (piece?.length ?? 0)) return emitted;
      const length = isWhole ? piece.length : of.gathered.length;
      emitted.push(...inLines(attempt, path, of.gathered.slice(0, length)));
      of.gathered = of.gathered.slice(length);
      of.emitted = isWhole ? of.emitted + 1 : pieces.length;
    }
  }

  /** One text is over where another begins. */
  function end(): DeltaData[] {
    if (open === null) return [];
    const ended = open;
    open = null;
    const { attempt, path, stream } = ended;
    ended.gathered += stream.end();
    if (recording === "minimal") return hidden(attempt, path, ended.gathered);
    const emitted = emitPieces(ended);
    return [...emitted, ...inLines(attempt, path, ended.gathered)];
  }

  return {
    write({ attempt, path, text }) {
      const before = open?.attempt === attempt && open.path === path ? [] : end();
      open ??= begin(attempt, path);
      open.gathered += open.stream.write(text);
      if (recording === "minimal") return before;
      open.pieces.push(text);
      return before.concat(emitPieces(open));
    },
    end,
  };
}

/** One hash for all: that of a few characters would give them away. */
function hidden(attempt: number, path: string, text: string): DeltaData[] {
  return text === "" ? [] : [{ attempt, path, chars: text.length, sha256: sha256(text) }];
}

/** Characters of a piece. Longer ones are more lines: no text of a line may need a file. */
const maxPieceLength = 4096;

function inLines(attempt: number, path: string, text: string): DeltaData[] {
  const lines: DeltaData[] = [];
  for (let at = 0; at < text.length; ) {
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(at + maxPieceLength - 1));
    const end = at + maxPieceLength - (splitsPair ? 1 : 0);
    lines.push({ attempt, path, text: text.slice(at, end) });
    at = end;
  }
  return lines;
}
