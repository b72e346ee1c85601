import { join } from "node:path";
import { expect, test } from "vitest";
import { answering, countingTasks, emptyProject } from "./built-cli.ts";
import { programs } from "./programs.ts";

test("on a real terminal a refused run is offered once and then runs; without one nobody is asked", async () => {
  await using project = await emptyProject();
  const config = { type: "subprocess", envKeys: ["TEA_KEY"] };
  await project.skill("tea", answering("return input.n"), { config });
  await project.write("tasks.json", countingTasks(1));
  const argv = ["eval", "--skills", "skills/tea", "--tasks", "tasks.json", "--sandbox", "process"];
  const terminal = (answer: string) => ({
    under: ["python3", join(programs, "on-terminal.py"), answer],
    env: { TEA_KEY: "a-secret-of-tea", CI: "" },
  });

  const declined = await project.run(argv, terminal("n"));
  const agreed = await project.run(argv, terminal("y"));
  const again = await project.run(argv);

  expect([declined.code, declined.stdout]).toEqual([2, expect.stringContaining("that you have not granted")]);
  expect([agreed.code, agreed.stdout]).toEqual([0, expect.stringContaining("passes TEA_KEY to skill tea")]);
  expect(agreed.stdout.match(/\[y\/N\]/g)).toHaveLength(1);
  expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining("[y/N]")]);
});
