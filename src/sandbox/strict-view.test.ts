import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStrict } from "../../test/strict-machine.ts";
import { offering, openStrict, runInside, skillFolder } from "../../test/strict-sandbox.ts";

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
    const secret = await runInside(sandbox, {
      argv: ["cat", join(elsewhere.path, "secret.txt")],
      cwd: folder.path,
    });
    expect(secret.exit.code).toBe(1);
  });
});
