import type { RunLog } from "../../contract/agent-log.ts";
import type { ImportedRun } from "./imported-run.ts";

/** Writes an imported run as an ordinary run directory. */
export function writeImportedRun(run: ImportedRun, log: RunLog): void {
  const request = run.request === null ? null : log.writeRequest(run.request);
  const final = run.final === null ? null : log.writeFinal(run.final);
  const times = run.events.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
  // Where only some events have a time, the others happened beside their neighbours, not today.
  let last = times[0];
  log.emit(
    0,
    "run_started",
    { ...run.started, request_ref: request?.ref ?? null, request_sha256: request?.sha256 ?? null },
    last,
  );
  for (const { turn, type, data, atMs } of run.events) {
    last = atMs ?? last;
    log.emit(turn, type, data, last);
  }
  log.emit(0, "run_finished", { ...run.finished, final }, last);
}
