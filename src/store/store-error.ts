import { SqliteMissing } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";

/** The file is no longer what SQLite wrote. */
export function damaged(path: string): UserError {
  return new UserError("store-unusable", "the store is damaged and was not changed", {
    path,
    hint: "move it away and run again, or recover it with `sqlite3 <file> .recover`",
  });
}

/** The store is of a version whose record of a cell holds less than is needed now. */
export function earlierStore(path: string, format: unknown): UserError {
  return new UserError(
    "store-unusable",
    `the store was written by an earlier eval-skills (format 1.${format}), which this version cannot read`,
    { path, hint: "choose a new file with --store, or remove this one, and run again" },
  );
}

/** Whatever SQLite complains about becomes one kind of error that names the file. */
export function storeError(path: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const { message } = error as Error;
  if (error instanceof SqliteMissing)
    return new UserError("sqlite-not-found", message, { hint: error.hint, cause: error });
  if (/malformed|not a database|corrupt/i.test(message)) return damaged(path);
  return new UserError("store-unusable", `the store cannot be used: ${message}`, {
    path,
    hint: "check that the folder exists, is writable and has room, or choose another file with --store",
    cause: error,
  });
}

/** Does something with the file; whatever SQLite throws names it and can be fixed by the user. */
export function guarded<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw storeError(path, error);
  }
}
