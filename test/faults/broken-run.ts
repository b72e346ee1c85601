import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openDatabase, readPragma } from "../../src/shared/files/sqlite-driver.ts";
import { answering, type Ended, type emptyProject, type StartOptions } from "../built-cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export type Project = Awaited<ReturnType<typeof emptyProject>>;

/** A run of so many cells whose record and reports lie in the folder `run`, and what must hold after something broke it. */
export async function breakableRun(
  project: Project,
  { cells, words = 1 }: { cells: number; words?: number },
) {
  await project.skill("counts", answering(`return { n: input.n, text: "word ".repeat(${words}) };`), {
    config: { type: "subprocess", lifecycle: "persistent" },
  });
  const tasks = Array.from({ length: cells }, (_, index) => ({
    id: `t${index + 1}`,
    inputData: { n: index + 1 },
    expectedOutput: { type: "exact", value: { n: index + 1, text: "word ".repeat(words) } },
  }));
  await project.write("tasks.json", tasks);
  const output = ["--store", "run/store.db", "--output-dir", "run/reports"];
  // What strict containment writes for itself among the temporary files is none of the run's.
  const level = ["--sandbox", "process"];
  const first = [
    "eval",
    "--skills",
    "skills/counts",
    "--tasks",
    "tasks.json",
    "--format",
    "json",
    ...level,
    ...output,
  ];

  return {
    begin: (options?: StartOptions) => project.run([...first, "--json"], options),

    /** Goes on with what there is, or begins anew where the run never got a place in the store. */
    async finish(options?: StartOptions): Promise<void> {
      const resumed = await project.run(["eval", "--resume", ...level, ...output, "--json"], options);
      const ended = resumed.document.error?.code === "nothing-to-do" ? await this.begin(options) : resumed;
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(ended.document).toMatchObject({ passed: cells, total: cells });
    },
  };
}

/** Whatever broke a run, the user is told which file it was, and that is no failed gate. */
export function expectNamedFile(ended: Ended, folder: string): void {
  const { error } = ended.document;
  expect(
    ["store-unusable", "output-unwritable"],
    `exit ${ended.code}: ${ended.stdout}${ended.stderr}`,
  ).toContain(error?.code);
  expect(error.path).toContain(folder);
  expect(ended.code).toBe(2);
}

/** Whatever broke a run: the store is whole, the log ends at a newline, and no report is there in part. Looked at in a copy. */
export async function expectNothingCorrupt(folder: string): Promise<void> {
  await using copy = await temporaryFolder();
  if (existsSync(folder)) cpSync(folder, copy.path, { recursive: true });
  const store = join(copy.path, "store.db");
  if (existsSync(store)) {
    const database = await openDatabase(store);
    try {
      expect(readPragma(database, "integrity_check")).toBe("ok");
    } finally {
      database.close();
    }
  }
  const reports = join(copy.path, "reports");
  if (!existsSync(reports)) return;
  for (const name of readdirSync(reports).filter((name) => name.endsWith(".json")))
    JSON.parse(readFileSync(join(reports, name), "utf8"));
}
