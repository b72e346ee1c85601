import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedWorld } from "../../test/captured-world.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import type { Diagnosis } from "../contract/diagnosis.ts";

const withPrograms = { env: { PATH: process.env.PATH ?? "" } };
const withoutPrograms = { env: { PATH: "/var/empty" } };

test("without bubblewrap doctor tells it in red, leaves nothing behind, and exits 1", async () => {
  await using world = await capturedWorld();

  const { exitCode, stdout, stderr } = await world.run(["doctor"], withoutPrograms);

  expect(stdout).toMatch(/^containment\n {2}! level +process: skills run with your rights/);
  expect(stdout).toMatch(/✗ bubblewrap +not found/);
  expect(stdout).toMatch(/\n\d+ fine, \d+ to know, \d+ to mend\n$/);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
  expect(readdirSync(world.cwd)).toEqual([]);
});

test("a level that is demanded and cannot be proven is exit 2, as in a run", async () => {
  await using world = await capturedWorld();

  const { exitCode, document } = await world.run(
    ["doctor", "--sandbox", "strict", "--json"],
    withoutPrograms,
  );

  expect(exitCode).toBe(2);
  expect(document.error.code).toBe("sandbox-unavailable");
});

test("a configuration that cannot be read is one of the red lines", async () => {
  await using world = await capturedWorld();
  writeFileSync(join(world.cwd, "eval-skills.config.yaml"), "concurrency: 0\n");

  const { exitCode, document } = await world.run(["doctor", "--machine", "--json"], withoutPrograms);

  expect(exitCode).toBe(1);
  const line = document.checks.find(({ name }: Diagnosis) => name === "configuration");
  expect(line).toMatchObject({
    state: "bad",
    found: expect.stringContaining("$.concurrency must be at least 1"),
  });
});

test("a path is refused with the commands that take one", async () => {
  await using world = await capturedWorld();

  const { exitCode, document } = await world.run(["doctor", "./skills", "--json"]);

  expect(exitCode).toBe(2);
  expect(document.error).toMatchObject({
    code: "usage",
    hint: expect.stringContaining("eval-skills audit ./skills"),
  });
});

describeStrict("on a machine with bubblewrap", () => {
  test("every group of the probe holds, and the document tells each check", async () => {
    await using world = await capturedWorld();

    const { document } = await world.run(["doctor", "--sandbox", "strict", "--json"], withPrograms);

    expect(document).toMatchObject({ command: "doctor", level: "strict" });
    const lines = document.checks.filter(({ topic }: Diagnosis) => topic === "containment");
    const states = lines.map(({ name, state }: Diagnosis) => `${name} ${state}`);
    const groups = ["files", "environment", "network", "processes", "privileges", "limits"];
    expect(states).toEqual(["level", ...groups].map((name) => `${name} ok`));
    expect(document.probe).toContainEqual(
      expect.objectContaining({ group: "limits", name: expect.stringContaining("CPU"), ok: true }),
    );
  });
});
