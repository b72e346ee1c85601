import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStrict } from "../../test/strict-machine.ts";
import { offering, openStrict, python, runInside, skillFolder } from "../../test/strict-sandbox.ts";
import { realPath } from "../shared/files/paths.ts";

describeStrict("fault row 71: in the sandbox a program", () => {
  test("in a folder of its own is only there if the user offers it, and brings its libraries and its neighbours by name", async () => {
    await using folder = await skillFolder();
    await using elsewhere = await skillFolder({
      "opt/lib/words.txt": "words",
      "opt/bin/reads": '#!/bin/sh\ncat "$(dirname "$0")/../lib/words.txt"; helps',
      "opt/bin/helps": "#!/bin/sh\necho helped",
      "secret.txt": "secret",
    });
    for (const name of ["reads", "helps"]) chmodSync(join(elsewhere.path, "opt/bin", name), 0o755);
    const path = join(elsewhere.path, "opt/bin/reads");
    await using unnamed = openStrict();
    expect(
      (await unnamed.start({ argv: [path], cwd: folder.path, env: {}, deadlineMs: 1000 }).exited).refusal,
    ).toContain(`does not show ${path}`);
    await using sandbox = openStrict(offering(join(elsewhere.path, "opt/bin")));
    expect((await runInside(sandbox, { argv: [path], cwd: folder.path })).out).toBe("wordshelped\n");
    const started = { argv: ["sh", "-c", path], starts: path, cwd: folder.path } as const;
    expect((await runInside(sandbox, started)).out).toBe("wordshelped\n");
    const secret = await runInside(sandbox, {
      argv: ["cat", join(elsewhere.path, "secret.txt")],
      cwd: folder.path,
    });
    expect(secret.exit.code).toBe(1);
  });
});

const suite = '{ "id": "s", "tasks": [{ "inputData": {}, "expectedOutput": { "value": "canary" } }] }';

describeStrict("fault row 72: in the sandbox the answers of a skill", () => {
  test("are not there: version control, folders of tests, suites and reports of any name, also to root's copy", async () => {
    await using folder = await skillFolder({
      "main.py": "own",
      ".git/objects/canary": "canary",
      "lib/.git": "gitdir: canary",
      "tests/answers.json": "canary",
      "tests/sub/a.eval.json": "canary",
      "test/x": "canary",
      "__tests__/x": "canary",
      "lib/tests/sub/a.eval.json": "canary",
      "data/results.txt": suite,
      "eval.yaml": "canary",
    });
    symlinkSync("tests", join(folder.path, "innocent"));
    const argv = ["sh", "-c", "cat main.py; grep -rl canary . /skill; ls .git tests"] as const;
    for (const mode of [0o755, 0o700]) {
      chmodSync(folder.path, mode);
      await using sandbox = openStrict();
      expect((await runInside(sandbox, { argv, cwd: folder.path })).out).toBe("own.git:\n\ntests:\n");
    }
  });
});

describeStrict("fault row 73: in the sandbox a granted folder", () => {
  async function project() {
    return await skillFolder({
      "skills/a/main.py": "import sys; sys.path.append('../../shared'); import util; print(util.word)",
      "skills/a/tests/x": "canary",
      "skills/b/SKILL.md": "canary",
      "shared/util.py": "word = 'shared'",
      "shared/tests/old.eval.json": "canary",
      "shared/.git/x": "canary",
      "shared/data/old.txt": suite,
      "secret.txt": "canary",
    });
  }
  const reads = (at: (name: string) => string) =>
    ({ argv: [python, "main.py"], cwd: at("skills/a"), folder: at("skills/a") }) as const;

  test("is where `../shared` leads to, read-only, and nothing beside it", async () => {
    await using folder = await project();
    const at = (name: string) => join(folder.path, name);
    await using without = openStrict();
    expect((await runInside(without, reads(at))).exit.code).toBe(1);
    await using sandbox = openStrict({ granted: [at("shared")] });

    expect((await runInside(sandbox, reads(at))).out).toBe("shared\n");
    const script =
      "touch ../../shared/x 2>/dev/null; ls ../..; cat ../../secret.txt; pwd; cat /skill/main.py | wc -l";
    const { out } = await runInside(sandbox, { ...reads(at), argv: ["sh", "-c", script] });
    expect(out).toBe(`shared\nskills\n${realPath(at("skills/a"))}\n0\n`);
  });

  test("holds no answers, its own or those of another skill, even around the skill's own folder", async () => {
    await using folder = await project();
    const at = (name: string) => join(folder.path, name);
    for (const granted of ["shared", "."]) {
      await using sandbox = openStrict({
        granted: [at(granted)],
        hidden: [at("skills/a"), at("skills/b"), at("secret.txt")],
      });
      const argv = ["sh", "-c", `grep -rl canary ${at(".")} /skill; cat main.py | wc -w`] as const;
      const { out } = await runInside(sandbox, { ...reads(at), argv });
      expect([granted, out]).toEqual([granted, "6\n"]);
    }
  });

  test("in the skill's own folder may be its folder of tests, for a program that imports from there", async () => {
    await using folder = await skillFolder({
      "main.py": "from tests import helper; print(helper.word)",
      "tests/helper.py": "word = 'helped'",
      "tests/a.eval.json": "canary",
    });
    const command = { argv: [python, "main.py"], cwd: folder.path } as const;
    await using without = openStrict();
    expect((await runInside(without, command)).exit.code).toBe(1);
    await using sandbox = openStrict({ granted: [join(folder.path, "tests")] });
    expect((await runInside(sandbox, command)).out).toBe("helped\n");
    const found = await runInside(sandbox, { ...command, argv: ["grep", "-r", "canary", "."] });
    expect(found.out).toBe("");
  });

  test.runIf(process.getuid?.() === 0)("that only root can read is shown as a copy", async () => {
    await using folder = await project();
    const at = (name: string) => join(folder.path, name);
    chmodSync(at("shared"), 0o700);
    await using sandbox = openStrict({ granted: [at("shared")] });
    expect((await runInside(sandbox, reads(at))).out).toBe("shared\n");
  });
});
