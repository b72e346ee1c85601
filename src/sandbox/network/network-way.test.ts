import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findProgram } from "../../shared/files/find-program.ts";
import { openSandbox } from "../open-sandbox.ts";
import type { ResourceLimits } from "../resource-limits.ts";
import { seccompProgram } from "../seccomp-program.ts";

const systemPython = "/usr/bin/python3";

/** Fetches each URL of its arguments and prints the result. */
const fetching = `
import sys, urllib.request
for url in sys.argv[1:]:
    try: print(urllib.request.urlopen(url, timeout=5).read().decode(), flush=True)
    except Exception as error: print(error, flush=True)
`;

/** Going round the proxy, as a program would that does not know of it. */
const dialing = `
import socket, sys
try: socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=2); print("connected")
except OSError as error: print("closed")
`;

/** A strict sandbox with this network, and a folder with both programs. */
async function sandboxed(network: readonly string[], limits: Partial<ResourceLimits> = {}) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder.path, "fetch.py"), fetching);
  writeFileSync(join(folder.path, "dial.py"), dialing);
  const sandbox = openSandbox({
    level: "strict",
    killGraceMs: 10_000,
    memoryMb: null,
    bubblewrap: {
      bwrap: findProgram("bwrap", process.env) ?? "",
      prlimit: findProgram("prlimit", process.env),
      seccomp: seccompProgram(),
      disableUserns: true,
    },
    network,
    limits,
  });
  const start = (argv: [string, ...string[]], env: Record<string, string> = {}, closed?: "none") =>
    sandbox.start({ argv, cwd: folder.path, env, deadlineMs: 20_000, network: closed });
  return {
    sandbox,
    start,
    async run(...words: Parameters<typeof start>) {
      const started = start(...words);
      const [stdout, stderr, exit] = await Promise.all([
        readBody(started.stdout),
        readBody(started.stderr),
        started.exited,
      ]);
      return { stdout, stderr, exit, attempts: started.takeNetworkAttempts?.() };
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describeStrict("in the sandbox with a list of hosts", () => {
  test("a program reaches a listed host, no other one, and nothing without the proxy", async () => {
    await using listed = await httpServer((_, response) => response.end("from the listed host"));
    await using other = await httpServer((_, response) => response.end("from another"));
    await using inside = await sandboxed([`127.0.0.1:${listed.port}`]);

    const fetched = await inside.run([systemPython, "fetch.py", listed.url, other.url]);

    expect(fetched.stdout).toBe(
      "from the listed host\nHTTP Error 403: Refused by eval-skills: see --allow-network\n",
    );
    expect(fetched.exit).toEqual({ code: 0, signal: null, limit: null });
    expect(fetched.attempts).toEqual([
      { host: "127.0.0.1", port: listed.port, allowed: true, reason: null },
      {
        host: "127.0.0.1",
        port: other.port,
        allowed: false,
        reason: `127.0.0.1:${other.port} is not listed in --allow-network`,
      },
    ]);
    expect(other.connections.made).toBe(0);
    expect((await inside.run([systemPython, "dial.py", `${listed.port}`])).stdout).toBe("closed\n");
  });

  test("a program that wants no network gets no way out", async () => {
    await using server = await httpServer((_, response) => response.end("reached"));
    await using inside = await sandboxed([`127.0.0.1:${server.port}`]);

    const { stdout, attempts } = await inside.run([systemPython, "fetch.py", server.url], {}, "none");

    expect(stdout).not.toContain("reached");
    expect(attempts).toBeUndefined();
  });

  test("what the stamp says of it is the list, each host once", async () => {
    await using inside = await sandboxed(["B.example", "a.example:8080", "b.example"]);

    expect(inside.sandbox.containment.network).toEqual(["a.example:8080", "b.example"]);
  });

  test("input, output, exit codes and the skill's own variables pass as they are", async () => {
    await using inside = await sandboxed(["a.example"]);

    const script = 'echo "$OWN $NODE_OPTIONS $NO_PROXY $HTTPS_PROXY" >&2; exit 7';
    const env = { OWN: "mine", NODE_OPTIONS: "--nonsense", NO_PROXY: "*", HTTPS_PROXY: "http://elsewhere" };
    const { stderr, exit } = await inside.run(["/bin/sh", "-c", script], env);

    expect(stderr).toBe("mine --nonsense  http://127.0.0.1:3128\n");
    expect(exit.code).toBe(7);
  });

  test("a program that ends by a signal ends by that signal", async () => {
    await using inside = await sandboxed(["a.example"]);

    const { exit } = await inside.run(["/bin/sh", "-c", "kill -SEGV $$"]);

    expect(exit).toMatchObject({ code: null, signal: "SIGSEGV" });
    expect(exit.refusal).toBeUndefined();
  });

  test("a program that kills what stands before it is to blame itself", async () => {
    await using inside = await sandboxed(["a.example"]);

    const { exit } = await inside.run(["/bin/sh", "-c", "kill -KILL $PPID; sleep 5"]);

    expect(exit).toMatchObject({ signal: "SIGKILL" });
    expect(exit.refusal).toBeUndefined();
  });

  test("a way that cannot be opened is our failure, not the program's", async () => {
    // Enough for bubblewrap and too few for Node.
    await using inside = await sandboxed(["a.example"], { openFiles: 14 });

    const { stdout, exit } = await inside.run(["/bin/sh", "-c", "echo ran"]);

    expect(stdout).toBe("");
    expect(exit.refusal).toContain("--allow-network could not be started");
  });

  test("it ends in order when it is asked to", async () => {
    await using inside = await sandboxed(["a.example"]);
    const script = "trap 'exit 3' TERM; echo up; while :; do sleep 0.05; done";
    const started = inside.start(["/bin/sh", "-c", script]);
    await new Promise((up) => started.stdout.once("data", up));

    await started.terminate();

    expect(await started.exited).toMatchObject({ code: 3, signal: null });
  });
});
