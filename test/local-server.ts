import { createServer, type RequestListener, type Server } from "node:http";
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server as RawServer,
  type Socket,
} from "node:net";

export interface LocalServer extends AsyncDisposable {
  url: string;
  port: number;
  /** How many connections were ever made, and how many are open now. */
  connections: { made: number; open: number };
  requests: number;
}

/** A real HTTP server that is gone when the test ends. */
export function httpServer(answer: RequestListener): Promise<LocalServer> {
  const server = createServer();
  return listen(server, (local) => {
    server.on("request", (request, response) => {
      local.requests++;
      answer(request, response);
    });
  });
}

/** A real server that need not speak HTTP. */
export function rawServer(answer: (socket: Socket) => void): Promise<LocalServer> {
  const server = createRawServer(answer);
  return listen(server, () => {});
}

/** The whole body of a request, as text. */
export async function readBody(request: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function listen(
  server: Server | RawServer,
  prepare: (local: LocalServer) => void,
): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  const local: LocalServer = {
    url: "",
    port: 0,
    connections: { made: 0, open: 0 },
    requests: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  prepare(local);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    local.connections.made++;
    local.connections.open++;
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      local.connections.open--;
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  local.port = (server.address() as AddressInfo).port;
  local.url = `http://127.0.0.1:${local.port}`;
  return local;
}
