import picocolors from "picocolors";
import type { ConfigSources } from "../../config/load-config.ts";
import type { StopSignal } from "../../engine/interrupted.ts";
import { inertJson, visibleLines } from "../../shared/text/visible-text.ts";
import { isOnGithub, workflowSafe } from "./github-sink.ts";

/** Somewhere text can be written: a stream of the process, or a test's list. */
export interface TextSink {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** Columns of a terminal. */
  readonly columns?: number | undefined;
}

/** What the process provides to every command. */
export interface ProcessContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** What is piped in, for commands that read it. */
  readonly stdin?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Asks the person at the terminal, and settles with the line they typed; null when they leave. Absent where nobody is there. */
  readonly ask?: ((question: string, signal: AbortSignal) => Promise<string | null>) | undefined;
  /** Tells every key that the person at the terminal presses, until it is disposed of. Absent where nobody is there. */
  readonly keys?: ((onKey: (key: string) => void) => Disposable) | undefined;
}

export interface GlobalFlags {
  readonly json: boolean;
  readonly verbose: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
  readonly configPath?: string | undefined;
  /** What was granted for this call. */
  readonly grants?: readonly string[] | undefined;
  /** The part of the configuration that was typed. */
  readonly flags?: ConfigSources["flags"];
}

/** The output of a command: its result on stdout, everything else on stderr. */
export interface CommandIo extends ProcessContext, GlobalFlags {
  /** The command as typed, such as `config set`; null where none was recognised. */
  readonly command: string | null;
  /** Whether stdout may be coloured; `colorStderr` says it of stderr. */
  readonly color: boolean;
  readonly colorStderr: boolean;
  /** Columns of stdout; null where it is not a terminal. */
  readonly width: number | null;
  /** Whether a result was printed; a failure must not print a second document then. */
  readonly hasResult: boolean;
  /** Prints the one result: with `--json` the document, headed by schemaVersion and command, else the text. */
  result(document: object, text: string): void;
  /** Prints the one result piece by piece, exactly as given. */
  resultPieces(pieces: Iterable<string>): void;
  /** Prints the one result as GitHub Actions commands, unescaped. */
  resultCommands(lines: Iterable<string>): void;
  /** A line for people on stderr, with control characters made visible. */
  note(text: string): void;
  /** A warning on stderr. */
  warn(message: string): void;
  /** A GitHub Actions command on stderr, where everything else is escaped. */
  workflow(command: string): void;
}

/** The output of a command, for this process. */
export function commandIo(context: ProcessContext, globals: GlobalFlags, command: string | null): CommandIo {
  const isWorkflow = isOnGithub(context);
  const stdout = isWorkflow ? workflowSafe(context.stdout, globals.json) : context.stdout;
  const stderr = isWorkflow ? workflowSafe(context.stderr, false) : context.stderr;
  const mayColor = globals.color && !context.env.NO_COLOR && context.env.TERM !== "dumb";
  const colorStderr = mayColor && context.stderr.isTTY === true;
  const colors = picocolors.createColors(colorStderr);
  let hasResult = false;
  const io: CommandIo = {
    ...context,
    ...globals,
    stdout,
    stderr,
    command,
    color: mayColor && context.stdout.isTTY === true,
    colorStderr,
    width: context.stdout.isTTY === true ? (context.stdout.columns ?? null) : null,
    get hasResult() {
      return hasResult;
    },
    result(document, text) {
      hasResult = true;
      if (globals.json) stdout.write(`${inertJson({ schemaVersion: 1, command, ...document })}\n`);
      else if (text !== "") stdout.write(text.endsWith("\n") ? text : `${text}\n`);
    },
    resultPieces(pieces) {
      for (const piece of pieces) {
        hasResult = true; // not before: what fails until here has printed nothing
        stdout.write(piece);
      }
      hasResult = true;
    },
    resultCommands(lines) {
      hasResult = true;
      for (const line of lines) context.stdout.write(`${line}\n`);
    },
    note: (text) => void stderr.write(`${visibleLines(text)}\n`),
    workflow: (line) => void context.stderr.write(`${line}\n`),
    warn: (message) => void stderr.write(`${colors.yellow("warning:")} ${visibleLines(message)}\n`),
  };
  return io;
}

/** 0 done, 1 gate failed, 2 the user can fix it, 3 no verdict, 129/130/143 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 129 | 130 | 143;

/** How an interrupted process ends, as shells expect it. */
export const exitCodeOfSignal = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const satisfies Record<StopSignal, ExitCode>;
