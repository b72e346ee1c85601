import type { LookupAddress, LookupOptions } from "node:dns";
import { EventEmitter } from "node:events";
import type { Pool as UndiciPool } from "undici";
import request from "undici/lib/api/api-request.js";
import PoolClass from "undici/lib/dispatcher/pool.js";
import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import { onAbort } from "../../shared/async/abort.ts";
import { startTimer } from "../../shared/async/clock.ts";
import { type Body, readBody } from "../../shared/network/bounded-body.ts";
import { checkedAddresses, type Lookup, systemLookup } from "../../shared/network/checked-addresses.ts";
import { isRedirect, networkWords, redirectWords } from "../../shared/network/http.ts";
import { textOrBase64 } from "../../shared/text/bytes-to-text.ts";
import type { NetworkTarget } from "./network-target.ts";
import { plainObservation, refusedWork, type ToolOrder, type ToolWork, takeBeginning } from "./tool-work.ts";

export interface NetworkOptions {
  log: Pick<RunLog, "keep">;
  lookup?: Lookup | undefined;
}

const maxMs = 15_000;
const maxBytes = 1_048_576;
const excerptChars = 12_000;

/** Sends one request to the very address that was checked, and follows nowhere. */
export async function networkRequest(
  { args: target, callId, remainingMs, signal }: ToolOrder<NetworkTarget>,
  { log, lookup = systemLookup }: NetworkOptions,
): Promise<ToolWork> {
  const stop = new EventEmitter();
  const limitMs = Math.min(maxMs, remainingMs);
  let isOver = false;
  const timer = startTimer(() => {
    isOver = true;
    stop.emit("abort");
  }, limitMs);
  const over = new Promise<null>((resolve) => stop.once("abort", () => resolve(null)));
  const callOff = onAbort(signal, () => stop.emit("abort"));
  let pool: UndiciPool | null = null;
  try {
    signal.throwIfAborted();
    const checked = await Promise.race([checkedAddresses(target.entry, lookup), over]);
    signal.throwIfAborted();
    if (checked === null) return timedOut(limitMs, false);
    if ("problem" in checked) {
      const code = checked.isForbidden ? "ToolNotAllowed" : "IOError";
      const reason = checked.isForbidden ? "private_address" : "name_not_found";
      return refusedWork({ code, message: `${target.url.host}: ${checked.problem}`, reason });
    }
    pool = poolFor(target, checked.addresses);
    return await exchange(pool, target, stop, { log, callId });
  } catch (error) {
    signal.throwIfAborted();
    if (isOver) return timedOut(limitMs, true);
    return failedConnection(error as Error & { code?: string });
  } finally {
    clearTimeout(timer);
    callOff();
    await pool?.destroy();
  }
}

async function exchange(
  pool: UndiciPool,
  { url, method, headers, body }: NetworkTarget,
  stop: EventEmitter,
  { log, callId }: { log: NetworkOptions["log"]; callId: string },
): Promise<ToolWork> {
  const response = await request.call(pool, {
    path: `${url.pathname}${url.search}`,
    method: method as "GET",
    headers,
    body: body ?? null,
    signal: stop,
  });
  const { statusCode: status } = response;
  if (isRedirect(status)) {
    response.body.on("error", () => {}).destroy();
    return failed(ioError("redirect_refused", redirectWords(status)), { status });
  }
  const encoding = response.headers["content-encoding"];
  const read = await readBody(response.body, Array.isArray(encoding) ? encoding[0] : encoding, maxBytes);
  return answered(status, read, (bytes) => log.keep(`${callId}-body.txt`, bytes));
}

/** The response, truncated for the model and stored whole. A status of 400 or more is an error of the call. */
function answered(status: number, body: Body, keep: (bytes: Buffer) => ReturnType<RunLog["keep"]>): ToolWork {
  if (body.kind === "broken") return failed(ioError("bad_response", body.problem), { status });
  if (body.kind === "too-large") {
    const message = `the answer is larger than ${maxBytes} bytes`;
    return failed({ code: "OutputLimit", message }, { status, bytes: body.bytesSeen });
  }
  const { bytes } = body;
  const { text, isCut } = takeBeginning(textOrBase64(bytes), excerptChars);
  const stored = isCut ? keep(bytes) : null;
  const summary = `HTTP ${status}, ${bytes.length} bytes\n${text}`;
  return {
    started: true,
    ...(status >= 400 && { error: ioError("http_status", `HTTP ${status}`) }),
    result: { status, bytes: bytes.length },
    observation:
      stored === null
        ? plainObservation(summary)
        : { summary, storage_ref: stored.ref, sha256: stored.sha256 },
  };
}

/** Whatever name the request has, it goes to these addresses: nothing is looked up again. */
function poolFor({ url }: NetworkTarget, addresses: readonly LookupAddress[]): UndiciPool {
  type Found = (error: null, address: string | readonly LookupAddress[], family?: number) => void;
  const [first] = addresses as readonly [LookupAddress];
  const lookup = (_host: string, options: LookupOptions, found: Found): void => {
    if (options.all) found(null, addresses);
    else found(null, first.address, first.family);
  };
  return new PoolClass(url.origin, {
    connections: 1,
    // The caller enforces one deadline over everything; these would be a second, longer one.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0, lookup: lookup as never },
  });
}

function timedOut(limitMs: number, started: boolean): ToolWork {
  const error: AgentError = { code: "Timeout", message: `no answer within ${limitMs} ms` };
  return refusedWork(error, { started, ended: { timeout: true } });
}

function failedConnection(error: Error & { code?: string }): ToolWork {
  // No fault of the connection: our own.
  if (error.code === undefined && error.name !== "HTTPParserError") throw error;
  return failed(ioError("connection", networkWords(error)), {});
}

function failed(error: AgentError, result: ToolWork["result"]): ToolWork {
  return refusedWork(error, { started: true, result });
}

function ioError(reason: string, message: string): AgentError {
  return { code: "IOError", message, reason };
}
