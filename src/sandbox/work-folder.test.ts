import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict, runInside, skillFolder } from "../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import { openSandbox } from "./open-sandbox.ts";

const script = `cat inputs/a.txt "$SKILL/b.txt" "$1"; echo made > made.txt; rm inputs/a.txt; mkdir -p deep; echo more > deep/d.txt`;

/** Runs a script in a workspace that holds a file, with a skill beside it. */
async function workIn(sandbox: Sandbox, workspace: string, script: string, ...args: string[]) {
  await using skill = await skillFolder({ "b.txt": "b\n", "evals/key.txt": "answer" });
  return await runInside(sandbox, {
    argv: ["/bin/sh", "-c", script, "sh", ...args],
    ...{ cwd: workspace, workspace, folder: skill.path },
    env: { SKILL: skill.path },
  });
}

async function workspaceFolder() {
  const folder = await temporaryFolder();
  chmodSync(folder.path, 0o755);
  const path = join(folder.path, "sandbox");
  mkdirSync(join(path, "inputs"), { recursive: true });
  writeFileSync(join(path, "inputs/a.txt"), "a\n");
  return { path, parent: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function expectToStay(sandbox: Sandbox, workspace: string) {
  const first = await workIn(sandbox, workspace, script, join(workspace, "inputs/a.txt"));
  expect(first).toMatchObject({ out: "a\nb\na\n", err: "", exit: { code: 0 } });
  // We write between two starts, which may have different users.
  writeFileSync(join(workspace, "deep/ours.txt"), "ours\n");
  const again = `ls . deep inputs; echo again >> made.txt; echo again >> deep/ours.txt`;
  const second = await workIn(sandbox, workspace, again);
  expect(second).toMatchObject({ err: "", exit: { code: 0 } });
  expect(second.out.split(/\s+/)).toEqual(expect.arrayContaining(["made.txt", "d.txt", "ours.txt"]));
  expect(second.out).not.toContain("a.txt");
  expect(readFileSync(join(workspace, "made.txt"), "utf8")).toBe("made\nagain\n");
  expect(readFileSync(join(workspace, "deep/ours.txt"), "utf8")).toBe("ours\nagain\n");
}

test.each(["process", "off"] as const)("what is written in a workspace stays at level %s", async (level) => {
  await using workspace = await workspaceFolder();
  await using sandbox = openSandbox({ level, killGraceMs: 300, memoryMb: null });
  await expectToStay(sandbox, workspace.path);
});

describeStrict("in the sandbox a workspace", () => {
  test.each(["strict", "reduced"] as const)("keeps what is written there at level %s", async (level) => {
    await using workspace = await workspaceFolder();
    await using sandbox = openStrict({ level });
    await expectToStay(sandbox, workspace.path);
    expect(statSync(workspace.path).mode & 0o777).toBe(0o700);
  });

  test("is all that can be written, and expectations of the skill stay hidden", async () => {
    await using workspace = await workspaceFolder();
    await using sandbox = openStrict();
    const { out } = await workIn(
      sandbox,
      workspace.path,
      `pwd; ls "$SKILL/evals"; touch "$SKILL/new" 2>/dev/null || echo closed; touch here && echo open`,
    );
    expect(out).toBe("/work\nclosed\nopen\n");
  });

  test("is mounted where nobody but its owner can walk to it", async () => {
    await using workspace = await workspaceFolder();
    chmodSync(workspace.parent, 0o700);
    await using sandbox = openStrict();
    await expectToStay(sandbox, workspace.path);
  });

  test("with links that lead out hands over nothing but itself", async () => {
    await using workspace = await workspaceFolder();
    await using outside = await skillFolder({ "secret.txt": "secret" });
    symlinkSync(outside.path, join(workspace.path, "folder"));
    symlinkSync(join(outside.path, "secret.txt"), join(workspace.path, "file"));
    await using sandbox = openStrict();
    const { out } = await workIn(sandbox, workspace.path, "cat file folder/secret.txt; ls");
    expect(out).toBe("file\nfolder\ninputs\n");
    expect(statSync(join(outside.path, "secret.txt")).uid).toBe(process.getuid?.());
  });
});
