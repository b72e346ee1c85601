import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";

const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
const main = join(import.meta.dirname, "main.ts");

function start(folder: string, argv: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(tsx, [main, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    encoding: "utf8",
  });
}

describe("the program itself", () => {
  test("--version prints the version without loading commander", async () => {
    await using folder = await temporaryFolder();
    const loaded = start(folder.path, ["--version"], { NODE_DEBUG: "esm,module" });
    expect(loaded.stdout).toBe("0.1.0\n");
    expect(loaded.status).toBe(0);
    expect(loaded.stderr).not.toMatch(/node_modules\/commander/);
    const help = start(folder.path, ["--help"], { NODE_DEBUG: "esm,module" });
    expect(help.stderr).toMatch(/node_modules\/commander/);
    expect(help.stderr).not.toMatch(/node_modules\/(?:zod|yaml|ajv|undici)\//);
  });
});
