import { get } from "node:http";
import { connect } from "node:net";
import type { Clock } from "../../shared/async/clock.ts";

const pauseMs = 25;
const tryMs = 1000;

/** Looks again and again until something is there, or the signal says that nobody waits any more. */
export async function waitUntil(
  look: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    if (await look()) return true;
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
  return false;
}

/** Whether somebody listens at a port of this machine. */
export async function isPortOpen(port: number): Promise<boolean> {
  for (const host of ["127.0.0.1", "::1"]) if (await canConnect({ port, host })) return true;
  return false;
}

/** Whether somebody listens at a unix socket. */
export function isSocketOpen(path: string): Promise<boolean> {
  return canConnect({ path });
}

function canConnect(to: { port: number; host: string } | { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...to, timeout: tryMs });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

/** Whether an address answers with success. */
export function answers(url: string, socketPath: string | null): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(
      url,
      { timeout: tryMs, agent: false, ...(socketPath !== null && { socketPath }) },
      ({ statusCode = 500 }) => {
        resolve(statusCode < 400);
        request.destroy();
      },
    );
    request.once("timeout", () => request.destroy());
    request.once("error", () => resolve(false));
    request.once("close", () => resolve(false));
  });
}
