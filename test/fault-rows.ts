/** Where a row of the fault matrix has to be tested: with every `npm test`, in `npm run test:faults`, or not yet. */
type FaultSuite = "CI" | "CI and full" | "full" | { comesWith: string };

export interface FaultRow {
  row: number;
  /** What breaks. */
  fault: string;
  /** What holds all the same. */
  promise: string;
  testedIn: FaultSuite;
  /** What is not covered yet, or covered elsewhere than one would look. */
  note?: string;
}

/** The fault matrix in our own words; `docs/faults.md` is made of it and of the names of the tests. */
export const faultRows: readonly FaultRow[] = [
  {
    row: 1,
    fault: "the runner is killed in the middle of a run",
    promise:
      "resuming completes it: every cell once, none that was shown as done again, broken attempts listed",
    testedIn: "CI and full",
  },
  {
    row: 2,
    fault: "Ctrl-C, SIGTERM, a second Ctrl-C",
    promise:
      "no new cell, skills are killed, exit 130 or 143; the second leaves at once; both can be resumed",
    testedIn: "CI",
  },
  {
    row: 3,
    fault: "the disk is full",
    promise:
      "exit 2 with the file and the cause; the store is intact, the log ends at a newline; resumes with room",
    testedIn: "CI and full",
  },
  {
    row: 4,
    fault: "a short write, an I/O error in writing or syncing, at any operation",
    promise: "not reported as done, the file is named, nothing is corrupt whichever operation it was",
    testedIn: "CI and full",
  },
  {
    row: 5,
    fault: "a damaged log: torn tail, garbage inside, NUL bytes",
    promise: "the tail is dropped with a warning, damage inside is named by line, the rest is read",
    testedIn: "CI",
    note: "the viewer's part comes with the viewer",
  },
  {
    row: 6,
    fault: "what a run writes to vanishes or is read-only; descriptors run out",
    promise: "a clear error, no hang, no half report",
    testedIn: "CI and full",
  },
  {
    row: 7,
    fault: "two runs on one store",
    promise: "both complete, each with its own rows",
    testedIn: "CI",
  },
  {
    row: 8,
    fault: "two processes resume one run; a stale lock with a reused pid",
    promise: "the second is refused; a stale lock is taken over",
    testedIn: "CI",
  },
  {
    row: 9,
    fault: "the store is newer, older, corrupt, or on a file system that cannot keep it",
    promise:
      "refused with the way out and left as it is; an older one is copied, then moved to the new version",
    testedIn: "CI",
  },
  {
    row: 10,
    fault: "PostgreSQL goes away",
    promise: "events are kept on the local disk and sent again",
    testedIn: { comesWith: "the PostgreSQL store" },
  },
  {
    row: 11,
    fault: "a skill hangs",
    promise: "a timeout at its deadline; the next cell runs",
    testedIn: "CI",
  },
  {
    row: 12,
    fault: "a skill ignores SIGTERM",
    promise: "it is killed after the grace",
    testedIn: "CI",
  },
  {
    row: 13,
    fault: "a daemon leaves its group and session",
    promise: "it does not survive its cell",
    testedIn: "CI",
  },
  {
    row: 14,
    fault: "a fork bomb",
    promise: "it is stopped at the cap; the runner stays responsive",
    testedIn: "CI and full",
  },
  {
    row: 15,
    fault: "10 000 short-lived children",
    promise: "no zombie is left, descriptors stay flat",
    testedIn: "CI and full",
  },
  {
    row: 16,
    fault: "a memory hog, alone and split over 20 processes",
    promise: "it ends with memory-limit; the runner's own memory is bounded",
    testedIn: "CI and full",
  },
  {
    row: 17,
    fault: "a CPU burner",
    promise: "it ends with cpu-limit; latencies beside it are marked disturbed",
    testedIn: "CI",
  },
  {
    row: 18,
    fault: "a gigabyte on stdout or stderr",
    promise: "stdout ends at the cap with the bytes seen, of stderr the tail is kept; memory is bounded",
    testedIn: "CI",
  },
  {
    row: 19,
    fault: "a line without end; one byte at a time",
    promise: "the cap and the deadline hold",
    testedIn: "CI",
  },
  {
    row: 20,
    fault: "stdin is closed or never read",
    promise: "an outcome like any other, no unhandled error",
    testedIn: "CI",
  },
  {
    row: 21,
    fault: "stdout is closed by a living skill; a grandchild holds the pipe",
    promise: "it ends by its exit or its deadline",
    testedIn: "CI",
  },
  {
    row: 22,
    fault: "bytes that are no UTF-8, split characters, byte order marks, carriage returns",
    promise: "decoded strictly; raw bytes are kept, none is replaced in silence",
    testedIn: "CI",
  },
  {
    row: 23,
    fault: "100 MB of JSON",
    promise: "refused by its bytes, unparsed",
    testedIn: "CI",
  },
  {
    row: 24,
    fault: "nesting without end",
    promise: "a bad response; keeping the result never fails",
    testedIn: "CI",
  },
  {
    row: 25,
    fault: "NaN, Infinity, numbers too large, duplicate keys",
    promise: "no score from a number that is none; duplicate keys are a bad response",
    testedIn: "CI",
  },
  {
    row: 26,
    fault: "JSON-RPC: wrong id, two replies, late replies, logs on stdout",
    promise: "only the reply to the request counts; the rest is stored as log",
    testedIn: "CI",
  },
  {
    row: 27,
    fault: "an HTTP server drips its head or its body",
    promise: "one deadline over all of it",
    testedIn: "CI",
  },
  {
    row: 28,
    fault: "500; 429 with any Retry-After",
    promise: "bounded retries and waits, every attempt recorded",
    testedIn: "CI",
  },
  {
    row: 29,
    fault: "redirects: loop, other origin, metadata address, file:",
    promise: "refused, and nothing leaves",
    testedIn: "CI",
  },
  {
    row: 30,
    fault: "a huge body, a gzip bomb",
    promise: "the cap counts decompressed bytes",
    testedIn: "CI",
  },
  {
    row: 31,
    fault: "reset in the middle, false length, broken TLS",
    promise: "never an answer",
    testedIn: "CI",
  },
  {
    row: 32,
    fault: "an MCP server dies, hangs, floods, lies or swaps its tools",
    promise: "the call fails once with its cause; restarts are capped, a changed tool list is warned of",
    testedIn: "CI",
    note: "the reference server is killed in the middle of a run in CI as well",
  },
  {
    row: 33,
    fault: "a judge answers garbage, nothing, a refusal, or not at all",
    promise: "no score, never a default one; the failure rate is reported",
    testedIn: "CI",
  },
  {
    row: 34,
    fault: "an output attacks its judge",
    promise: "it stays within its marks; canaries of known score tell how far the judge can be trusted",
    testedIn: "CI",
    note: "in full it needs a real model, which this suite has not",
  },
  {
    row: 35,
    fault: "names with paths, NUL, emoji, reserved words, hundreds of characters",
    promise: "a name is data, never a path",
    testedIn: "CI",
  },
  {
    row: 36,
    fault: "terminal escapes, links, titles, bidirectional text",
    promise: "visible text on terminal and in logs",
    testedIn: "CI",
  },
  {
    row: 37,
    fault: "HTML, scripts, SVG, Markdown in names and outputs",
    promise: "the report shows them as text and runs nothing",
    testedIn: "CI",
    note: "in a real browser in CI as well",
  },
  {
    row: 38,
    fault: "spreadsheet formulas",
    promise: "text is inert, number columns stay numbers",
    testedIn: "CI",
  },
  {
    row: 39,
    fault: "NUL, ]]>, pipes and newlines in JUnit, SARIF, Markdown",
    promise: "documents stay valid",
    testedIn: "CI",
  },
  {
    row: 40,
    fault: "YAML: alias bomb, depth, duplicate keys, unknown tags",
    promise: "refused with file and line",
    testedIn: "CI",
  },
  {
    row: 41,
    fault: "`__proto__` and `constructor` as keys",
    promise: "data or an error, never a prototype",
    testedIn: "CI",
  },
  {
    row: 42,
    fault: "a catastrophic regular expression",
    promise: "stopped, no score; other cells run on meanwhile",
    testedIn: "CI",
  },
  {
    row: 43,
    fault: "a custom scorer throws, hangs, exits, returns nonsense",
    promise: "its own cell is invalid and nothing else",
    testedIn: "CI",
  },
  {
    row: 44,
    fault: "links, pipes, devices and neighbours in a skill's folder; swapped after the look",
    promise: "refused, judged by what was opened",
    testedIn: "CI and full",
    note: "the agent's own file tools come with the agent",
  },
  {
    row: 45,
    fault: "a hostile archive",
    promise: "refused whole",
    testedIn: { comesWith: "skills from archives" },
  },
  {
    row: 46,
    fault: "DNS rebinding, foreign origins and hosts, traversal",
    promise: "refused without a body",
    testedIn: { comesWith: "the viewer" },
  },
  {
    row: 47,
    fault: "a secret in environment, output, errors, addresses",
    promise: "it appears in no artefact",
    testedIn: "CI",
  },
  {
    row: 48,
    fault: "the clock is set, summer time, leap seconds, after 2038",
    promise: "durations, deadlines and order do not move",
    testedIn: "CI and full",
  },
  {
    row: 49,
    fault: "a skill is edited during a run",
    promise:
      "cells it answered since the last look and later ones are invalid; the run cannot be resumed over it",
    testedIn: "CI",
  },
  {
    row: 50,
    fault: "races for a budget, usage that is missing or negative",
    promise: "at most one call over; unknown is not zero",
    testedIn: { comesWith: "cost budgets" },
  },
  {
    row: 51,
    fault: "a spoofed approval",
    promise: "an approval holds for exactly one call",
    testedIn: "CI",
  },
  {
    row: 52,
    fault: "hostile telemetry",
    promise: "refused or capped; no run is slowed",
    testedIn: "CI",
  },
  {
    row: 60,
    fault: "a repository names programs for git, or a remote that git would fetch from",
    promise: "none is started and nothing is fetched, whatever the version of git",
    testedIn: "CI",
  },
  {
    row: 61,
    fault: "a skill rewrites its scorer, or the file its cells were read from",
    promise: "cells that were decided since are invalid; of scorers, what they decide with is what was read",
    testedIn: "CI",
  },
  {
    row: 70,
    fault: "a project steers the version manager that is asked for an interpreter",
    promise:
      "it is asked once, outside the project and without its variables; a program of the project is not run",
    testedIn: "CI",
  },
  {
    row: 71,
    fault: "an entrypoint names a program of another application, by its path or by a link",
    promise:
      "only programs of the system, of the skill and of the user's search path are shown, with their libraries",
    testedIn: "CI",
  },
  {
    row: 72,
    fault:
      "a skill looks for answers in its own folder: version control, tests, suites, earlier reports, stores, recordings",
    promise: "they look empty inside strict, wherever in its folder or in a granted one they lie",
    testedIn: "CI",
  },
  {
    row: 73,
    fault: "a skill needs a folder beside its own",
    promise: "only a grant shows it, read-only, where `../shared` leads to; eval material in it stays hidden",
    testedIn: "CI",
  },
  {
    row: 74,
    fault: "a skill fails for want of something that the sandbox hides; a skill only says so",
    promise:
      "no verdict, with what was hidden and the option that shows it, if it really is there and really is hidden; else it counts against the skill; the run is never green for it",
    testedIn: "CI",
  },
  {
    row: 81,
    fault: "memory shared without a file, which no process shows once it is unmapped",
    promise: "refused inside the sandbox; what is left is counted",
    testedIn: "CI",
  },
  {
    row: 82,
    fault:
      "a disk filled where nobody can look: nested too deep, closed to its owner, by files without content",
    promise: "the work folder has a size of its own; what cannot be counted is over the limit",
    testedIn: "CI",
  },
  {
    row: 83,
    fault:
      "a daemon that forks twice, has its own session and starts without an environment, at level process",
    promise: "it is gone 500 ms after its cell, and when the runner is killed; the doctor finds what is left",
    testedIn: "CI",
  },
  {
    row: 84,
    fault: "a skill at level process reads the environment of the process that started it",
    promise: "there is nothing in it",
    testedIn: "CI",
    note: "processes above it, such as your shell, are not ours to change",
  },
  {
    row: 85,
    fault: "on a busy machine a check of containment fails by chance",
    promise: "it is probed once more; a level weaker than in the last run on this machine is a loud warning",
    testedIn: "CI",
  },
  {
    row: 90,
    fault: "a whole repository is hostile: configuration, skills, suites, stores, git folder, programs",
    promise:
      "commands that run no skill send nothing; no secret is sent, nothing outside is written, no program of it runs uncontained",
    testedIn: "CI",
  },
  {
    row: 91,
    fault: "folders of the search path that a clone can fill hold a git, a bwrap, a grep",
    promise: "none of them is started",
    testedIn: "CI",
  },
  {
    row: 93,
    fault: "a store or a telemetry file in the repository has triggers or views of a stranger",
    promise: "it is refused: writing into it would run them",
    testedIn: "CI",
  },
];
