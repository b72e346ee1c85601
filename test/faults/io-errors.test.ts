import { existsSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { emptyProject } from "../built-cli.ts";
import { breakableRun, expectNamedFile, expectNothingCorrupt } from "./broken-run.ts";
import { testWith } from "./tools.ts";

/** strace with one system call failing: the Nth, or all from the Nth on where `n` ends with a plus sign. */
function failing(trace: string, calls: string, error: string, n: string, path?: string): string[] {
  const only = path === undefined ? [] : ["-P", path];
  const inject = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}:when=${n}`];
  return ["strace", "-f", "-qq", "-o", trace, ...only, ...inject];
}

/** Lets call 1, 2, 3 … fail until the run passes untouched; returns how many that were. */
async function failEveryCall(
  calls: string,
  error: string,
  isForGood: boolean,
  path?: string,
): Promise<number> {
  for (let n = 1; ; n++) {
    await using project = await emptyProject();
    const run = await breakableRun(project, { cells: 2 });
    const [trace, file] = [project.at("trace"), path === undefined ? undefined : project.at(path)];
    const under = failing(trace, calls, error, isForGood ? `${n}+` : String(n), file);

    // Counted per thread: with one thread beside the main one the count is the same each time.
    const ended = await run.begin({ under, env: { UV_THREADPOOL_SIZE: "1" } });

    if (!existsSync(trace) || !readFileSync(trace, "utf8").includes("(INJECTED)")) {
      expect(ended.code).toBe(0);
      return n - 1;
    }
    // Some calls may fail without harm: removing a file that is cleared later, checkpointing what the log holds as well.
    if (ended.code !== 0) expectNamedFile(ended, "run/");
    await expectNothingCorrupt(project.at("run"));
    await run.finish();
  }
}

const writing = "pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat";

describe("fault row 4: an error at every single system call of writing", () => {
  testWith("strace")(
    "EIO, once: the file is named, nothing is corrupt, the run can be finished",
    async () => {
      expect(await failEveryCall(writing, "EIO", false)).toBeGreaterThan(50);
    },
  );

  testWith("strace")("ENOSPC, from then on: the same", async () => {
    expect(await failEveryCall(writing, "ENOSPC", true)).toBeGreaterThan(50);
  });

  testWith("strace")("EIO on write or sync of the line log: the same", async () => {
    expect(await failEveryCall("write,fdatasync", "EIO", false, "run/reports/.eval.jsonl")).toBeGreaterThan(
      0,
    );
  });
});
