import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStrict } from "../../test/strict-machine.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { probeGroups } from "../contract/sandbox.ts";
import { findBubblewrap } from "./machine-facts.ts";
import { proveContainment } from "./prove-containment.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";

const { env } = process;

describeStrict("the sandbox of bubblewrap", () => {
  const found = () => findBubblewrap(env) as BubblewrapPieces;

  test("hold against every check: strict", async () => {
    const proof = await proveContainment({ env, network: "none", isThorough: true });

    expect(proof.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(proof).toMatchObject({ level: "strict", unproven: [], pieces: [], hint: null });
    expect([...new Set(proof.checks.map(({ group }) => group))]).toEqual([...probeGroups]);
    expect(proof.checks.find(({ name }) => name.includes("CPU"))).toMatchObject({ seen: "cpu-limit" });
  });

  test("with an open network are proven in everything else", async () => {
    const proof = await proveContainment({ env, network: "open" });

    expect(proof).toMatchObject({ level: "strict", unproven: [] });
    expect(proof.checks.filter(({ group }) => group === "network")).toEqual([]);
  });

  test("with an allow-list lead to listed hosts and nowhere else", async () => {
    const proof = await proveContainment({ env, network: ["a.example"] });

    expect(proof.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(proof.level).toBe("strict");
    expect(proof.checks.filter(({ name }) => name.includes("proxy"))).toMatchObject([
      { expected: "works", seen: "200" },
      { expected: "blocked", seen: "403" },
    ]);
  });

  test("without a system call filter are reduced, and what is open is named", async () => {
    const proof = await proveContainment({ env, network: "none", bubblewrap: { ...found(), seccomp: null } });

    expect(proof.level).toBe("reduced");
    expect(proof.unproven).toContain("privileges: trace another process with ptrace");
    expect(proof.unproven).toContain("privileges: system call filter");
  });

  test("without prlimit are reduced, and limits are what is missing", async () => {
    const proof = await proveContainment({ env, network: "open", bubblewrap: { ...found(), prlimit: null } });

    expect(proof).toMatchObject({
      level: "reduced",
      unproven: ["limits: one file past the cap", "limits: one process past the cap"],
      hint: expect.stringContaining("prlimit not installed"),
    });
  });

  test("by a bubblewrap too old to switch user namespaces off are reduced", async () => {
    await using old = await fakeBubblewrap(`
flags=$(mktemp)
cat <&4 >"$flags"
if grep -qz -e --disable-userns "$flags"; then
  rm "$flags"
  echo "bwrap: Unknown option --disable-userns" >&2
  exit 1
fi
exec 4<"$flags"
rm "$flags"
exec ${found().bwrap} "$@"
`);
    const proof = await proveContainment({
      env,
      network: "none",
      bubblewrap: { ...found(), bwrap: old.path },
    });

    expect(proof).toMatchObject({
      level: "reduced",
      unproven: ["privileges: user namespaces switched off"],
      bubblewrap: { disableUserns: false },
    });
  });

  test("that cannot be raised leave process, with the words for it", async () => {
    await using refused = await fakeBubblewrap(
      'echo "bwrap: No permissions to create new namespace" >&2\nexit 1\n',
    );
    const bubblewrap = { ...found(), bwrap: refused.path };

    const proof = await proveContainment({ env, network: "none", bubblewrap });

    expect(proof).toMatchObject({ level: "process", bubblewrap: null, checks: [] });
    expect(proof.pieces.find(({ name }) => name === "user namespaces")).toMatchObject({ state: "refused" });
    expect(proof.hint).toMatch(/^user namespaces: refused/);
  });
});

describeStrict("a sandbox", () => {
  test("fault row 85: that fails once by chance is probed once more before less is reported", async () => {
    await using folder = await temporaryFolder();
    const tried = join(folder.path, "tried");
    chmodSync(folder.path, 0o777); // as root, another user starts it
    const bwrap = (findBubblewrap(env) as BubblewrapPieces).bwrap;
    await using moody = await fakeBubblewrap(`
[ -e "${tried}" ] && exec ${bwrap} "$@"
touch "${tried}"
echo "bwrap: Can't fork for pid 1: Resource temporarily unavailable" >&2
exit 1
`);
    const bubblewrap = { ...(findBubblewrap(env) as BubblewrapPieces), bwrap: moody.path };

    expect(await proveContainment({ env, network: "open", bubblewrap })).toMatchObject({ level: "strict" });
  });
});

test("without bubblewrap nothing is proven, and the way to it is reported", async () => {
  const proof = await proveContainment({ env: { PATH: "/nowhere" }, network: "open" });

  expect(proof).toMatchObject({ level: "process", bubblewrap: null, checks: [], unproven: [] });
  expect(proof.hint).toMatch(/^bubblewrap not installed/);
});

async function fakeBubblewrap(script: string) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "bwrap");
  writeFileSync(path, `#!/bin/sh\n${script}`);
  chmodSync(folder.path, 0o755); // as root, it is started by another user
  chmodSync(path, 0o755);
  return { path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}
