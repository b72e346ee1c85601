import { homedir } from "node:os";
import { packageVersion } from "../shared/files/own-package.ts";
import { toUserError, unwritable } from "../shared/user-error.ts";
import type { TextSink } from "./io/command-io.ts";
import { hideEnvironment } from "./io/hide-environment.ts";
import { readKeys } from "./io/read-keys.ts";

const argv = process.argv.slice(2);
let hasWritten = false;

process.stdout.on("error", refuseUnlessClosed);
// What is said on the way is no result: whoever cannot hear it still gets that.
process.stderr.on("error", () => {});

// Until the rest is loaded, and for --version always. Node would exit with 1, which means a failed gate; our own bugs exit with 3.
process.on("uncaughtException", printPlainly);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  process.stdout.write(`${packageVersion()}\n`);
} else {
  const { printCrash, runCommandLine } = await import("./run-command-line.ts");
  const stdout: TextSink = {
    isTTY: process.stdout.isTTY,
    columns: process.stdout.columns,
    write(text) {
      hasWritten = true;
      return process.stdout.write(text);
    },
  };
  const { env, stderr } = process;
  hideEnvironment(env);
  const isAttended = process.stdin.isTTY === true && stderr.isTTY === true;
  const context = {
    env,
    stdout,
    stderr,
    stdin: () => process.stdin,
    home: env.HOME || homedir(),
    ...(isAttended && { ask, keys: readKeys }),
  };
  const crash = (error: unknown) =>
    process.exit(printCrash(error, argv, { ...context, cwd: "." }, hasWritten));
  process.off("uncaughtException", printPlainly);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.exitCode = await runCommandLine(argv, { ...context, cwd: process.cwd() });
}

async function ask(question: string, signal: AbortSignal): Promise<string | null> {
  return (await import("./io/ask-terminal.ts")).askTerminal(question, signal);
}

/** A reader that closes early (`| head`) is not a failure. */
function refuseUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  throw unwritable("stdout", error, "free some disk space, or redirect the output");
}

function printPlainly(error: Error): never {
  const failure = toUserError(error);
  const hint = failure === null || failure.hint === null ? "" : `\nhint: ${failure.hint}`;
  process.stderr.write(`error: ${(failure ?? error).message}${hint}\n`);
  process.exit(failure?.exitCode ?? 3);
}
