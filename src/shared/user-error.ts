import { processLimit } from "./process-limit.ts";

/** Everything that can stop a command, with the exit code it leads to. People's CI reads these words. */
const exitCodes = {
  usage: 2,
  "config-invalid": 2,
  "skill-not-found": 2,
  "skill-invalid": 2,
  "skill-duplicate": 2,
  "path-outside-skill": 2,
  "adapter-invalid": 2,
  "benchmark-not-found": 2,
  "benchmark-invalid": 2,
  "expectation-vacuous": 2,
  "scorer-invalid": 2,
  "report-invalid": 2,
  "strategy-invalid": 2,
  "model-invalid": 2,
  "secret-missing": 2,
  "grant-missing": 2,
  "store-unusable": 2,
  "sqlite-not-found": 2,
  "output-unwritable": 2,
  "sandbox-unavailable": 2,
  "trace-invalid": 2,
  "nothing-to-do": 2,
  "suite-invalid": 2,
  "case-invalid": 2,
  "schema-not-found": 2,
  "schema-invalid": 2,
  "too-many-open-files": 2,
  "address-space-limited": 2,
  "self-check-failed": 3,
  "no-verdict": 3,
  "cassette-miss": 3,
  "log-damaged": 3,
  "sqlite-unreadable": 3,
  internal: 3,
} as const;

export type ErrorCode = keyof typeof exitCodes;

export interface ErrorLocation {
  /** The file or folder at fault. */
  path?: string | undefined;
  /** The location inside that file, such as `$.tasks[3].expectedOutput`. */
  jsonPath?: string | undefined;
  /** The next thing to type or to look at. */
  hint?: string | undefined;
  /** What programs may want to know as well: members of the error in JSON. */
  details?: object | undefined;
  cause?: unknown;
}

/** Something the user can fix: what, where, and how. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly code: ErrorCode;
  readonly path: string | null;
  readonly jsonPath: string | null;
  readonly hint: string | null;
  readonly details: object;

  constructor(code: ErrorCode, message: string, location: ErrorLocation = {}) {
    super(message, { cause: location.cause });
    this.code = code;
    this.path = location.path ?? null;
    this.jsonPath = location.jsonPath ?? null;
    this.hint = location.hint ?? null;
    this.details = location.details ?? {};
  }

  get exitCode(): 2 | 3 {
    return exitCodes[this.code];
  }
}

/** What went wrong first: closing what was open may have failed after it, most often for the same reason. */
export function firstError(error: unknown): unknown {
  let first = error;
  while (first instanceof Error && first.name === "SuppressedError" && "suppressed" in first)
    first = first.suppressed;
  return first;
}

/** Whatever went wrong, as something the user can fix where it is that: every part of us needs a file now and then. */
export function toUserError(thrown: unknown): UserError | null {
  const error = firstError(thrown);
  if (error instanceof UserError) return error;
  const { code, message, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === "uv_cwd")
    return new UserError("usage", "the current folder no longer exists", {
      hint: "change to another folder",
      cause: error,
    });
  if (error instanceof RangeError && /^WebAssembly\.\w+\(\): Out of memory/.test(message))
    return tightAddressSpace(processLimit("Max address space"), error);
  if (code !== "EMFILE" && code !== "ENFILE") return null;
  const limit = processLimit("Max open files");
  // So few are too few for a single cell; else many cells at once may be what takes them.
  const isTiny = (limit ?? (process.platform === "linux" ? 0 : fewFiles)) < fewFiles;
  return new UserError(
    "too-many-open-files",
    `too many open files${limit === null ? "" : `, ${limit} are allowed`}: ${message}`,
    {
      hint: `raise the limit with \`ulimit -n 1024\`${isTiny ? "" : ", or lower --concurrency"}`,
      cause: error,
    },
  );
}

const fewFiles = 256;

/** Node reserves this much before it does anything with threads; where it cannot, the process is ended without a word. */
const leastAddressSpace = 3 * 2 ** 30;

/** Refuses to begin where Node would sooner or later be ended by an address space that is too small. */
export function refuseTightAddressSpace(limit = processLimit("Max address space")): void {
  if (limit !== null && limit < leastAddressSpace) throw tightAddressSpace(limit);
}

function tightAddressSpace(limit: number | null, cause?: unknown): UserError {
  const size = limit === null ? "too small" : `limited to ${(limit / 2 ** 30).toFixed(1)} GB`;
  return new UserError(
    "address-space-limited",
    `the address space is ${size}: Node reserves more addresses than it uses memory`,
    { hint: "lift the limit with `ulimit -v unlimited`", cause },
  );
}

/** A file or folder of the user's that could not be written, with what the system said. */
export function unwritable(path: string, error: unknown, hint?: string): UserError {
  const message = `${path} cannot be written: ${(error as Error).message}`;
  return new UserError("output-unwritable", message, { path, hint, cause: error });
}

const maxReported = 20;

/** Several errors as one: the first with its location, the others in its message. */
export function joinErrors(errors: readonly UserError[]): UserError {
  const [first, ...others] = errors as [UserError, ...UserError[]];
  if (others.length === 0) return first;
  const lines = others.slice(0, maxReported).map(({ message }) => `  ${message}`);
  const more = others.length > maxReported ? [`  and ${others.length - maxReported} more`] : [];
  const { code, path, jsonPath, hint } = first;
  return new UserError(code, [first.message, "also:", ...lines, ...more].join("\n"), {
    path: path ?? undefined,
    jsonPath: jsonPath ?? undefined,
    hint: hint ?? undefined,
  });
}
