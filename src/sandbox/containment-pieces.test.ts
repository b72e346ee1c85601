import { expect, test } from "vitest";
import { containmentPieces, type MachineFacts, strengthenHint } from "./containment-pieces.ts";

const debian: MachineFacts = {
  platform: "linux",
  cpu: { name: "x64", isKnown: true },
  osRelease: "ID=debian",
  isRoot: false,
  bubblewrap: { isFound: true, version: "0.8.0" },
  isFilterRefused: false,
  hasPrlimit: true,
  refusingSetting: null,
  refusal: null,
  checks: [],
};
const apparmor = {
  setting: "kernel.apparmor_restrict_unprivileged_userns = 1",
  fix: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
};

/** What is not as it should be, and what a stamp says about it. */
function missing(facts: Partial<MachineFacts>) {
  const pieces = containmentPieces({ ...debian, ...facts }).filter(({ isOk }) => !isOk);
  return {
    pieces: pieces.map(({ name, state, remedy, note }) => [name, state, remedy, note]),
    hint: strengthenHint({ ...debian, ...facts }),
  };
}

test("a machine that has everything misses nothing", () => {
  expect(missing({})).toEqual({ pieces: [], hint: null });
});

test("without bubblewrap the command of this distribution is reported", () => {
  expect(missing({ bubblewrap: { isFound: false, version: null } })).toEqual({
    pieces: [["bubblewrap", "not found", "sudo apt-get install bubblewrap", "0.8 or newer"]],
    hint: "bubblewrap not installed; try: sudo apt-get install bubblewrap",
  });
  expect(missing({ bubblewrap: { isFound: false, version: null }, osRelease: "" }).hint).toBe(
    "bubblewrap not installed",
  );
});

test("an old bubblewrap is recognised by its version", () => {
  expect(missing({ bubblewrap: { isFound: true, version: "0.4.1" } })).toEqual({
    pieces: [["bubblewrap", "0.4.1", "sudo apt-get install bubblewrap", "0.8 or newer"]],
    hint: "bubblewrap: 0.4.1, sudo apt-get install bubblewrap",
  });
});

test("a setting that refuses namespaces is named, also before bubblewrap is there", () => {
  const refused = ["user namespaces", "refused", "kernel.apparmor_restrict_unprivileged_userns = 1", null];
  expect(
    missing({ refusingSetting: apparmor, refusal: "bwrap: setting up uid map: Permission denied" }),
  ).toEqual({
    pieces: [refused],
    hint: "user namespaces: refused, kernel.apparmor_restrict_unprivileged_userns = 1",
  });
  expect(
    missing({ refusingSetting: apparmor, bubblewrap: { isFound: false, version: null } }).pieces,
  ).toEqual([["bubblewrap", "not found", "sudo apt-get install bubblewrap", "0.8 or newer"], refused]);
});

test("a setting is not blamed where bubblewrap works in spite of it", () => {
  expect(missing({ refusingSetting: apparmor })).toEqual({ pieces: [], hint: null });
});

test("where no setting refuses namespaces, the container around us does", () => {
  expect(missing({ refusal: "bwrap: No permissions to create new namespace" }).pieces).toEqual([
    [
      "user namespaces",
      "refused",
      "by the surrounding container: its seccomp profile or its capabilities",
      null,
    ],
  ]);
});

test("what nobody can explain is reported in the words of whoever refused", () => {
  expect(missing({ refusal: "spawn /tmp/x EACCES" })).toEqual({
    pieces: [["probe", "failed", "spawn /tmp/x EACCES", null]],
    hint: "probe: failed, spawn /tmp/x EACCES",
  });
});

test("missing limits, unknown CPUs and other systems are reported", () => {
  expect(missing({ hasPrlimit: false }).hint).toBe(
    "prlimit not installed; try: sudo apt-get install util-linux",
  );
  expect(missing({ cpu: { name: "riscv64", isKnown: false } }).pieces).toEqual([
    ["seccomp filter", "not for CPU", "riscv64", null],
  ]);
  expect(missing({ platform: "darwin" }).hint).toBe("system: darwin, requires Linux");
});

test("a check that failed is reported with what was seen", () => {
  const check = {
    group: "privileges",
    name: "mount a file system",
    expected: "blocked",
    ok: false,
    seen: "it worked",
  } as const;
  expect(missing({ checks: [check] }).pieces).toEqual([
    ["privileges", "not blocked", "mount a file system", "it worked"],
  ]);
});
