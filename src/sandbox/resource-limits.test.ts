import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { defaultLimits, limitedCommand, ownHardLimits } from "./resource-limits.ts";

const argv = ["/bin/true"] as const;

test("the backstop on CPU time cannot bite before the deadline, on however many cores", () => {
  const seconds = 3 * availableParallelism() + 1;
  expect(limitedCommand("prlimit", defaultLimits, 2500, argv)).toContain(`--cpu=${seconds}:${seconds + 1}`);
});

test("a process that serves many calls has no limit on CPU time", () => {
  expect(limitedCommand("prlimit", defaultLimits, null, argv).join(" ")).not.toContain("--cpu");
});

test("a limit the user sets holds for every process", () => {
  for (const deadlineMs of [null, 60_000]) {
    expect(limitedCommand("prlimit", { ...defaultLimits, cpuSeconds: 5 }, deadlineMs, argv)).toContain(
      "--cpu=5:6",
    );
  }
});

test("the command comes after the flags, as it is", () => {
  const command = limitedCommand("/usr/bin/prlimit", defaultLimits, null, ["--nofile", "-x"]);
  expect(command.slice(-3)).toEqual(["--", "--nofile", "-x"]);
});

test("no limit goes beyond what we have been given ourselves, since that would refuse every start", () => {
  const own = ownHardLimits(
    [
      "Limit                     Soft Limit           Hard Limit           Units",
      "Max cpu time              unlimited            3                    seconds",
      "Max file size             1000                 50000                bytes",
      "Max data size             unlimited            70000                bytes",
      "Max processes             96343                20                   processes",
      "Max open files            32                   64                   files",
    ].join("\n"),
  );
  const limits = { ...defaultLimits, dataBytes: 100_000, processes: 64 };
  const flags = ["--fsize=50000", "--nofile=64", "--core=0", "--data=70000", "--nproc=20", "--cpu=2:3"];
  expect(limitedCommand("prlimit", limits, 60_000, argv, own).slice(1, -2)).toEqual(flags);
});

test("limits stay as they are where we have none, or cannot see them", () => {
  const unlimited = "Max open files            unlimited            unlimited            files";
  for (const text of [unlimited, ""]) {
    const command = limitedCommand("prlimit", defaultLimits, null, argv, ownHardLimits(text));
    expect(command).toContain("--nofile=256");
    expect(command).toContain("--fsize=104857600");
  }
});
