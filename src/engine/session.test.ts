import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { evalProject, task } from "../../test/eval-project.ts";
import { startStoreProcess } from "../../test/store-process.ts";
import { evalSessions } from "../operations/eval/session.ts";
import { openSqliteStore } from "../store/sqlite.ts";

test("a mistake that shows before the first cell leaves no store behind", async () => {
  await using project = await evalProject([task("one")]);

  await expect(evalSessions.begin(project.plan({ skills: ["nope"] }), project.context())).rejects.toThrow(
    "nope",
  );

  expect(existsSync(project.store)).toBe(false);
});

test("a store that cannot be opened is reported before anything is called", async () => {
  await using project = await evalProject([task("one")]);

  const session = evalSessions.begin(
    project.plan(),
    project.context({ storePath: project.at("no/such/store.db") }),
  );

  await expect(session).rejects.toMatchObject({ code: "store-unusable", exitCode: 2 });
  expect(project.called()).toEqual([]);
});

test("resuming without a store is nothing to do, and makes none", async () => {
  await using project = await evalProject([task("one")]);

  await expect(evalSessions.resume(null, project.plan(), project.context())).rejects.toMatchObject({
    code: "nothing-to-do",
    exitCode: 2,
    path: project.store,
  });

  expect(existsSync(project.store)).toBe(false);
});

test("resuming where nothing was interrupted is nothing to do", async () => {
  await using project = await evalProject([task("one")]);
  {
    await using _store = await openSqliteStore(project.store);
  }

  await expect(evalSessions.resume(null, project.plan(), project.context())).rejects.toMatchObject({
    code: "nothing-to-do",
    message: expect.stringContaining("no run to resume"),
  });
});

test("resuming a run that is not there names it", async () => {
  await using project = await evalProject([task("one")]);
  {
    await using _store = await openSqliteStore(project.store);
  }

  await expect(
    evalSessions.resume("20260301T072410Z-none", project.plan(), project.context()),
  ).rejects.toMatchObject({
    code: "nothing-to-do",
    message: expect.stringContaining("20260301T072410Z-none"),
  });
});

test("a run resumes with what is planned now, and with the deadline it began with", async () => {
  await using project = await evalProject([task("one"), task("two")]);
  const plan = project.plan({ runs: 3, retries: 2, cases: ["two"], seed: 7 });
  let runId = "";
  {
    await using session = await evalSessions.begin(plan, project.context());
    runId = session.run.id;
    await session.store.finishRun(runId, "interrupted", [], "2026-03-01T07:00:00.000Z");
  }

  await using resumed = await evalSessions.resume(null, { ...plan, timeoutMs: 1 }, project.context());

  expect(resumed.run).toMatchObject({ id: runId, isResumed: true });
  const { models: _, ...planned } = plan;
  expect(resumed.plan).toMatchObject(planned);
  expect(resumed.ready.suite.cells.size).toBe(3);
});

test("a run that another process is executing cannot be resumed", async () => {
  await using project = await evalProject([task("one")]);
  let runId = "";
  {
    await using session = await evalSessions.begin(project.plan(), project.context());
    runId = session.run.id;
    await session.store.finishRun(runId, "interrupted", [], "2026-03-01T07:00:00.000Z");
  }
  await using other = startStoreProcess("resume", project.store, runId);
  expect(await other.readLine()).toBe("taken");

  await expect(evalSessions.resume(runId, project.plan(), project.context())).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining(`process ${other.pid}`),
  });
});

test("a run can be resumed although a variable handed to its skill is part of its own path", async () => {
  await using project = await evalProject([task("one")]);
  const context = project.context({ env: { ...process.env, MY_FOLDER: project.at("") } });
  {
    await using session = await evalSessions.begin(project.plan({ envKeys: ["MY_FOLDER"] }), context);
    await session.store.finishRun(session.run.id, "interrupted", [], "2026-03-01T07:00:00.000Z");
  }

  await using resumed = await evalSessions.resume(null, project.plan(), context);

  expect(resumed.ready.suite.cells.size).toBe(1);
});

test("a run can be resumed with another output folder, although the old one lies within the skill", async () => {
  await using project = await evalProject([task("one")]);
  const within = (name: string) => project.context({ exclude: [project.store, project.at(`skill/${name}`)] });
  {
    await using session = await evalSessions.begin(project.plan(), within("reports"));
    await session.store.finishRun(session.run.id, "interrupted", [], "2026-03-01T07:00:00.000Z");
  }
  project.write("skill/reports/eval-result.json", "{}");

  await using resumed = await evalSessions.resume(null, project.plan(), within("elsewhere"));

  expect(resumed.ready.suite.cells.size).toBe(1);
});

test("a run can be rescored where only what is expected has changed, and not where what is asked has", async () => {
  await using project = await evalProject([task("one")]);
  const bench = (input: object, value: number) => ({
    ...{ id: "bench", name: "Bench", version: "2.0.0" },
    tasks: [{ ...task("one", input), expectedOutput: { value } }],
  });
  let runId = "";
  {
    await using session = await evalSessions.begin(project.plan(), project.context());
    runId = session.run.id;
    await session.store.finishRun(runId, "done", [], "2026-03-01T07:00:00.000Z");
  }

  project.write("bench.json", bench({}, 43));
  await expect(evalSessions.resume(runId, project.plan(), project.context())).rejects.toThrow(
    `run ${runId} cannot be resumed: benchmark bench, task one have changed since it started`,
  );
  {
    await using session = await evalSessions.rescore(runId, project.plan(), project.context());
    expect(session.run).toMatchObject({ rescores: runId, isResumed: false });
    expect(session.run.id).not.toBe(runId);
  }

  project.write("bench.json", bench({ x: 1 }, 43));
  await expect(evalSessions.rescore(runId, project.plan(), project.context())).rejects.toThrow(
    `run ${runId} cannot be rescored: task one has changed since it started`,
  );
  project.write("skill/extra.txt", "x");
  await expect(evalSessions.rescore(runId, project.plan(), project.context())).rejects.toThrow(
    "skill obedient",
  );
});
