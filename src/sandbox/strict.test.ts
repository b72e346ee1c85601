import { once } from "node:events";
import { chmodSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
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

describeStrict("in the sandbox a program", () => {
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

describeStrict("in the sandbox the environment", () => {
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

  test("has variables that act on the loader inside, and never outside of the sandbox", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const { err } = await runInside(sandbox, {
      argv: ["/usr/bin/true"],
      cwd: folder.path,
      env: { LD_PRELOAD: "/no/such.so" },
    });
    // The loader complains once for each program it starts, and inside there may be one more than the skill's: a
    // prlimit. Neither bwrap nor its wrapper must be among them.
    const programsInside = process.getuid?.() === 0 ? 1 : 2;
    expect(err.match(/no\/such\.so/g)?.length).toBeLessThanOrEqual(programsInside);
    expect(err).toContain("no/such.so");
  });

  test("that cannot be, or words that are too long, refuse the start as the skill's fault", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    for (const env of [{ BAD: "a\0b" }, { "A=B": "c" }, { "": "d" }]) {
      const skill = sandbox.start({ argv: ["true"], cwd: folder.path, env, deadlineMs: 1000 });
      await expect(skill.started).rejects.toThrow(/null bytes/);
      expect(await skill.exited).toEqual({ code: null, signal: null, limit: null });
    }
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, number) => [`V${number}`, ""]));
    const crowded = sandbox.start({ argv: ["true"], cwd: folder.path, env: many, deadlineMs: 1000 });
    await expect(crowded.started).rejects.toThrow(/variables: 2001/);
    expect((await crowded.exited).refusal).toBe(undefined);
    const long = sandbox.start({
      argv: ["true", "x".repeat(3_000_000)],
      cwd: folder.path,
      env: {},
      deadlineMs: 1000,
    });
    await expect(long.started).rejects.toThrow(/E2BIG/);
    expect((await long.exited).refusal).toBe(undefined);
  });
});

describeStrict("in the sandbox privileges", () => {
  test("are none: every call that could leave the sandbox is refused, and there are no capabilities", async () => {
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

describeStrict("in the sandbox the network", () => {
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

describeStrict("in the sandbox limits", () => {
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
    else expect((seen as { processes: number }).processes).toBeGreaterThanOrEqual(64);
  });

  test("fault row 81: shared memory that no process would show is refused, and /dev/zero still reads zeros", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const script = `
import ctypes, errno, json, mmap, os
def attempt(name, action):
    try: action()
    except OSError as error: return errno.errorcode[error.errno]
    return "ok"
def zero():
    with open("/dev/zero", "r+b", buffering=0) as file: mmap.mmap(file.fileno(), 1 << 20)
def private(): mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
def of_file():
    with open("/dev/shm/a", "w+b") as file:
        file.truncate(1 << 20)
        mmap.mmap(file.fileno(), 1 << 20)
print(json.dumps({
  "shared": attempt("shared", lambda: mmap.mmap(-1, 1 << 20)),
  "zero": attempt("zero", zero),
  "memfd": attempt("memfd", lambda: os.memfd_create("a")),
  "private": attempt("private", private),
  "file": attempt("file", of_file),
  "zeros": open("/dev/zero", "rb").read(9) == bytes(9),
}))`;
    expect(await askInside(sandbox, script, { cwd: folder.path })).toEqual({
      ...{ shared: "EPERM", zero: "ENODEV", memfd: "EPERM" },
      ...{ private: "ok", file: "ok", zeros: true },
    });
  });

  test.each([
    ["nested deeper than the longest path", "for _ in range(3000): os.mkdir('deep'); os.chdir('deep')"],
    [
      "closed to its own user",
      "os.mkdir('closed'); os.chdir('closed'); os.chmod('.', 0o100); os.chmod('.', 0o300)",
    ],
  ])("fault row 82: what is written into a folder %s counts all the same", async (_, goDown) => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const script = `
import os, sys
os.chdir("/work")
${goDown}
written = 0
try:
    while written < 600:
        with open(f"part-{written}", "wb") as file: file.write(bytes(10 << 20))
        written += 10
except OSError as error: sys.exit(f"{written} MiB: {error}")`;
    const argv = [python, "-c", script] as const;
    const { err, exit } = await runInside(sandbox, { argv, cwd: folder.path });
    // Stopped by the disk itself, or by who watches it, whichever is first.
    if (exit.limit === null) expect(err).toMatch(/^250 MiB: .*No space left/);
    else expect(exit.limit).toBe("disk-limit");
  });

  test("fault row 82: files without content fill a disk as well", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const script = `
import os
for name in range(1 << 20): os.close(os.open(f"/tmp/{name}", os.O_CREAT))`;
    const { exit } = await runInside(sandbox, { argv: [python, "-c", script], cwd: folder.path });
    expect(exit.limit).toBe("disk-limit");
  });

  test("that are passed are reported by their name", async () => {
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
