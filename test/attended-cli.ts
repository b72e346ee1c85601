import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { programs } from "./programs.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

const cli = resolve(import.meta.dirname, "../bin/eval-skills.js");

/** The built command line on a real terminal, with somebody in front of it. */
export interface AttendedCli extends AsyncDisposable {
  press(keys: string): void;
  /** Settles with what was shown since it was asked last, without colours, when that contains these words. */
  shows(words: RegExp): Promise<string>;
  exitCode: Promise<number | null>;
}

export function attendedCli(
  argv: readonly string[],
  { path, home }: { path: string; home: string },
  env: Record<string, string> = {},
): AttendedCli {
  const child = spawn("python3", [join(programs, "in-terminal.py"), process.execPath, cli, ...argv], {
    cwd: path,
    env: { PATH: process.env.PATH ?? "", HOME: home, TERM: "xterm", CI: "", ...withoutTelemetry, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let end = -1;
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk;
  });
  const exitCode = new Promise<number | null>((done) => child.on("close", done));
  return {
    async [Symbol.asyncDispose]() {
      child.kill(); // the terminal goes, and with it what runs there
      await exitCode;
    },
    press: (keys) => void child.stdin.write(keys),
    exitCode,
    shows: (words) =>
      new Promise((done, failed) => {
        const look = () => {
          const text = stripVTControlCharacters(shown.slice(end + 1));
          if (!words.test(text)) return;
          end = shown.length - 1;
          child.stdout.off("data", look);
          done(text);
        };
        child.stdout.on("data", look);
        child.on("close", () => failed(new Error(`it ended without showing ${words}: ${shown}`)));
        look();
      }),
  };
}
