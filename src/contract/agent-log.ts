import type { JsonObject } from "../shared/json/json.ts";
import type { Plan } from "./agent-action.ts";
import type { RunStatus } from "./agent-error.ts";
import type { AgentEvent, EventData, EventType } from "./agent-event.ts";
import type { AgentCounts, AgentLimits, Recording } from "./limits.ts";

/** A text that is stored next to the log because it is long. */
export interface StoredText {
  /** Relative to the run directory, `/`-separated: `observations/c3-stdout.txt`. */
  ref: string;
  sha256: string;
  bytes: number;
}

/** The snapshot after each turn. A convenience: nobody believes it. */
export interface RunState {
  run_id: string;
  status: RunStatus | "running";
  turn: number;
  used: AgentCounts;
  limit: AgentLimits;
  loaded_skills: readonly string[];
  plan: Plan | null;
}

/** Where a run of an agent writes what happened. Everything passes the redactor; the recording decides how much stays. */
export interface RunLog extends AsyncDisposable {
  readonly runId: string;
  /** The run directory, absolute. */
  readonly dir: string;
  /** The workspace in it, absolute. */
  readonly workspace: string;
  readonly recording: Recording;
  /**
   * Adds one line, whole, in order; returns its number. A text above 16 KiB goes to a file: within actions, parameters, results,
   * plans and summaries a `TextRef` replaces it, elsewhere its beginning does, and `kept` names the file. `at` is for
   * importers: when it happened, in epoch milliseconds.
   */
  emit<Type extends EventType>(turn: number, type: Type, data: EventData<Type>, at?: number): number;
  /**
   * Adds a piece of streamed text. Held back as long as it could be the beginning of a secret; the pieces of one attempt and
   * path add up to what redaction makes of the whole. Any other event lets out what is held. Under minimal recording one line
   * records the length and hash of them all.
   */
  emitDelta(turn: number, delta: { attempt: number; path: string; text: string }): void;
  /** Settles when everything emitted so far is on the disk: awaited before every effect outside the run directory. */
  synced(): Promise<void>;
  /** `sha256:…` of all that was written so far: others who can write there cannot change it unnoticed. */
  digest(): string;
  /** The hash of parameters as the log records them, redacted: a reader can check it. */
  paramsHash(params: JsonObject): string;
  /** Writes `inputs/request.txt`, redacted. */
  writeRequest(text: string): StoredText;
  /** Keeps a long text in `observations/`, redacted, at every recording; `<call_id>-<what>.txt`. The hash is that of the file. */
  keep(name: string, content: string | Uint8Array): StoredText;
  /** Keeps a prompt or a reply in `raw/`; does nothing below that recording. */
  keepRaw(name: string, content: string): void;
  /** Written at most a few times a second, and at the end of a run. */
  writeState(state: RunState): void;
  /** Writes `final.md`. */
  writeFinal(text: string): { ref: string; sha256: string; chars: number };
}

/** A run directory as its reader found it. */
export interface RecordedRun {
  dir: string;
  runId: string;
  /** In order of `seq`; those of unknown types are left out. */
  events: readonly AgentEvent[];
  /** The lines of the log as written, the first at 0. */
  lines: readonly string[];
  warnings: readonly string[];
  /** Why there can be no verdict; null for a log that is whole. */
  problem: { code: "LogDamaged" | "RunIncomplete"; message: string; line: number | null } | null;
  /** `final.md`; null where there is none. */
  final: string | null;
  /** Whether there is a folder `sandbox/`: without it nothing is known of the files of the workspace. */
  hasWorkspace: boolean;
  /** The bytes of a file in the run directory; null where it is missing, outside, or no plain file. Nothing is followed out. */
  read(ref: string): Uint8Array | null;
  /** What lies at a path in the run directory, read or not: `other` for all but plain files, links on the way included. */
  kindAt(ref: string): "file" | "other" | null;
}
