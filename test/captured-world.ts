import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runCommandLine } from "../src/cli/run-command-line.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

interface Captured {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** stdout as the one JSON document it has to be. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  readonly document: any;
}

/** An empty folder and home in which command lines run inside this process, with captured output. */
export async function capturedCli() {
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  const run = async (
    argv: readonly string[],
    options: { isTTY?: boolean; env?: Record<string, string>; stdin?: string; ask?: string } = {},
  ) => {
    const written = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof written) => ({
      isTTY: options.isTTY,
      write: (text: string) => {
        written[name] += text;
        return true;
      },
      on: () => {}, // progress listens for a broken pipe
    });
    const exitCode = await runCommandLine(argv, {
      cwd: folder.path,
      home: home.path,
      env: { ...withoutTelemetry, ...options.env },
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      stdin: () => Readable.from([Buffer.from(options.stdin ?? "")]),
      ask: options.ask === undefined ? undefined : async () => options.ask ?? null,
    });
    return {
      exitCode,
      ...written,
      get document() {
        return JSON.parse(written.stdout);
      },
    } satisfies Captured;
  };
  return {
    run,
    cwd: folder.path,
    home: home.path,
    configureUser: (config: object | string) => writeUserFile(home.path, config),
    [Symbol.asyncDispose]: async () => {
      await folder[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Writes what a user may say and a project's file may only ask for: addresses and names of keys, above all. */
export function writeUserFile(home: string, config: object | string): void {
  mkdirSync(join(home, ".eval-skills"), { recursive: true });
  const text = typeof config === "string" ? config : JSON.stringify(config);
  writeFileSync(join(home, ".eval-skills", "config.yaml"), text, { mode: 0o600 });
}
