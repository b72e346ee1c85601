import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { splitCommand } from "../src/shared/text/command-line.ts";
import type { emptyProject, quickProject } from "./built-cli.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

const cli = resolve(import.meta.dirname, "../bin/eval-skills.js");

export interface ShellEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A shell in a project, as its user has it: `eval-skills` is on the path, and a line is run as it was typed. */
export function projectShell(
  { path, home }: Awaited<ReturnType<typeof emptyProject>>,
  variables: Record<string, string> = {},
): (line: string) => Promise<ShellEnd> {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "eval-skills"), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(join(bin, "eval-skills"), 0o755);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...withoutTelemetry, ...variables };

  return (line) =>
    new Promise((done, failed) => {
      const child = spawn("sh", ["-c", line], { cwd: path, env, stdio: ["ignore", "pipe", "pipe"] });
      const written = { stdout: "", stderr: "" };
      child.stdout.on("data", (chunk: Buffer) => {
        written.stdout += chunk;
      });
      child.stderr.on("data", (chunk: Buffer) => {
        written.stderr += chunk;
      });
      child.on("error", failed);
      child.on("close", (code) => done({ code, ...written }));
    });
}

/** The same, but a plain command of ours runs inside this process: starting one takes longer than most commands. */
export function quickShell(
  project: Awaited<ReturnType<typeof quickProject>>,
  variables: Record<string, string> = {},
): (line: string) => Promise<ShellEnd> {
  const shell = projectShell(project, variables);
  return async (line) => {
    const plain = line.replace(/\s+#.*$/, "");
    const isPlain = plain.startsWith("eval-skills ") && !/[|<>&;$*?()`~\n]/.test(plain);
    return isPlain ? project.run(splitCommand(plain).slice(1), { env: variables }) : shell(line);
  };
}
