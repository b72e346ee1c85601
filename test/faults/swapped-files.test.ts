import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../../src/shared/user-error.ts";
import { digestFolder } from "../../src/skills/folder/digest.ts";
import { readPlainFile } from "../../src/skills/folder/plain-file.ts";
import { programs } from "../programs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const systemRefusals = new Set(["ENOENT", "ELOOP", "ENXIO", "ENOTDIR"]);

test("fault row 44: files and folders swapped for links and pipes as fast as can be: never a byte from outside", async () => {
  await using folder = await temporaryFolder();
  for (const name of ["skill/folder", "outside"]) mkdirSync(join(folder.path, name), { recursive: true });
  for (const name of ["skill/file", "skill/folder/secret"]) writeFileSync(join(folder.path, name), "honest");
  writeFileSync(join(folder.path, "outside/secret"), "outside");
  const secretHash = createHash("sha256").update("outside").digest("hex");
  const swapper = spawn(process.execPath, [`${programs}/swaps-files.mjs`, folder.path]);
  try {
    await once(swapper.stdout, "data");
    const counts = { read: 0, refused: 0 };
    for (const until = performance.now() + 30_000; performance.now() < until; ) {
      for (const name of ["file", "folder/secret"]) {
        const content = tryToRead(join(folder.path, "skill", name));
        expect(content).not.toBe("outside");
        counts[content === null ? "refused" : "read"]++;
      }
      const files = await digestFolder(join(folder.path, "skill"), { ignore: [], exclude: [] }).then(
        (digest) => digest.files,
        refusal,
      );
      expect(files.filter(({ sha256 }) => sha256 === secretHash)).toEqual([]);
    }
    expect(counts.read).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(100);
  } finally {
    swapper.kill("SIGKILL");
  }
});

function tryToRead(path: string): string | null {
  try {
    return readPlainFile(path).toString();
  } catch (error) {
    refusal(error);
    return null;
  }
}

/** What may happen to who reads meanwhile: our own refusal, or the system's. */
function refusal(error: unknown): [] {
  const isSystems = systemRefusals.has((error as NodeJS.ErrnoException).code ?? "");
  if (!(error instanceof UserError) && !isSystems) throw error;
  return [];
}
