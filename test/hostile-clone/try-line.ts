import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import type { HostileLine } from "./command-lines.ts";
import { hostilePath } from "./programs.ts";
import { fileCanary, filesBelow, gitCanary, type HostileWorld, ownKey, secrets, secretsIn } from "./world.ts";

/** What a command did that somebody else noticed. */
export interface Traces {
  code: number;
  /** Both streams. */
  printed: string;
  /** What arrived at the listeners of the clone's author. */
  sent: string[];
  /** Secrets that arrived anywhere they were not configured for. */
  betrayed: string[];
  /** What of the printed text a terminal would obey instead of showing it. */
  escapes: string[];
  /** What changed outside the clone and the user's own folder of ours. */
  changed: string[];
}

const strangers = [...Object.values(secrets), fileCanary, gitCanary];

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Types a command line in a hostile clone, in this process, and looks at what it left. */
export async function tryLine(
  world: HostileWorld,
  { line, cwd = ".", changes }: Omit<HostileLine, "code">,
): Promise<Traces> {
  const traces = await tracesOf(world, async (write) => {
    const sink = { write, on: () => {} }; // progress listens for a broken pipe
    return await runCommandLine(line.split(" "), {
      cwd: join(world.clone, cwd),
      home: world.home,
      env: environment(world),
      stdout: sink,
      stderr: sink,
    });
  });
  const isMeant = (path: string) => changes !== undefined && path === join(world.home, changes);
  return { ...traces, changed: traces.changed.filter((path) => !isMeant(path)) };
}

/** The same in a process of its own, which is asked to end as soon as it has printed what is waited for. */
export function tryProcess(world: HostileWorld, line: string, until?: RegExp): Promise<Traces> {
  return tracesOf(world, async (write) => {
    const argv = [join(import.meta.dirname, "../../bin/eval-skills.js"), ...line.split(" ")];
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(process.execPath, argv, {
      cwd: world.clone,
      env: { ...environment(world), TMPDIR: world.temp },
      stdio: [...stdio],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        write(`${chunk}`);
        const wasPrinted = until?.test(printed);
        printed += chunk;
        // Once: who is told a second time ends at once, and not with a code.
        if (!wasPrinted && until?.test(printed)) child.kill("SIGTERM");
      });
    const [code] = await once(child, "close");
    return code as number;
  });
}

function environment(world: HostileWorld): Record<string, string> {
  return { PATH: hostilePath(world, process.env.PATH ?? ""), ...world.env };
}

async function tracesOf(
  world: HostileWorld,
  act: (write: (text: string) => boolean) => Promise<number>,
): Promise<Traces> {
  const before = await world.outsideFiles();
  let printed = "";
  const code = await act((text) => {
    printed += text;
    return true;
  });
  const sent = [world.listener, world.collector].flatMap(({ received }) => received.splice(0));
  const toModel = world.ownModel.received.splice(0).join("\n");
  const after = await world.outsideFiles();
  return {
    code,
    printed,
    sent: sent.map(shortened),
    betrayed: [...secretsIn(sent.join("\n"), [...strangers, ownKey]), ...secretsIn(toModel, strangers)],
    escapes: printed.match(obeyed) ?? [],
    changed: Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]),
  };
}

/** What a thief sends home is long, and what of this machine is in it is not for a failed test to print. */
function shortened(request: string): string {
  const line = request.split("\r\n", 1)[0] ?? "";
  return request.length <= 500 ? request : `${line} (${request.length} bytes)`;
}

/** Files of the clone that hold a secret of this machine, whoever wrote it there. */
export async function betrayedFiles({ clone }: HostileWorld): Promise<string[]> {
  const files = (await filesBelow(clone)).filter(([path]) => !/\/(?:\.git|bare)\/config$/.test(path));
  return files.filter(([, text]) => secretsIn(text, [...strangers, ownKey]).length > 0).map(([path]) => path);
}
