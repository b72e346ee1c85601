import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { askInside, offering, openStrict, runInside, skillFolder } from "../../test/strict-sandbox.ts";

describeStrict("in the sandbox files", () => {
  test("are the system's and the skill's, to be read; the rest is not there", async () => {
    await using folder = await skillFolder({ "own.txt": "own" });
    await using neighbour = await skillFolder({ "secret.txt": "secret" });
    await using canary = homeCanary();
    await using sandbox = openStrict();
    const paths = {
      read: [
        "own.txt",
        "/etc/passwd",
        "/etc/shadow",
        canary.path,
        join(neighbour.path, "secret.txt"),
        "/etc/hostname",
        "/var",
        "/root",
      ],
      write: [
        "own.txt",
        "new.txt",
        "/new",
        "/etc/new",
        "/dev/new",
        "/usr/new",
        "/proc/sys/kernel/hostname",
        "/work/new",
        "/tmp/new",
        "/dev/shm/new",
        "/dev/null",
      ],
    };
    const seen = await askInside(sandbox, attempts, {
      cwd: folder.path,
      env: { PATHS: JSON.stringify(paths) },
    });
    const absent = "ENOENT";
    const closed = "EROFS";
    expect(seen).toEqual({
      read: ["ok", "ok", absent, absent, absent, absent, absent, absent],
      // Where the skill's user is another, the mode of its own file closes it before the file system does.
      write: [
        expect.stringMatching(/EROFS|EACCES/),
        closed,
        closed,
        closed,
        closed,
        closed,
        "EACCES",
        "ok",
        "ok",
        "ok",
        "ok",
      ],
    });
    expect(readFileSync(join(folder.path, "own.txt"), "utf8")).toBe("own");
  });

  test("that hold expectations look empty to a skill, by whatever link, and not to a scorer", async () => {
    await using folder = await skillFolder({
      "tests/basic.eval.json": "secret",
      "tests/helper.txt": "open",
      "eval.yaml": "secret",
      "evals/deep/case.yaml": "secret",
    });
    symlinkSync("tests/basic.eval.json", join(folder.path, "innocent.txt"));
    await using sandbox = openStrict();
    const argv = ["sh", "-c", "cat tests/* eval.yaml innocent.txt; ls evals"] as const;
    expect((await runInside(sandbox, { argv, cwd: folder.path })).out).toBe("");
    const scorer = await runInside(sandbox, { argv, cwd: folder.path, seesEvalMaterial: true });
    expect(scorer.out).toBe("secretopensecretsecretdeep\n");
  });

  test("of version control look empty to whoever sees the folder, a scorer too: the user's credentials are in them", async () => {
    await using folder = await skillFolder({
      ".git/config": "secret",
      "deep/.hg/hgrc": "secret",
      "bare/HEAD": "secret",
      "bare/objects/x": "",
      "bare/refs/x": "",
      "suite/a.txt": "open",
    });
    await using sandbox = openStrict();
    const argv = ["sh", "-c", "cat .git/* deep/.hg/* bare/HEAD suite/a.txt 2>/dev/null"] as const;
    const scorer = await runInside(sandbox, { argv, cwd: folder.path, seesEvalMaterial: true });
    expect(scorer.out).toBe("open");
    const beside = await runInside(sandbox, {
      argv: ["sh", "-c", `cd "$0" && ${argv[2]}`, folder.path],
      ...{ cwd: join(folder.path, "suite"), reads: [folder.path], seesEvalMaterial: true },
    });
    expect(beside.out).toBe("open");
  });

  test("whose folder of tests is a link are masked where they really are", async () => {
    await using folder = await skillFolder({ "real/a.eval.json": "secret" });
    symlinkSync("real", join(folder.path, "tests"));
    await using sandbox = openStrict();
    const { out, exit } = await runInside(sandbox, {
      argv: ["ls", "real", "tests/"],
      cwd: folder.path,
    });
    expect({ out, code: exit.code }).toEqual({ out: "real:\n\ntests/:\n", code: 0 });
  });

  test("that are hidden look empty wherever they are shown, even when they come to be later", async () => {
    await using folder = await skillFolder({
      "store/runs.db": "secret",
      "reports/a.json": "secret",
      key: "secret",
    });
    const late = join(folder.path, "late.log");
    await using sandbox = openStrict({
      hidden: [join(folder.path, "store"), join(folder.path, "store/runs.db"), late, "/no/such/path"],
      hiddenAlways: [join(folder.path, "key")],
    });
    const argv = ["sh", "-c", "ls store; cat store/* reports/* key late.log 2>/dev/null"] as const;
    expect((await runInside(sandbox, { argv, cwd: folder.path })).out).toBe("secret");
    const scorer = await runInside(sandbox, { argv, cwd: folder.path, seesEvalMaterial: true });
    expect(scorer.out).toBe("runs.db\nsecretsecret");
    writeFileSync(late, "secret");
    await eventuallyInside(
      async () => (await runInside(sandbox, { argv, cwd: folder.path })).out === "secret",
    );
  });

  test("of the work folder are on a disk in memory, which goes with the process, whatever was made of it", async () => {
    await using folder = await skillFolder();
    const sandbox = openStrict();
    const script = `
import json, os
os.chdir("/work")
open("a.txt", "w").write("a"); os.makedirs("closed/inner"); os.chmod("closed", 0)
os.mkdir("wide")
for number in range(3000): open(f"wide/{number}", "w").close()
for _ in range(400): os.mkdir("deep-folder"); os.chdir("deep-folder")
mounts = {words[4]: words for words in map(str.split, open("/proc/self/mountinfo"))}
print(json.dumps({"work": mounts["/work"][3:] , "etc": mounts["/etc"][3]}))`;
    const seen = (await askInside(sandbox, script, { cwd: folder.path })) as { work: string[]; etc: string };
    expect(seen.work).toEqual(expect.arrayContaining(["/", "tmpfs"]));
    const root = dirname(inTemp(seen.etc));
    await eventually(
      () => readdirSync(root).every((name) => !name.includes(".")),
      "nothing of the start is left",
    );
    await sandbox[Symbol.asyncDispose]();
    expect(existsSync(root)).toBe(false);
  });

  test.runIf(process.getuid?.() === 0)("that only root can read are shown as a copy", async () => {
    await using folder = await skillFolder({
      "a.txt": "a",
      "lib/a.eval.json": "secret",
      "run.sh": "#!/bin/sh\ncat a.txt b.txt lib/* $1",
    });
    symlinkSync("a.txt", join(folder.path, "b.txt"));
    chmodSync(join(folder.path, "run.sh"), 0o700);
    chmodSync(join(folder.path, "a.txt"), 0o600);
    chmodSync(folder.path, 0o700);
    await using other = await skillFolder({ "ours.txt": "ours" });
    chmodSync(other.path, 0o700);
    const read = join(other.path, "ours.txt");
    await using sandbox = openStrict();
    const { out, err } = await runInside(sandbox, {
      argv: ["./run.sh", read],
      cwd: folder.path,
      reads: [read],
    });
    expect({ out, err }).toEqual({ out: "aaours", err: "" });
  });

  test("of a folder that is named by a link are those the link leads to", async () => {
    await using folder = await skillFolder({ "a.txt": "a", "lib/a.eval.json": "secret" });
    await using closed = await skillFolder();
    symlinkSync(folder.path, join(closed.path, "linked"));
    chmodSync(closed.path, 0o700);
    await using sandbox = openStrict();
    const argv = ["/bin/sh", "-c", "cat a.txt lib/*"] as const;
    const { out, err } = await runInside(sandbox, { argv, cwd: join(closed.path, "linked") });
    expect({ out, err }).toEqual({ out: "a", err: "" });
  });

  test.runIf(process.getuid?.() === 0)(
    "of a program that only root can walk to are mounted for it, and nothing beside them",
    async () => {
      await using folder = await skillFolder();
      await using closed = await skillFolder({ "tool/bin/tool": "#!/bin/sh\n", secret: "mine" });
      mkdirSync(join(closed.path, "tool/lib"));
      const path = join(closed.path, "tool/bin/tool");
      writeFileSync(path, `#!/bin/sh\nid -u; ls ${closed.path}; cat ${closed.path}/secret\n`, {
        mode: 0o755,
      });
      chmodSync(path, 0o755);
      chmodSync(closed.path, 0o700);
      await using sandbox = openStrict(offering(join(closed.path, "tool/bin")));
      expect(sandbox.canReach?.(path)).toBe(true);

      const { out, err, exit } = await runInside(sandbox, { argv: [path], cwd: folder.path });

      expect({ out, code: exit.code }).toEqual({ out: "65534\ntool\n", code: 1 });
      expect(err).toContain("No such file");
      expect(readFileSync("/proc/self/mountinfo", "latin1")).not.toContain(closed.path);
    },
  );

  test.runIf(process.getuid?.() === 0)(
    "of a program that is for root alone are no place to start from",
    async () => {
      await using folder = await skillFolder();
      await using closed = await skillFolder({ tool: "#!/bin/sh\n" });
      const path = join(closed.path, "tool");
      chmodSync(path, 0o700);
      await using sandbox = openStrict(offering(closed.path));
      expect([sandbox.canReach?.(path), sandbox.canReach?.("/usr/bin/env")]).toEqual([false, true]);
      const skill = sandbox.start({ argv: [path], cwd: folder.path, env: {}, deadlineMs: 1000 });
      expect((await skill.exited).refusal).toContain("cannot access");
    },
  );
});

/** Tries each path and prints what came of it. */
const attempts = `
import errno, json, os
def attempt(path, mode):
    try:
        if os.path.isdir(path): os.listdir(path)
        else: open(path, mode).close()
        return "ok"
    except OSError as error:
        return errno.errorcode[error.errno]
paths = json.loads(os.environ["PATHS"])
print(json.dumps({"read": [attempt(path, "r") for path in paths["read"]], "write": [attempt(path, "a") for path in paths["write"]]}))`;

/** A file in the user's own home folder, gone when the test ends. */
function homeCanary(): AsyncDisposable & { path: string } {
  const path = join(homedir(), `.eval-skills-canary-${process.pid}`);
  writeFileSync(path, "secret");
  return { path, [Symbol.asyncDispose]: async () => rmSync(path) };
}

/** A work folder by its path on its disk, which is what a process sees of it: only the last two names are sure. */
function inTemp(path: string): string {
  return join(tmpdir(), basename(dirname(path)), basename(path));
}

/** A view is looked up again only after a moment. */
async function eventuallyInside(isSo: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + 10_000; !(await isSo()); ) {
    if (performance.now() > until) throw new Error("it never came to be");
  }
}
