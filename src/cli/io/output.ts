import { relative } from "node:path";
import picocolors from "picocolors";
import { visibleLines, visibleText } from "../../shared/text/visible-text.ts";
import { firstError, toUserError, UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "./command-io.ts";

/** Prints why a command failed and returns its exit code. Anything but a UserError is our own bug. */
export function printFailure(io: CommandIo, error: unknown): ExitCode {
  const first = firstError(error);
  const failure = toUserError(first) ?? internal(first);
  if (io.json && !io.hasResult) io.result(failureDocument(failure), "");
  else io.stderr.write(failureText(failure, io));
  if (failure.code === "internal" && (io.verbose || !io.json)) io.note(errorStack(first));
  return failure.exitCode;
}

function failureDocument({ code, message, path, jsonPath, hint, details, exitCode }: UserError): object {
  return { error: { code, message, path, jsonPath, hint, ...details }, exitCode };
}

function failureText(
  { code, message, path, jsonPath, hint }: UserError,
  { cwd, colorStderr }: Pick<CommandIo, "cwd" | "colorStderr">,
): string {
  const colors = picocolors.createColors(colorStderr);
  const label = code === "sandbox-unavailable" ? "" : `${colors.red("error:")} `;
  const named = path === null ? [] : [path, relative(cwd, path) || path];
  const hasPath =
    path === null || named.some((name) => message.includes(name) || message.includes(visibleText(name)));
  const hasJsonPath = jsonPath === null || message.includes(jsonPath);
  const missing = [...(hasPath ? [] : [path]), ...(hasJsonPath ? [] : [jsonPath])];
  const locationLines = missing.length === 0 ? [] : [`  at ${visibleText(missing.join(" "))}`];
  const advice = hint === null ? [] : [`${colors.cyan("hint:")} ${visibleLines(hint)}`];
  return `${[`${label}${visibleLines(message)}`, ...locationLines, ...advice].join("\n")}\n`;
}

function internal(error: unknown): UserError {
  const message = error instanceof Error ? error.message : String(error);
  return new UserError("internal", `internal error: ${message}`, {
    hint: "this is a bug in eval-skills; please report it with the lines above",
    cause: error,
  });
}

function errorStack(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : String(error);
}
