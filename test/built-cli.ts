import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

const cli = resolve(import.meta.dirname, "../bin/eval-skills.js");

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** stdout as the one JSON document it has to be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly document: any;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Settles when stderr contains this. */
  says(words: RegExp): Promise<void>;
}

export interface StartOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** A program that starts it in some other way, with its arguments: `prlimit --nofile=32` for one. */
  under?: readonly string[];
}

/**
 * An empty folder with a home of its own, in which command lines run inside this process, from source: for what a process of
 * its own would show no better. Starting one takes longer than most commands.
 */
export async function quickProject() {
  const project = await emptyProject();
  return {
    ...project,
    run: (argv: readonly string[], options?: StartOptions) => runHere(project, argv, options),
  };
}

async function runHere(
  { path, home }: { path: string; home: string },
  argv: readonly string[],
  { cwd = path, env = {} }: StartOptions = {},
): Promise<Ended> {
  const { runCommandLine } = await import("../src/cli/run-command-line.ts");
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
      return true;
    },
    on: () => {}, // progress listens for a broken pipe
  });
  const context = {
    cwd,
    home,
    env: { PATH: process.env.PATH ?? "", HOME: home, ...withoutTelemetry, ...env },
  };
  const code = await runCommandLine(argv, { ...context, stdout: sink("stdout"), stderr: sink("stderr") });
  return {
    code,
    signal: null,
    ...written,
    get document() {
      return JSON.parse(written.stdout);
    },
  };
}

/** An empty folder with a home of its own, in which the built command line runs as a user runs it. */
export async function emptyProject() {
  const folder = await temporaryFolder();
  const home = join(folder.path, "home");
  const path = join(folder.path, "work");
  await mkdir(home);
  await mkdir(path);
  const at = (...parts: string[]) => join(path, ...parts);

  function start(argv: readonly string[], { cwd = path, env = {}, under = [] }: StartOptions = {}): Started {
    const [program, ...args] = [...under, process.execPath, cli, ...argv] as [string, ...string[]];
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: home, ...withoutTelemetry, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const written = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => {
      written.stdout += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      written.stderr += chunk;
    });
    const ended = new Promise<Ended>((done) =>
      child.on("close", (code, signal) =>
        done({
          code,
          signal,
          ...written,
          get document() {
            return JSON.parse(written.stdout);
          },
        }),
      ),
    );
    const says = (words: RegExp) =>
      new Promise<void>((done, failed) => {
        const look = () => words.test(written.stderr) && done();
        child.stderr.on("data", look);
        child.on("close", () => failed(new Error(`it ended without saying ${words}: ${written.stderr}`)));
        look();
      });
    return { child, ended, says };
  }

  return {
    path,
    home,
    at,
    start,
    run: (argv: readonly string[], options?: StartOptions) => start(argv, options).ended,
    read: (...parts: string[]) => readFile(at(...parts), "utf8"),
    async write(name: string, content: unknown): Promise<string> {
      const target = at(name);
      await mkdir(join(target, ".."), { recursive: true });
      await writeFile(target, typeof content === "string" ? content : JSON.stringify(content));
      return target;
    },
    /** A skill that is one program: `#!` line and all. */
    async skill(
      id: string,
      program: string,
      extra: { manifest?: object; config?: object } = {},
    ): Promise<string> {
      const dir = at("skills", id);
      await mkdir(dir, { recursive: true });
      const manifest = {
        id,
        name: id,
        version: "1.0.0",
        description: "A skill for a test.",
        adapterType: "subprocess",
        entrypoint: "./program",
        ...extra.manifest,
      };
      await writeFile(join(dir, "skill.json"), JSON.stringify(manifest));
      if (extra.config) await writeFile(join(dir, "adapter.config.json"), JSON.stringify(extra.config));
      await writeFile(join(dir, "program"), program);
      await chmod(join(dir, "program"), 0o755);
      return dir;
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** A node program that answers each request line with the JSON its body computes from `input`. */
export function answering(body: string): string {
  return `#!${process.execPath}
const { createInterface } = require("node:readline");
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, params: input } = JSON.parse(line);
  const result = await (async () => { ${body} })();
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;
}

/** Tasks t1…tn with input {n} that expect n back. */
export function countingTasks(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `t${index + 1}`,
    inputData: { n: index + 1 },
    expectedOutput: { type: "exact", value: index + 1 },
  }));
}

/** Processes, whoever started them, whose command line or working folder mentions this text. */
export function processesMentioning(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until something holds, at most some seconds. */
export async function eventually(holds: () => boolean, limitMs = 10_000): Promise<void> {
  const until = performance.now() + limitMs;
  while (!holds()) {
    if (performance.now() > until) throw new Error("it never came to be");
    await new Promise((done) => setTimeout(done, 20));
  }
}
