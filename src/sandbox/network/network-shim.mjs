// The way out of a closed network, inside it: a port that every program can speak to, led to the runner's unix socket.
// Started as: node network-shim.mjs <unix socket> <port> <program> [arguments…]. It starts the program with its own
// input and output, and ends as the program ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [socketPath, port, program, ...args] = process.argv.slice(2);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const runner = connect({ path: socketPath, allowHalfOpen: true });
  for (const socket of [client, runner]) socket.on("error", () => {});
  client.once("close", () => runner.destroy());
  runner.once("close", () => client.destroy());
  client.pipe(runner);
  runner.pipe(client);
});
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
// The runner knows before the program starts: whatever ends us later is the program's doing.
await reportReady();

// A signal is meant for the whole group, so the program has it too; we stay until it is gone. Before the program is
// there to speak, or a quick signal would end us alone.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
  process.on(signal, () => {});
const child = spawn(program, args, { stdio: "inherit", env: programEnvironment() });
child.once("error", ({ code }) => {
  // The message and the exit code of a shell.
  process.stderr.write(`${program}: ${code === "ENOENT" ? "No such file or directory" : code}\n`);
  process.exit(code === "ENOENT" ? 127 : 126);
});
child.once("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));

async function reportReady() {
  const runner = connect(socketPath);
  runner.write("GET /ready HTTP/1.1\r\nHost: runner\r\nConnection: close\r\n\r\n");
  const [reply] = await once(runner, "data");
  if (!String(reply).startsWith("HTTP/1.1 204 ")) throw new Error(`the runner answered ${reply}`);
  runner.destroy();
}

/** The skill's own variables come under another name, so that they do not act on us. The proxy variables stay as they are. */
function programEnvironment() {
  const prefix = "EVAL_SKILLS_OWN_";
  const { NO_PROXY, no_proxy, ...environment } = process.env;
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix)) continue;
    delete environment[name];
    const own = name.slice(prefix.length);
    if (!/^(?:https?|no|all)_proxy$/i.test(own)) environment[own] = value;
  }
  return environment;
}
