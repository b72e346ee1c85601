import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UserError } from "../../shared/user-error.ts";
import type { ListeningAt } from "./own-hosts.ts";

/** Begins to listen, and tells where; a place that cannot be had is the user's to change. */
export function listenAt(server: Server, host: string, port: number): Promise<ListeningAt> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(refusalOf(error, host, port));
    server.once("error", refuse);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", refuse);
      const { address, port } = server.address() as AddressInfo;
      resolve({ host, address, port });
    });
  });
}

function refusalOf(error: NodeJS.ErrnoException, host: string, port: number): UserError {
  const place = `${host} port ${port}`;
  const [why, hint] = reasons[error.code ?? ""] ?? [error.message, "try another --host or --port"];
  return new UserError("usage", `the server cannot listen at ${place}: ${why}`, { hint, cause: error });
}

const free = "--port 0 picks a free port";

const reasons: Record<string, readonly [string, string]> = {
  EADDRINUSE: ["the port is already in use", `stop it, or choose another --port; ${free}`],
  EACCES: ["permission denied", `ports below 1024 are reserved; ${free}`],
  EADDRNOTAVAIL: ["this machine has no such address", "set --host to an address of this machine"],
  ENOTFOUND: ["unknown host name", "set --host to an address of this machine"],
};
