// The way into a closed network, inside it: a unix socket in the work folder, led to the port of a service.
// Started as: node service-bridge.mjs <unix socket> <port> <program> [arguments…]. It starts the program with its own
// input and output, opens the socket when the program listens, and ends as the program ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const [socketPath, port, program, ...args] = process.argv.slice(2);

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"]) process.on(signal, () => {});
const child = spawn(program, args, { stdio: "inherit" });
child.once("error", ({ code }) => {
  // The message and the exit code of a shell.
  process.stderr.write(`${program}: ${code === "ENOENT" ? "No such file or directory" : code}\n`);
  process.exit(code === "ENOENT" ? 127 : 126);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

const open = (host) => connect({ host, port: Number(port), allowHalfOpen: true });
let host = await listeningHost();
while (host === null) {
  await sleep(25);
  host = await listeningHost();
}
const server = createServer({ allowHalfOpen: true }, (runner) => {
  const service = open(host);
  for (const socket of [runner, service]) socket.on("error", () => {});
  runner.once("close", () => service.destroy());
  service.once("close", () => runner.destroy());
  runner.pipe(service);
  service.pipe(runner);
});
server.listen(socketPath);

async function listeningHost() {
  for (const address of ["127.0.0.1", "::1"]) {
    const socket = open(address);
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return address;
  }
  return null;
}
