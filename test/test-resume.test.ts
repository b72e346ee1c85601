import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeSkillProject } from "./builders/sample-skill-project.ts";
import { emptyProject } from "./built-cli.ts";
import { timeless } from "./timeless.ts";

test("kill -9 in the midst of a run over several levels and --resume: nothing finished runs again, and the report is as if nothing had happened", async () => {
  await using project = await emptyProject();
  const broken = { 1: "unit", 3: "conversation", 5: "agent" } as const;
  writeSkillProject(project.path, { skills: 8, broken, pauseMs: 60 });
  const line = ["test", "--sandbox", "process", "--concurrency", "1", "--format", "json", "--verbose"];

  const started = project.start(line);
  await started.says(/(?: (?:pass|fail) .*){4}/s);
  started.child.kill("SIGKILL");
  const { signal } = await started.ended;

  expect(signal).toBe("SIGKILL");
  const finished = loggedKeys(project.at("reports/.eval.jsonl"));
  expect(finished.length).toBeGreaterThan(0);

  const resumed = await project.run(["test", "--resume", "--sandbox", "process", "--json", "--verbose"]);

  expect(resumed.code, resumed.stderr).toBe(1);
  expect(resumed.document.run.id).toBe(
    JSON.parse(readFileSync(project.at("reports/test-result.json"), "utf8")).run.id,
  );
  const [already = "0"] = /\d+(?= (?:already )?done)/.exec(resumed.stderr) ?? [];
  expect(Number(already), resumed.stderr).toBeGreaterThanOrEqual(finished.length);
  expect(new Set(resumed.document.cells.map(({ level }: { level: string }) => level)).size).toBe(5);
  const whole = await project.run([...line, "--json"]);
  expect(timeless(resumed.document)).toEqual(timeless(whole.document));
});

function loggedKeys(path: string): string[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((text) => JSON.parse(text).cellKey);
}
