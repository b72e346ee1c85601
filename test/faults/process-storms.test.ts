import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CellResult } from "../../src/contract/result.ts";
import { answering, countingTasks, emptyProject, eventually, processesMentioning } from "../built-cli.ts";
import { programs } from "../programs.ts";
import { startManyChildren } from "../short-lived-children.ts";
import { isThere, testWith } from "./tools.ts";

/** Runs a storm beside a well-behaved skill and returns the cells of both; nothing of the storm may be left. */
async function storm(program: string, args: string, level: string, memoryMb: number | null = null) {
  await using project = await emptyProject();
  // Copied in: in strict containment a skill sees its own folder and no other.
  const source = readFileSync(`${programs}/${program}`, "utf8");
  const dir = await project.skill("storm", `#!/usr/bin/python3\n${source}`, {
    manifest: { entrypoint: `./program ${args}` },
  });
  await project.skill("calm", answering("return input.n;"));
  if (memoryMb !== null)
    await project.write("eval-skills.config.yaml", `sandbox:\n  memoryMb: ${memoryMb}\n`);
  await project.write("tasks.json", countingTasks(2));
  const line = "eval --skills skills/storm skills/calm --tasks tasks.json --json --concurrency 2".split(" ");

  const started = project.start([...line, "--timeout", "20000", "--sandbox", level]);
  const mostMemory = watchMemory(started.child.pid as number);
  const ended = await started.ended;

  await eventually(() => processesMentioning(dir).length === 0);
  const all: CellResult[] = ended.document.cells;
  const cells = (id: string) => all.filter(({ skillId }) => skillId === id);
  return { storm: cells("storm"), calm: cells("calm"), runnerBytes: mostMemory(), ended };
}

/** The most memory a process ever held. */
function watchMemory(pid: number): () => number {
  let most = 0;
  const timer = setInterval(() => {
    try {
      const [, kilobytes = "0"] =
        /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
      most = Math.max(most, Number(kilobytes) * 1024);
    } catch {}
  }, 50);
  return () => {
    clearInterval(timer);
    return most;
  };
}

const megabyte = 1_048_576;
const levels = isThere("rootWithBubblewrap") ? ["process", "strict"] : ["process"];

describe("fault row 14: a fork bomb", () => {
  testWith("rootWithBubblewrap", "python")(
    "is stopped at the cap, and the runner stays responsive",
    async () => {
      const { storm: bomb, calm } = await storm("fork-bomb.py", "1000000", "strict");

      expect(bomb).toHaveLength(2);
      for (const cell of bomb) expect(["process-limit", "crash"]).toContain(cell.cause);
      expect(calm).toMatchObject([{ status: "pass" }, { status: "pass" }]);
    },
  );
});

describe("fault row 15: 10 000 short-lived children", () => {
  test("of the runner: no zombie afterwards, descriptors flat", async () => {
    await startManyChildren(10_000);
  });

  testWith("python")("of a skill: none is left when its cell has ended", async () => {
    const source = `import os, sys, json
request = json.loads(sys.stdin.readline())
for n in range(10000):
    if os.fork() == 0:
        os._exit(0)
    if n % 50 == 49:
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0: break
            except ChildProcessError:
                break
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": request["params"]["n"]}))
`;
    for (const level of levels) {
      await using project = await emptyProject();
      const dir = await project.skill("breeder", `#!/usr/bin/python3\n${source}`);
      await project.write("tasks.json", countingTasks(1));
      const line = "eval --skills skills/breeder --tasks tasks.json --json --timeout 120000".split(" ");

      const { document, stderr } = await project.run([...line, "--sandbox", level]);

      expect(document.cells, stderr).toMatchObject([{ caseId: "t1" }]);
      expect(processesMentioning(dir)).toEqual([]);
    }
  });
});

describe.each(levels)("fault row 16: a memory hog, contained by %s", (level) => {
  testWith("python")("alone: memory-limit, and the runner's own memory is bounded", async () => {
    const hog = await storm("hogs-memory.py", "700", level, 256);

    expect(hog.storm[0]?.cause).toBe("memory-limit");
    expect(hog.calm).toMatchObject([{ status: "pass" }, { status: "pass" }]);
    expect(hog.runnerBytes).toBeLessThan(300 * megabyte);
  });

  testWith("python")("split over 20 processes: the same", async () => {
    const hog = await storm("hogs-memory-split.py", "35 20", level, 256);

    expect(hog.storm[0]?.cause).toBe("memory-limit");
    expect(hog.calm).toMatchObject([{ status: "pass" }, { status: "pass" }]);
    expect(hog.runnerBytes).toBeLessThan(300 * megabyte);
  });
});
