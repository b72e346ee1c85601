import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { openSandbox } from "../open-sandbox.ts";
import { canaryVariable, layBait } from "./bait.ts";
import { probeCpus } from "./call-numbers.ts";
import { runProbe } from "./run-probe.ts";

const cpu = probeCpus.find((name) => name === process.arch);

/** What a machine may keep from an ordinary user, or from a container, without any sandbox of ours. */
const heldWithoutSandbox = new Set([
  "write to /etc",
  "write to /",
  "write to /dev",
  "read /etc/shadow",
  "read the runner's variables in process 1",
  "look up a name",
  "find an interface besides lo",
  "leave a daemon behind", // the sweep finds it at every level
  "be root",
  "trace another process with ptrace",
  "mount a file system",
  "start a process in a user namespace of its own",
  "enter a user namespace of its own",
]);

test.skipIf(cpu === undefined || process.platform !== "linux")(
  "without a sandbox the bait is reached, so that being kept from it means something",
  async () => {
    if (cpu === undefined) throw new Error("skipped");
    await using bait = await layBait(cpu, false);
    await using folder = await temporaryFolder();
    await using sandbox = openSandbox({
      level: "off",
      killGraceMs: 0,
      memoryMb: null,
      env: { ...process.env, [canaryVariable]: bait.canary },
    });

    const end = await runProbe(sandbox, cpu, {
      bait,
      home: { folder: folder.path, entry: "." },
      inside: { skill: bait.skill.folder, work: folder.path, temporary: tmpdir() },
      proxyPort: null,
      caps: { processes: 64, fileBytes: 104_857_600 },
    });

    if ("refusal" in end) throw new Error(end.refusal);
    const held = end.checks.filter(({ expected, ok }) => expected === "blocked" && ok);
    expect(held.map(({ name }) => name).filter((name) => !heldWithoutSandbox.has(name))).toEqual([]);
    expect(end.checks.filter(({ expected, ok }) => expected === "works" && !ok)).toEqual([]);
    expect(end.checks.find(({ name }) => name === "leave a daemon behind")).toMatchObject({
      seen: "it ended with its sandbox",
    });
  },
);
