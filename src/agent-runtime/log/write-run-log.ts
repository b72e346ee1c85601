import { isUtf8 } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunLog } from "../../contract/agent-log.ts";
import type { Recording } from "../../contract/limits.ts";
import { type Clock, isoTime } from "../../shared/async/clock.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { redactor, secretTraces } from "../../shared/text/redact.ts";
import { unwritable } from "../../shared/user-error.ts";
import { deltaStreams } from "./delta-streams.ts";
import { recordedJson } from "./recorded-json.ts";
import { EventFile, RewrittenFile, StoredFiles } from "./run-files.ts";

/** Characters of lines. */
const maxWaiting = 4096;
/** Turns of a script follow each other faster than anyone can watch. */
const stateEveryMs = 250;

/** Writes the log of a run into a directory that is there and empty. */
export function writeRunLog({
  runId,
  dir,
  recording,
  secrets,
  redact,
  clock,
}: {
  runId: string;
  dir: string;
  recording: Recording;
  secrets: readonly string[];
  redact: <Value>(value: Value) => Value;
  clock: Clock;
}): RunLog {
  const file = new EventFile(join(dir, "events.jsonl"));
  const state = new RewrittenFile(join(dir, "state.json"));
  const observations = new StoredFiles(dir, "observations");
  const raw = new StoredFiles(dir, "raw");
  const deltas = deltaStreams({ recording, secrets, redact });
  const mayHoldSecret = secretTraces(secrets);
  let seq = 0;
  let stateAt = clock.monotonic();

  function line(turn: number, type: string, json: string, at: number): string {
    seq++;
    return `{"v":1,"seq":${seq},"ts":"${isoTime(at)}","run_id":"${runId}","turn":${turn},"type":"${type}","data":${json}}\n`;
  }

  // Pieces are many and small: they wait for the next event, or until there are enough of them.
  let waiting = "";
  let deltaTurn = 0;
  function flush(): void {
    if (waiting === "") return;
    const lines = waiting;
    waiting = "";
    file.write(lines);
  }
  function wait(data: object): void {
    waiting += line(deltaTurn, "model_delta", JSON.stringify(data), clock.now());
  }
  function endDeltas(): void {
    deltas.end().forEach(wait);
    flush();
  }

  /** Bytes that are not text are searched one by one. */
  function redactBytes(bytes: Uint8Array): string | Uint8Array {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isUtf8(buffer)) return redact(buffer.toString());
    const recorded = secrets.map((secret) => Buffer.from(secret).toString("latin1"));
    return Buffer.from(redactor(recorded)(buffer.toString("latin1")), "latin1");
  }

  function write(path: string, text: string): void {
    try {
      writeFileSync(join(dir, path), text, { mode: 0o600 });
    } catch (error) {
      throw unwritable(join(dir, path), error);
    }
  }

  return {
    runId,
    dir,
    workspace: join(dir, "sandbox"),
    recording,
    emit(turn, type, data, at = clock.now()) {
      endDeltas();
      const json = JSON.stringify(data);
      // Most lines hold no trace of a secret and are written as they are.
      const clean = mayHoldSecret(json) ? redact(data) : data;
      const recorded = recordedJson(clean, clean === data ? json : JSON.stringify(clean), {
        recording,
        keep: (text) => observations.keep(`l${seq + 1}-${type}`, text),
      });
      file.write(line(turn, type, recorded, at));
      return seq;
    },
    emitDelta(turn, delta) {
      deltaTurn = turn;
      deltas.write(delta).forEach(wait);
      if (waiting.length > maxWaiting) flush();
    },
    synced() {
      flush();
      return file.synced();
    },
    digest() {
      endDeltas();
      return file.digest();
    },
    paramsHash: (params) => sha256(canonicalJson(redact(params))),
    writeRequest(text) {
      const ref = "inputs/request.txt";
      const clean = redact(text);
      write(ref, clean);
      return { ref, sha256: sha256(clean), bytes: Buffer.byteLength(clean) };
    },
    keep: (name, content) =>
      observations.keep(name, typeof content === "string" ? redact(content) : redactBytes(content)),
    keepRaw(name, content) {
      if (recording === "raw") raw.keep(name, redact(content));
    },
    writeState(next) {
      const now = clock.monotonic();
      if (next.status === "running" && now - stateAt < stateEveryMs) return;
      stateAt = now;
      state.write(`${JSON.stringify(redact(next))}\n`);
    },
    writeFinal(text) {
      const ref = "final.md";
      const clean = redact(text);
      write(ref, clean);
      return { ref, sha256: sha256(clean), chars: clean.length };
    },
    async [Symbol.asyncDispose]() {
      try {
        endDeltas();
      } finally {
        state.close();
        await file.close();
      }
    },
  };
}
