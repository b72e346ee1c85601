import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const node = process.execPath;
const main = resolve(import.meta.dirname, "../bin/eval-skills.js");

function start(folder: string, argv: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(node, [main, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    encoding: "utf8",
  });
}

describe("the program itself", () => {
  test("case 10: success and failure with --json are one document each, with the exit code of the process", async () => {
    await using folder = await temporaryFolder();
    const good = start(folder.path, ["init", "--json"]);
    expect(good.status).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ schemaVersion: 1, command: "init" });
    const bad = start(folder.path, ["config", "get", "<img onerror=x>|=cmd()]]>\u001b[31m", "--json"]);
    expect(bad.status).toBe(2);
    expect(JSON.parse(bad.stdout)).toMatchObject({
      command: "config get",
      error: { code: "usage" },
      exitCode: 2,
    });
    expect(bad.stdout).not.toContain("\u001b");
  });

  test("a key is written below HOME", async () => {
    await using folder = await temporaryFolder();
    start(folder.path, ["config", "set", "concurrency", "8"]);
    expect(start(folder.path, ["config", "get", "concurrency"]).stdout).toBe("8\n");
  });

  test("a full disk behind stdout is for the user to fix, with and without --json", async () => {
    await using folder = await temporaryFolder();
    for (const argv of ["config list", "config list --json", "config get nothing --json"]) {
      const { status, stderr } = spawnSync(
        "bash",
        ["-c", `"$1" "$2" ${argv} > /dev/full`, "bash", node, main],
        { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path }, encoding: "utf8" },
      );
      expect(stderr).toMatch(/^error: stdout cannot be written: ENOSPC.*\nhint: free some disk space/);
      expect(status).toBe(2);
    }
  });

  test.each(["2> /dev/full", "2>&-"])(
    "a stderr that takes nothing (%s) stops nothing",
    async (redirected) => {
      await using folder = await temporaryFolder();
      const { status, stdout } = spawnSync(
        "bash",
        ["-c", `"$1" "$2" store prune ${redirected}`, "bash", node, main],
        { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path }, encoding: "utf8" },
      );
      expect([status, stdout]).toEqual([0, "removed 0 runs, 0 bytes freed\n"]);
    },
  );

  test.each([
    [
      "ulimit -v 2000000",
      "address space is limited to 1.9 GB",
      "hint: lift the limit with `ulimit -v unlimited`",
    ],
    ["ulimit -n 24", "too many open files", "hint: raise the limit with `ulimit -n 1024`"],
  ])("%s is exit 2 with the cause", async (limit, cause, hint) => {
    await using folder = await temporaryFolder();
    const { status, stderr } = spawnSync(
      "bash",
      ["-c", `${limit}; "$1" "$2" config list`, "bash", node, main],
      { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path }, encoding: "utf8" },
    );
    expect(stderr).toContain(cause);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(hint);
    expect(status).toBe(2);
  });

  test("a full disk behind --version is reported in one sentence", async () => {
    const full = spawnSync("bash", ["-c", '"$1" "$2" --version > /dev/full', "bash", node, main], {
      encoding: "utf8",
    });
    expect(full.stderr).toMatch(
      /^error: stdout cannot be written: ENOSPC[^\n]*\nhint: free some disk space[^\n]*\n$/,
    );
    expect(full.status).toBe(2);
  });

  test("a reader that leaves early is no failure", async () => {
    await using folder = await temporaryFolder();
    const { stderr, stdout } = spawnSync(
      "bash",
      ["-c", '("$1" "$2" config list; echo "exit $?" >&2) | true', "bash", node, main],
      { cwd: folder.path, env: { PATH: process.env.PATH, HOME: folder.path }, encoding: "utf8" },
    );
    expect(stdout).toBe("");
    expect(stderr).toBe("exit 0\n");
  });

  test("an exception nobody caught is exit 3, not 1", async () => {
    await using folder = await temporaryFolder();
    const broken = "data:text/javascript,process.stdout.write=()=>{throw/**/new/**/Error()}";
    const { status, stderr } = start(folder.path, ["config", "list"], { NODE_OPTIONS: `--import=${broken}` });
    expect(stderr).toContain("internal error");
    expect(status).toBe(3);
  });
});
