import { SqliteMissing } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";

/** Does something with a file of events; whatever goes wrong names the file. */
export function guarded<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw fileFault(path, error);
  }
}

/** Whatever SQLite or the disk complains about, as one kind of error. */
export function fileFault(path: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const { message } = error as Error;
  if (error instanceof SqliteMissing)
    return new UserError("sqlite-not-found", message, { hint: error.hint, cause: error });
  const isDamaged = /malformed|not a database|corrupt/i.test(message);
  return new UserError(
    "sqlite-unreadable",
    `${path} ${isDamaged ? "is damaged" : "cannot be used"}: ${message}`,
    {
      path,
      hint: isDamaged ? "move it away; the next run creates a new one" : undefined,
      cause: error,
    },
  );
}
