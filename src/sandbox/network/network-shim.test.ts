import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { openNetworkProxy } from "./network-proxy.ts";
import { networkAllowList } from "./network-way.ts";

const shim = fileURLToPath(new URL("./network-shim.mjs", import.meta.url));

/** A proxy that opens these hosts, and the shim in front of it around a program. */
async function started(hosts: string[], ...argv: string[]) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "proxy.sock");
  const proxy = openNetworkProxy({ path, allowed: networkAllowList(hosts) });
  const port = await freePort();
  const child = spawn(process.execPath, [shim, path, String(port), ...argv], {
    stdio: "pipe",
    detached: true,
  });
  const exited = once(child, "exit");
  return {
    child,
    port,
    proxy,
    exited,
    output: () => Promise.all([readBody(child.stdout), readBody(child.stderr)]),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
      proxy[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

async function until(child: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  for await (const chunk of child.stdout) if (String(chunk).includes(text)) return;
}

test("leads a port inside to the proxy outside", async () => {
  await using server = await httpServer((_, response) => response.end("from outside"));
  await using inside = await started([`127.0.0.1:${server.port}`], "sh", "-c", "echo up; cat");
  await until(inside.child, "up");

  const [reply] = await once(get({ port: inside.port, path: server.url, agent: false }), "response");

  expect(await readBody(reply)).toBe("from outside");
  expect(inside.proxy.takeAttempts()).toMatchObject([{ port: server.port, allowed: true }]);
});

test("ends as the program ends", async () => {
  await using left = await started([], "sh", "-c", "cat; exit 7");
  left.child.stdin.end("input");
  expect(await left.output()).toEqual(["input", ""]);
  expect(await left.exited).toEqual([7, null]);
  expect(left.proxy.isReady()).toBe(true);

  await using killed = await started([], "sh", "-c", "kill -XCPU $$");
  expect(await killed.exited).toEqual([152, null]);
});

test("a program that does not exist is the skill's own failure, not the shim's", async () => {
  await using inside = await started([], "/no/such/program");

  expect(await inside.output()).toEqual(["", "/no/such/program: No such file or directory\n"]);
  expect(await inside.exited).toEqual([127, null]);
  expect(inside.proxy.isReady()).toBe(true);
});

test("an orderly end of its group is left to the program", async () => {
  await using inside = await started(
    [],
    "sh",
    "-c",
    "trap 'exit 5' TERM; echo up; while :; do sleep 0.01; done",
  );
  await until(inside.child, "up");

  process.kill(-(inside.child.pid ?? Number.NaN), "SIGTERM");

  expect(await inside.exited).toEqual([5, null]);
});

test("without the runner's socket it does not start the program", async () => {
  await using inside = await started([], "echo", "ran");
  inside.proxy[Symbol.dispose]();

  const [output] = await inside.output();

  expect(output).toBe("");
  expect(inside.proxy.isReady()).toBe(false);
});
