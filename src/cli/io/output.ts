import { relative } from "node:path";
import picocolors from "picocolors";
import { visibleLines, visibleText } from "../../shared/text/visible-text.ts";
import { firstError, toUserError, UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "./command-io.ts";

/** Tells why a command could not do its work, and gives the exit code for it. Anything but a UserError is our own bug. */
export function printFailure(io: CommandIo, error: unknown): ExitCode {
  const first = firstError(error);
  const failure = toUserError(first) ?? internal(first);
  if (io.json && !io.hasResult) io.result(failureDocument(failure), "");
  else io.stderr.write(failureText(failure, io));
  if (failure.code === "internal" && (io.verbose || !io.json)) io.note(stackOf(first));
  return failure.exitCode;
}

function failureDocument({ code, message, path, jsonPath, hint, exitCode }: UserError): object {
  return { error: { code, message, path, jsonPath, hint }, exitCode };
}

function failureText(
  { code, message, path, jsonPath, hint }: UserError,
  { cwd, colorStderr }: Pick<CommandIo, "cwd" | "colorStderr">,
): string {
  const colors = picocolors.createColors(colorStderr);
  const label = code === "sandbox-unavailable" ? "" : `${colors.red("error:")} `;
  const isPathSaid = path === null || message.includes(path) || message.includes(relative(cwd, path) || path);
  const isStepSaid = jsonPath === null || message.includes(jsonPath);
  const unsaid = [...(isPathSaid ? [] : [path]), ...(isStepSaid ? [] : [jsonPath])];
  const place = unsaid.length === 0 ? [] : [`  at ${visibleText(unsaid.join(" "))}`];
  const advice = hint === null ? [] : [`${colors.cyan("hint:")} ${visibleLines(hint)}`];
  return `${[`${label}${visibleLines(message)}`, ...place, ...advice].join("\n")}\n`;
}

function internal(error: unknown): UserError {
  const message = error instanceof Error ? error.message : String(error);
  return new UserError("internal", `internal error: ${message}`, {
    hint: "this is a bug in eval-skills; please report it with the lines above",
    cause: error,
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : String(error);
}
