import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is gone when the test ends. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "eval-skills-"));
  // A program that is just ending may still write a file.
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
  return { path, [Symbol.asyncDispose]: () => rm(path, options) };
}
