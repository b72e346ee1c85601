import type { Evidence } from "../contract/outcome.ts";
import type { NetworkAttempt, SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { StreamTail } from "../shared/text/bytes-to-text.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { LineReader } from "./line-reader.ts";

/** How a process ended, or that it never started. */
export type ProcessEnd =
  | { kind: "exited"; exit: SkillExit }
  | { kind: "not-started"; error: NodeJS.ErrnoException };

/** The output of a skill besides its answer. */
export interface Chatter {
  stray: readonly { what: string; text: string }[];
  stderrTail: string;
  /** What it tried to reach, if an allow-list is in force. */
  network: readonly NetworkAttempt[];
}

export const noChatter: Chatter = { stray: [], stderrTail: "", network: [] };

interface ProcessListener {
  onLine(line: Buffer): void;
  /** Called when the process has written more than one call may. */
  onFlood(bytes: number): void;
  /** Called once everything the process had written was read. */
  onEnd(end: ProcessEnd): void;
}

const stderrCapBytes = 65_536;
const strayLines = 16;
const strayLineChars = 4096;
/** After the exit, what the process had written is in the pipe already; a stranger holding it open is not waited for. */
const drainMs = 100;

/** Reads what a skill process prints, line by line and up to a cap, until its end; keeps what was not an answer. */
export class ProcessReader {
  readonly #process: SkillProcess;
  readonly #listener: ProcessListener;
  readonly #reader: LineReader;
  readonly #stderr = new StreamTail(stderrCapBytes);
  #stray: Chatter["stray"][number][] = [];

  constructor(process: SkillProcess, capBytes: number, listener: ProcessListener) {
    this.#process = process;
    this.#listener = listener;
    this.#reader = new LineReader(
      capBytes,
      (line) => listener.onLine(line),
      () => listener.onFlood(this.#reader.bytesSeen),
    );
    process.stdout.on("data", (chunk: Buffer) => this.#reader.take(chunk));
    process.stderr.on("data", (chunk: Buffer) => this.#stderr.take(chunk));
    void process.started.then(
      async () => this.#afterExit(await process.exited),
      async (error: Error) => {
        const exit = await process.exited;
        listener.onEnd(
          exit.refusal === undefined ? { kind: "not-started", error } : { kind: "exited", exit },
        );
      },
    );
  }

  /** A new call begins; its answer has the whole cap for itself. */
  beginCall(): void {
    this.#reader.reset();
  }

  /** No more chatter is stored until it is taken. */
  get isFull(): boolean {
    return this.#stray.length >= strayLines;
  }

  get stderrTail(): string {
    return this.#stderr.text();
  }

  keep(what: string, text: string): void {
    if (text !== "" && !this.isFull) this.#stray.push({ what, text: shorten(text, strayLineChars) });
  }

  /** Returns the chatter since the last call. Chatter between two requests belongs to the second. */
  takeChatter(): Chatter {
    const network = this.#process.takeNetworkAttempts?.() ?? [];
    const chatter = { stray: this.#stray, stderrTail: this.stderrTail, network };
    this.#stray = [];
    this.#stderr.clear();
    return chatter;
  }

  #afterExit(exit: SkillExit): void {
    const { stdout } = this.#process;
    const finish = () => {
      clearTimeout(timer);
      this.#reader.end();
      this.#listener.onEnd({ kind: "exited", exit: this.#withItsLimit(exit) });
    };
    // One turn to read what is there, in case it was us who had no time.
    const timer = setTimeout(() => setImmediate(finish), drainMs);
    if (stdout.closed || stdout.readableEnded) finish();
    else stdout.once("close", finish);
  }

  /** A process that was refused memory or disk ends in its own way; only its output shows that it was our cap. */
  #withItsLimit(exit: SkillExit): SkillExit {
    if (exit.limit !== null || !this.#process.hasCaps) return exit;
    return { ...exit, limit: reportedLimit(exit, this.stderrTail) };
  }
}

/** Chatter as members of an outcome; empty parts are left out. */
export function chatterEvidence({
  stray,
  stderrTail,
  network,
}: Chatter): Pick<Evidence, "stray" | "stderrTail" | "network"> {
  return {
    ...(stray.length > 0 && { stray: stray.map(({ text }) => text) }),
    ...(stderrTail !== "" && { stderrTail }),
    ...(network.length > 0 && { network }),
  };
}

/**
 * What a process that failed says it was refused. A cap of the kernel sends no signal: an allocation or a write fails, and
 * every runtime reports that in its own way. Only the message sets it apart from a crash, so it counts where a cap is in
 * force and the process ended abnormally. Faking it gains a skill nothing: both count against it.
 */
export function reportedLimit({ code, refusal }: SkillExit, stderrTail: string): SkillExit["limit"] {
  if (code === 0 || refusal !== undefined) return null;
  const lastWords = stderrTail.slice(-lastWordsChars);
  if (memoryWords.test(lastWords)) return "memory-limit";
  return /\bNo space left on device\b|\bENOSPC\b/i.test(lastWords) ? "disk-limit" : null;
}

/** Node writes a page of stack after the words that matter. */
const lastWordsChars = 8192;

const memoryWords = new RegExp(
  [
    /^\S*MemoryError\b/, // Python, and what numpy makes of it
    /std::bad_alloc/, // C++
    /\bout of memory\b/, // Node, Go, Ruby, Perl
    /ERR_MEMORY_ALLOCATION_FAILED|Array buffer allocation failed/, // Node
    /\bOutOfMemoryError\b/, // Java
    /memory allocation of \d+ bytes failed/, // Rust
    /\bCannot allocate memory\b|\bENOMEM\b/, // the C library, shells
  ]
    .map(({ source }) => source)
    .join("|"),
  "im",
);
