import { GrantMissing } from "../../contract/grant.ts";
import { shellWord } from "../../shared/text/command-line.ts";
import { firstError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { offerTrust } from "./trust.ts";

interface RefusedCommand {
  run: (io: CommandIo) => Promise<ExitCode>;
  io: CommandIo;
  /** What was typed. */
  argv: readonly string[];
}

/** Runs a command again when its project is trusted now; else says exactly what to type. */
export async function answerRefusal(thrown: unknown, { run, io, argv }: RefusedCommand): Promise<ExitCode> {
  const error = firstError(thrown);
  if (!(error instanceof GrantMissing)) throw thrown;
  if (await offerTrust(error.asks, io)) return run(io);
  const { message, asks, path, jsonPath, details, grants } = error;
  const hint = [
    "for this run:",
    `  ${grantingCommand(argv, grants.flags)}`,
    "for good, after reading everything it asks for:",
    ...grants.trust.map((command) => `  ${command}`),
  ].join("\n");
  const location = { path: path ?? undefined, jsonPath: jsonPath ?? undefined, hint, details, cause: thrown };
  throw new GrantMissing(message, asks, location, grants);
}

/** The same command with what it needs, ready to be pasted into a shell. */
function grantingCommand(argv: readonly string[], flags: readonly string[]): string {
  const words = argv.map(shellWord);
  const end = argv.indexOf("--");
  const at = end === -1 ? words.length : end;
  return ["eval-skills", ...words.slice(0, at), ...flags, ...words.slice(at)].join(" ");
}
