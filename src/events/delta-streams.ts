import { sha256 } from "../base/canonical-json.ts";
import { type RedactStream, redactStreams } from "../base/redact-stream.ts";
import type { EventData } from "../contract/agent-event.ts";
import type { Recording } from "../contract/agent-limits.ts";

type DeltaData = EventData<"model_delta">;

/** The pieces of streamed text between two other events. */
export interface DeltaStreams {
  /** What to record now; nothing where all of it is held. */
  write(delta: { attempt: number; path: string; text: string }): DeltaData[];
  /** What is still held, in the order in which the texts began. */
  end(): DeltaData[];
}

/** Redacts pieces so that those of one attempt and path add up; under minimal recording tells only length and hash of them all. */
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
    /** What was let out and is not recorded as text. */
    gathered: string;
  }
  const open = new Map<string, Open>();
  let makeStream: (() => RedactStream) | null = null;

  function begin(attempt: number, path: string): Open {
    makeStream ??= redactStreams(secrets, redact);
    const begun = { attempt, path, stream: makeStream(), gathered: "" };
    open.set(`${attempt} ${path}`, begun);
    return begun;
  }

  return {
    write({ attempt, path, text }) {
      const to = open.get(`${attempt} ${path}`) ?? begin(attempt, path);
      const free = to.stream.write(text);
      if (recording === "minimal") to.gathered += free;
      return recording === "minimal" ? [] : inLines(attempt, path, free);
    },
    end() {
      const told: DeltaData[] = [];
      for (const { attempt, path, stream, gathered } of open.values()) {
        const rest = gathered + stream.end();
        if (rest === "") continue;
        // One hash for all: that of a few characters would give them away.
        const hidden = { attempt, path, chars: rest.length, sha256: sha256(rest) };
        told.push(...(recording === "minimal" ? [hidden] : inLines(attempt, path, rest)));
      }
      open.clear();
      return told;
    },
  };
}

/** Characters of a piece. Longer ones are more lines: no text of a line may need a file. */
const longestPiece = 4096;

function inLines(attempt: number, path: string, text: string): DeltaData[] {
  const lines: DeltaData[] = [];
  for (let at = 0; at < text.length; ) {
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(at + longestPiece - 1));
    const end = at + longestPiece - (splitsPair ? 1 : 0);
    lines.push({ attempt, path, text: text.slice(at, end) });
    at = end;
  }
  return lines;
}
