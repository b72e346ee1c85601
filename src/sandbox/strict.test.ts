import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { eventually } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import {
  askInside,
  bubblewrap,
  openStrict,
  python,
  runInside,
  skillFolder,
} from "../../test/strict-sandbox.ts";
import { refusedCalls, systemCalls } from "./system-calls.ts";

describeStrict("behind walls a program", () => {
  test("in Python or JavaScript answers from its own folder", async () => {
    await using folder = await skillFolder({
      "echo.py": "import sys; print(sys.stdin.read(), __file__)",
      "echo.mjs":
        "import { text } from 'node:stream/consumers'; console.log(await text(process.stdin), process.argv[1]);",
      "run.sh": "#!/usr/bin/env sh\necho hello $0 $PWD",
    });
    chmodSync(join(folder.path, "run.sh"), 0o755);
    await using sandbox = openStrict();
    const answer = async (...argv: [string, ...string[]]) => {
      const skill = sandbox.start({ argv, cwd: folder.path, env: {}, deadlineMs: 20_000 });
      skill.stdin.end("said");
      return (await text(skill.stdout)).trim();
    };
    expect(await answer(python, join(folder.path, "echo.py"))).toBe("said /skill/echo.py");
    expect(await answer("node", "echo.mjs")).toBe("said /skill/echo.mjs");
    expect(await answer("./run.sh")).toBe("hello ./run.sh /skill");
    expect(await answer(join(folder.path, "run.sh"))).toBe("hello /skill/run.sh /skill");
  });

  test("works in the folder it names within the one it is shown", async () => {
    await using folder = await skillFolder({ "deep/down/here.txt": "found" });
    await using sandbox = openStrict();
    const cwd = join(folder.path, "deep/down");
    const { out } = await runInside(sandbox, {
      argv: ["sh", "-c", "pwd; cat here.txt"],
      cwd,
      folder: folder.path,
    });
    expect(out).toBe("/skill/deep/down\nfound");
  });

  test("reads what it is to read at the same paths, and through links", async () => {
    await using folder = await skillFolder();
    await using other = await skillFolder({ "program.txt": "ours" });
    const link = join(other.path, "link.txt");
    symlinkSync("program.txt", link);
    await using sandbox = openStrict();
    const { out } = await runInside(sandbox, { argv: ["cat", link], cwd: folder.path, reads: [link] });
    expect(out).toBe("ours");
  });

  test("is seen waiting for input only when it does", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const script = "import sys, time; time.sleep(0.4); print('ready', flush=True); sys.stdin.read()";
    const skill = sandbox.start({
      argv: [python, "-c", script],
      cwd: folder.path,
      env: {},
      deadlineMs: null,
    });
    let isReady = false;
    skill.stdout.once("data", () => {
      isReady = true;
    });
    expect(await skill.waitsForInput(10_000)).toBe(true);
    await eventually(() => isReady, "it said so first", 100);
  });
});

describeStrict("behind walls files", () => {
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
    expect((await runInside(sandbox, { argv, cwd: folder.path })).out).toBe("open");
    const scorer = await runInside(sandbox, { argv, cwd: folder.path, seesEvalMaterial: true });
    expect(scorer.out).toBe("secretopensecretsecretdeep\n");
  });

  test("whose folder of tests is a link are masked where they really are", async () => {
    await using folder = await skillFolder({ "real/a.eval.json": "secret" });
    symlinkSync("real", join(folder.path, "tests"));
    await using sandbox = openStrict();
    const { out, exit } = await runInside(sandbox, {
      argv: ["cat", "real/a.eval.json", "tests/a.eval.json"],
      cwd: folder.path,
    });
    expect({ out, code: exit.code }).toEqual({ out: "", code: 0 });
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

  test("of the work folder are gone with the process, whatever was made of it, and all with the sandbox", async () => {
    await using folder = await skillFolder();
    const sandbox = openStrict();
    const script = `
import json, os
os.chdir("/work")
open("a.txt", "w").write("a"); os.makedirs("closed/inner"); os.chmod("closed", 0)
for _ in range(400): os.mkdir("deep-folder"); os.chdir("deep-folder")
print(json.dumps(next(line.split()[3] for line in open("/proc/self/mountinfo") if " /work " in line)))`;
    const workFolder = inTemp((await askInside(sandbox, script, { cwd: folder.path })) as string);
    expect(existsSync(dirname(workFolder))).toBe(true);
    await eventually(() => !existsSync(workFolder), "the work folder is gone");
    await sandbox[Symbol.asyncDispose]();
    expect(existsSync(dirname(workFolder))).toBe(false);
  });

  test("of a folder that only root can read are shown as a copy", async () => {
    if (process.getuid?.() !== 0) return;
    await using folder = await skillFolder({
      "a.txt": "a",
      "tests/a.eval.json": "secret",
      "run.sh": "#!/bin/sh\ncat a.txt b.txt tests/*",
    });
    symlinkSync("a.txt", join(folder.path, "b.txt"));
    chmodSync(join(folder.path, "run.sh"), 0o700);
    chmodSync(join(folder.path, "a.txt"), 0o600);
    chmodSync(folder.path, 0o700);
    await using sandbox = openStrict();
    const { out, err } = await runInside(sandbox, { argv: ["./run.sh"], cwd: folder.path });
    expect({ out, err }).toEqual({ out: "aa", err: "" });
  });
});

describeStrict("behind walls the environment", () => {
  test("is the allow-list and the skill's own, and that of nobody else can be read", async () => {
    await using folder = await skillFolder();
    const env = {
      ...process.env,
      CANARY: "secret",
      LANG: "C.UTF-8",
      TZ: "UTC",
      LC_ALL: "",
      NODE_OPTIONS: "--no-warnings",
      PYTHONPATH: "/x",
    };
    await using sandbox = openStrict({ env });
    const script = `
import json, os
def read(pid):
    try: return sorted(entry.split("=")[0] for entry in open(f"/proc/{pid}/environ").read().split("\\0") if entry)
    except OSError as error: return error.strerror
print(json.dumps({"own": dict(os.environ), "first": read(1), "runner": read(${process.pid}), "others": [name for name in os.listdir("/proc") if name.isdigit() and int(name) > 10]}))`;
    const own = {
      OWN: "mine",
      HOME: "/elsewhere",
      TMPDIR: "/elsewhere",
      EVAL_SKILLS_CELL: "faked",
      DATA: join(folder.path, "data"),
    };
    const seen = (await askInside(sandbox, script, { cwd: folder.path, env: own })) as Record<
      string,
      unknown
    >;
    const base = [
      "EVAL_SKILLS_CELL",
      "EVAL_SKILLS_SANDBOX",
      "HOME",
      "LANG",
      "LC_ALL",
      "PATH",
      "PYTHONDONTWRITEBYTECODE",
      "PYTHONUNBUFFERED",
      "TMPDIR",
      "TZ",
    ];
    expect(seen.own).toMatchObject({ OWN: "mine", HOME: "/work", TMPDIR: "/tmp", DATA: "/skill/data" });
    expect((seen.own as Record<string, string>).EVAL_SKILLS_CELL).not.toBe("faked");
    expect(Object.keys(seen.own as object).sort()).toEqual([...base, "DATA", "OWN", "PWD"].sort());
    expect(seen.first).toEqual(base);
    expect(seen).toMatchObject({ runner: "No such file or directory", others: [] });
  });

  test("has variables that act on the loader inside, and never outside of the walls", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const { err } = await runInside(sandbox, {
      argv: ["/usr/bin/true"],
      cwd: folder.path,
      env: { LD_PRELOAD: "/no/such.so" },
    });
    // The loader complains once for each program it starts: prlimit and bwrap must not be among them.
    expect(err.match(/no\/such\.so/g)).toHaveLength(1);
  });

  test("with a name or a value that cannot be refuses the start, as the skill's fault", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    for (const env of [{ BAD: "a\0b" }, { "A=B": "c" }, { "": "d" }]) {
      const skill = sandbox.start({ argv: ["true"], cwd: folder.path, env, deadlineMs: 1000 });
      await expect(skill.started).rejects.toThrow(/null bytes/);
      expect(await skill.exited).toEqual({ code: null, signal: null, limit: null });
    }
  });
});

describeStrict("behind walls privileges", () => {
  test("are none: every call that could leave the walls is refused, and there are no capabilities", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const numbers = systemCalls[process.arch] ?? expect.fail("no numbers");
    const script = `
import ctypes, errno, json, os, re, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *words):
    result = libc.syscall(number, *words)
    return "ok" if result >= 0 else errno.errorcode[ctypes.get_errno()]
status = open("/proc/self/status").read()
field = lambda name: re.search(name + r":\\s*(\\S+)", status).group(1)
numbers = json.loads(os.environ["NUMBERS"])
print(json.dumps({
  "refused": {name: call(number, 0, 0, 0, 0, 0) for name, number in numbers["refused"].items()},
  "clone": call(numbers["clone"], 0x10000000 | 17, 0, 0, 0, 0),
  "clone3": call(numbers["clone3"], 0, 0),
  "sockets": [call(numbers["socket"], family, 3, 0) for family in (16, 17, 40)],
  "uid": os.getuid(), "capabilities": field("CapEff") + field("CapBnd"), "noNewPrivileges": field("NoNewPrivs"), "filter": field("Seccomp")}))`;
    const refused = Object.fromEntries(refusedCalls.map((name) => [name, numbers[name]]));
    const env = { NUMBERS: JSON.stringify({ ...numbers, refused }) };
    expect(await askInside(sandbox, script, { cwd: folder.path, env })).toEqual({
      refused: Object.fromEntries(refusedCalls.map((name) => [name, "EPERM"])),
      clone: "EPERM",
      clone3: "ENOSYS",
      sockets: ["EAFNOSUPPORT", "EAFNOSUPPORT", "EAFNOSUPPORT"],
      uid: 65534,
      capabilities: "0".repeat(32),
      noNewPrivileges: "1",
      filter: "2",
    });
  });

  test("include no nested user namespace, with or without the filter", async () => {
    await using folder = await skillFolder();
    for (const seccomp of [bubblewrap.seccomp, null]) {
      await using sandbox = openStrict({ bubblewrap: { ...bubblewrap, seccomp } });
      const { exit, err } = await runInside(sandbox, { argv: ["unshare", "-U", "true"], cwd: folder.path });
      expect(exit).toMatchObject({ code: 1 });
      expect(err).toContain("unshare");
    }
  });
});

describeStrict("behind walls the network", () => {
  const script = `
import json, os, socket
def connect():
    try: socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), 2).close(); return "ok"
    except OSError as error: return type(error).__name__
print(json.dumps([connect(), sorted(line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]), os.path.exists("/etc/resolv.conf")]))`;

  test("is shared where it is open, and is not there where it is closed, for all or for one", async () => {
    await using folder = await skillFolder();
    await using server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const env = { PORT: `${typeof address === "object" ? address?.port : 0}` };
    await using open = openStrict();
    await using closed = openStrict({ network: "none" });
    expect(await askInside(open, script, { cwd: folder.path, env })).toMatchObject([
      "ok",
      expect.arrayContaining(["lo"]),
      true,
    ]);
    const nothing = ["ConnectionRefusedError", ["lo"], false];
    expect(await askInside(closed, script, { cwd: folder.path, env })).toEqual(nothing);
    expect(await askInside(open, script, { cwd: folder.path, env, network: "none" })).toEqual(nothing);
    expect([open.containment.network, closed.containment.network]).toEqual(["open", "none"]);
  });
});

describeStrict("behind walls limits", () => {
  test("are set for memory, processes, files and descriptors, and on what is written to memory disks", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict({ memoryMb: 512 });
    const script = `
import errno, json, os, resource
def fill(path):
    try:
        with open(path, "wb") as file:
            for _ in range(80): file.write(bytes(1 << 20))
        return "ok"
    except OSError as error: return errno.errorcode[error.errno]
limit = lambda name: resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1]
print(json.dumps({"data": limit("DATA"), "files": limit("NOFILE"), "size": limit("FSIZE"), "core": limit("CORE"), "processes": limit("NPROC"), "tmp": fill("/tmp/a"), "shm": fill("/dev/shm/a"), "work": fill("/work/a")}))`;
    const seen = await askInside(sandbox, script, { cwd: folder.path });
    expect(seen).toMatchObject({
      data: 512 * 1_048_576,
      files: 256,
      size: 104_857_600,
      core: 0,
      tmp: "ENOSPC",
      shm: "ENOSPC",
      work: "ok",
    });
    if (process.getuid?.() === 0) expect(seen).toMatchObject({ processes: 64 });
    else expect((seen as { processes: number }).processes).toBeGreaterThan(64);
  });

  test("that are passed are told by their name", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict({ limits: { cpuSeconds: 1, fileBytes: 1_000_000 } });
    const [burns, grows] = await Promise.all([
      runInside(sandbox, { argv: ["sh", "-c", "while :; do :; done"], cwd: folder.path }),
      runInside(sandbox, {
        argv: ["sh", "-c", "exec head -c 2000000 /dev/zero > /work/a"],
        cwd: folder.path,
      }),
    ]);
    expect(burns.exit).toEqual({ code: null, signal: "SIGXCPU", limit: "cpu-limit" });
    expect(grows.exit).toEqual({ code: null, signal: "SIGXFSZ", limit: "disk-limit" });
  });
});

describeStrict("behind walls an end", () => {
  test("is told as it was: by exit code or by signal", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const end = async (script: string) =>
      (await runInside(sandbox, { argv: ["sh", "-c", script], cwd: folder.path })).exit;
    expect(await end("exit 4")).toEqual({ code: 4, signal: null, limit: null });
    expect(await end("kill -SEGV $$")).toEqual({ code: null, signal: "SIGSEGV", limit: null });
    expect(await end("kill -KILL $$")).toEqual({ code: null, signal: "SIGKILL", limit: null });
  });

  test("of the sandbox before the program began is a refusal, which no skill can fake", async () => {
    await using folder = await skillFolder();
    await using broken = openStrict({ bubblewrap: { ...bubblewrap, bwrap: "/bin/false" } });
    const refused = await runInside(broken, { argv: ["true"], cwd: folder.path });
    expect(refused.exit).toEqual({
      code: 1,
      signal: null,
      limit: null,
      refusal: "the sandbox ended with exit code 1 before the program began",
    });
    await using absent = openStrict({ bubblewrap: { ...bubblewrap, bwrap: "/no/bwrap", prlimit: null } });
    const skill = absent.start({ argv: ["true"], cwd: folder.path, env: {}, deadlineMs: 1000 });
    await expect(skill.started).rejects.toThrow(/ENOENT/);
    expect((await skill.exited).refusal).toContain("could not be started");

    await using sandbox = openStrict();
    const fake =
      "echo 'bwrap: Creating new namespace failed' >&2; for fd in 3 4 5; do eval \"echo '{}' >&$fd\"; done; exit 1";
    const faked = await runInside(sandbox, { argv: ["sh", "-c", fake], cwd: folder.path });
    expect(faked.exit).toMatchObject({ code: expect.any(Number) });
    expect(faked.exit.refusal).toBe(undefined);
    const missing = await runInside(sandbox, { argv: ["no-such-program"], cwd: folder.path });
    expect(missing).toMatchObject({
      err: expect.stringContaining("execvp no-such-program"),
      exit: { refusal: expect.any(String) },
    });
  });

  test("fault row 13: leaves no daemon that forked twice and has its own session", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const word = `${process.pid}.13`;
    const script = `setsid sh -c 'setsid sleep 10000${word} & exit' & sleep 0.1; echo left`;
    const { out, exit } = await runInside(sandbox, { argv: ["sh", "-c", script], cwd: folder.path });
    expect({ out, code: exit.code }).toEqual({ out: "left\n", code: 0 });
    await eventually(() => processesSaying(`10000${word}`).length === 0, "the daemon is gone", 1000);
  });

  test("by kill leaves nothing, and two sandboxes do not touch each other", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    await using other = openStrict();
    const [word, otherWord] = [`20000${process.pid}`, `30000${process.pid}`];
    const forever = (number: string) => ({
      argv: ["sh", "-c", `setsid sleep ${number} & echo ready; exec sleep ${number}`] as const,
      cwd: folder.path,
      env: {},
      deadlineMs: null,
    });
    const skill = sandbox.start(forever(word));
    const bystander = other.start(forever(otherWord));
    await Promise.all([once(skill.stdout, "data"), once(bystander.stdout, "data")]);
    await eventually(() => processesSaying(`sleep\0${word}`).length === 2, "both sleep");

    await skill.kill();

    expect(processesSaying(word)).toEqual([]);
    expect(await skill.exited).toEqual({ code: null, signal: "SIGKILL", limit: null });
    expect(processesSaying(otherWord)).not.toEqual([]);
    await other[Symbol.asyncDispose]();
    expect(processesSaying(otherWord)).toEqual([]);
  });

  test("in order lets it clean up, and comes by force after the grace", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict({ killGraceMs: 5000 });
    await using hasty = openStrict({ killGraceMs: 100 });
    const trap = (action: string) =>
      ["sh", "-c", `trap '${action}' TERM; echo ready; while :; do sleep 0.05; done`] as const;
    const polite = sandbox.start({
      argv: trap("exit 7"),
      cwd: folder.path,
      env: {},
      deadlineMs: null,
    });
    const deaf = hasty.start({ argv: trap(""), cwd: folder.path, env: {}, deadlineMs: null });
    await Promise.all([once(polite.stdout, "data"), once(deaf.stdout, "data")]);

    await Promise.all([polite.terminate(), deaf.terminate()]);

    expect(await polite.exited).toEqual({ code: 7, signal: null, limit: null });
    expect(await deaf.exited).toMatchObject({ signal: "SIGKILL" });
  });
});

describeStrict("a runner", () => {
  const program = join(import.meta.dirname, "../../test/fixtures/programs/strict-runner.ts");
  const start = (extra: { uid?: number; gid?: number } = {}) =>
    spawn(process.execPath, ["--import", "tsx", program], {
      ...extra,
      env: {
        ...process.env,
        HOME: "/nonexistent",
        ...(extra.uid === undefined ? {} : { TSX_DISABLE_CACHE: "1" }),
      },
      // Two more than a process should have: what CI systems and make leave open.
      stdio: ["ignore", "pipe", "inherit", "pipe", "ignore", "ignore", "ignore", "pipe"],
    });

  for (const uid of process.getuid?.() === 0 ? [undefined, 54_321] : [undefined]) {
    test(`${uid === undefined ? "of this user" : "without rights"} keeps what it inherited open to itself, and killed leaves nothing behind`, async () => {
      const runner = start(uid === undefined ? {} : { uid, gid: uid });
      let said = "";
      runner.stdout?.on("data", (chunk: Buffer) => {
        said += chunk;
      });
      await eventually(() => said.includes("sleeping"), "the skill sleeps");
      expect(said).toContain("strict: uid 65534, descriptors open: none");
      expect(said).toContain("process: descriptors open: none");
      expect(processesSaying(`4000${runner.pid}`)).not.toEqual([]);
      const root = dirname(inTemp(/works in (\S+)/.exec(said)?.[1] ?? ""));
      expect(existsSync(root)).toBe(true);

      runner.kill("SIGKILL");

      await eventually(() => processesSaying(`4000${runner.pid}`).length === 0, "the skill is gone");
      await eventually(() => !existsSync(root), "its folder is gone");
    });
  }
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

/** A work folder by its place on its disk, which is what a process sees of it: only the last two names are sure. */
function inTemp(place: string): string {
  return join(tmpdir(), basename(dirname(place)), basename(place));
}

function processesSaying(word: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word);
    } catch {
      return false;
    }
  });
}

/** A view is looked up again only after a moment. */
async function eventuallyInside(isSo: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + 10_000; !(await isSo()); ) {
    if (performance.now() > until) throw new Error("it never came to be");
  }
}
