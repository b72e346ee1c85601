import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { allOf } from "../../base/each-of.ts";
import { neverAborted } from "../../base/never-aborted.ts";
import { Config } from "../../contract/config.ts";
import { Interrupted } from "../interrupted.ts";
import { type BenchOutput, benchOutput, benchPlan } from "./bench-request.ts";
import { type BenchSession, benchSessions } from "./bench-session.ts";
import { runPlanbench } from "./run-planbench.ts";

/** Time that stands still: what is left to differ between two runs is what must not. */
const still: Clock = { ...systemClock, now: () => 1_700_000_000_000, monotonic: () => 0 };

const good = { v: 1 };
/** 30 samples: ok at once, ok after repairs, and failed, of routed, forced and fixed cases. */
const bench = {
  id: "plans",
  schema: "plan.json",
  target: { type: "model", model: "mock" },
  skill_roots: ["skills"],
  samples: 3,
  max_repairs: 2,
  cases: Array.from({ length: 10 }, (_, n) => {
    const outputs = [[good], [{}, good], [{}, {}, good], [{}]][n % 4];
    const head = { id: `case-${n}`, input: n === 2 ? "what about whales" : "sort the books" };
    if (n === 9) return { ...head, source: "fixed", outputs };
    return { ...head, mock: outputs, ...(n % 3 === 0 && { route: { forced: "sorter" } }) };
  }),
};

async function place() {
  const folder = await temporaryFolder();
  const write = (path: string, content: object | string) =>
    writeFileSync(join(folder.path, path), typeof content === "string" ? content : JSON.stringify(content));
  mkdirSync(join(folder.path, "skills/sorter"), { recursive: true });
  write("skills/sorter/SKILL.md", "---\nname: sorter\ndescription: Sort books by author.\n---\nSort them.\n");
  write("plan.json", { type: "object", required: ["v"], properties: { v: { const: 1 } } });
  write("bench.json", bench);
  const loaded = { config: Config.parse({}), origins: {}, files: { project: null, user: null } };
  const wishes = { bench: "bench.json", evalLog: null, minOk0: 0.1 };
  const output = benchOutput(wishes, loaded, folder.path);
  const around = (store: string) => ({
    env: process.env,
    version: "0.0.0",
    models: { apiKey: null, record: null, replay: null },
    exclude: [],
    storePath: join(folder.path, store),
    concurrency: 4,
    clock: still,
  });
  return {
    write,
    output,
    begin: (store: string) =>
      benchSessions.begin(benchPlan(wishes, loaded, folder.path), around(store), () => {}),
    resume: (runId: string, store: string) => benchSessions.resume(runId, around(store), () => {}),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

function run(session: BenchSession, output: BenchOutput, signal = neverAborted) {
  const world = { reporters: [], listeners: [], version: "0.0.0", cwd: "/", random: () => 0, clock: still };
  return runPlanbench(session, output, { ...world, signal });
}

/** What a run came to, without what two runs cannot have in common. */
async function summaryOf(session: BenchSession, output: BenchOutput) {
  const end = await run(session, output);
  if (end.state !== "done") throw new Error("interrupted");
  const { run: facts, ...report } = end.report;
  return JSON.stringify({
    ...report,
    run: { ...facts, id: "", startedAt: "", store: "" },
    results: [...end.results()],
  });
}

test("stopped after 20 of 30 samples and resumed, a bench comes to what it would have come to; resumed again, too", async () => {
  await using project = await place();
  await using whole = await project.begin("whole.db");
  const undisturbed = await summaryOf(whole, project.output);
  expect(JSON.parse(undisturbed).summary).toMatchObject([
    {
      route: "routed",
      planned: 18,
      n: 18,
      ok: 15,
      buckets: { "0": 6, "1": 6, "2": 3, fail: 3 },
      hitRate: 0.8333,
    },
    { route: "forced", planned: 9, n: 9, ok: 6 },
    { route: "fixed", planned: 3, n: 3, ok: 3 },
  ]);

  const stop = new AbortController();
  let id: string;
  {
    await using cut = await project.begin("cut.db");
    id = cut.run.id;
    const { sourceFor } = cut.ready.target;
    let asked = 0;
    cut.ready.target.sourceFor = (...of) => {
      // 20 samples ask 18 times: two are of the fixed case.
      if (++asked === 19) stop.abort(new Interrupted("SIGINT"));
      return sourceFor(...of);
    };
    const end = await run(cut, { ...project.output, concurrency: 1 }, stop.signal);
    expect(end.state).toBe("interrupted");
    const suite = cut.ready.jobs[0]?.cell.suiteId ?? "";
    expect(await allOf(cut.store.results(id, { suiteId: suite }))).toHaveLength(20);
  }
  let executed = 0;
  for (const expected of [10, 0]) {
    executed = 0;
    await using session = await project.resume(id, "cut.db");
    const { sourceFor } = session.ready.target;
    session.ready.target.sourceFor = (...of) => {
      executed++;
      return sourceFor(...of);
    };
    expect(await summaryOf(session, project.output)).toBe(undisturbed);
    // Those of fixed cases ask no target.
    expect(executed).toBeLessThanOrEqual(expected);
    expect(executed > 0).toBe(expected > 0);
  }
});

test.each<[string, (write: (path: string, content: object | string) => void) => void, RegExp]>([
  [
    "skill",
    (write) =>
      write(
        "skills/sorter/SKILL.md",
        "---\nname: sorter\ndescription: Sort books by author.\n---\nSort well.\n",
      ),
    /skill sorter/,
  ],
  [
    "schema",
    (write) => write("plan.json", { type: "object", properties: { v: { const: 1 } } }),
    /the schema has/,
  ],
  [
    "model",
    (write) => write("bench.json", { ...bench, target: { type: "sse", url: "http://x" } }),
    /since then the model/,
  ],
  [
    "bench",
    (write) => write("bench.json", { ...bench, max_repairs: 3 }),
    /since then the key max_repairs has changed/,
  ],
  [
    "case",
    (write) =>
      write("bench.json", {
        ...bench,
        cases: bench.cases.map((one, n) => (n === 1 ? { ...one, input: "sort the shelf" } : one)),
      }),
    /case case-1/,
  ],
])("a run is not taken up with another %s", async (_, change, words) => {
  await using project = await place();
  const begun = await project.begin("a.db");
  await begun[Symbol.asyncDispose]();
  change(project.write);

  await expect(project.resume(begun.run.id, "a.db")).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(words),
  });
});
