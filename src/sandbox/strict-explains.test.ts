import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { describeStrict } from "../../test/strict-machine.ts";
import { openStrict, python, skillFolder } from "../../test/strict-sandbox.ts";
import type { SkillCommand } from "../contract/sandbox.ts";
import { realPath } from "../shared/files/paths.ts";
import type { SandboxOptions } from "./open-sandbox.ts";

const suite = '{ "id": "s", "tasks": [{ "inputData": {}, "expectedOutput": { "value": "canary" } }] }';

/** A project with two skills, what they share, and what is nobody's business. */
async function project() {
  const folder = await skillFolder({
    "skills/a/main.py": "",
    "skills/a/lib.mjs": "",
    "skills/a/tests/helper.py": "word = 'helped'",
    "skills/a/tests/helper.cjs": "",
    "skills/a/tests/a.eval.json": suite,
    "skills/a/.git/HEAD": "",
    "skills/a/closed.txt": "",
    "skills/b/SKILL.md": "another",
    "shared/util.py": "word = 'shared'",
    "shared/util.mjs": "",
    "shared/data.json": "{}",
    "shared/old.eval.json": suite,
    "node_modules/left-pad/index.js": "",
    "opt/bin/tool": "#!/bin/sh\necho tool",
    "opt/lib/x": "",
  });
  chmodSync(join(folder.path, "opt/bin/tool"), 0o755);
  chmodSync(join(folder.path, "skills/a/closed.txt"), 0);
  const at = (name: string) => join(realPath(folder.path), name);
  return { at, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

type At = (name: string) => string;

/** Runs a command of skill `a`, and says what kept it from ending well. */
async function explain(at: At, argv: SkillCommand["argv"], options: Partial<SandboxOptions> = {}) {
  const hidden = [at("skills/a"), at("skills/b")];
  await using sandbox = openStrict({ network: "none", hidden, ...options });
  const command = { argv, cwd: at("skills/a"), env: {}, deadlineMs: null };
  const skill = sandbox.start(command);
  skill.stdin.end();
  const [words, exit] = await Promise.all([text(skill.stderr).catch(() => ""), skill.exited]);
  const why = sandbox.explain?.(command, { words })?.why ?? null;
  return { why, hasFailed: exit.code !== 0 };
}

const shown = (path: string, grant: string) =>
  `the sandbox does not show ${path}; show it with --grant read:${grant}`;
const never = (path: string) => `the sandbox does not show ${path}; run with --sandbox process to show it`;
const readOnly = (path: string) =>
  `the sandbox does not let it write to ${path}; it can write below $HOME and $TMPDIR, or anywhere with --sandbox process`;

describeStrict(
  "fault row 74: what the sandbox hid from a skill that failed is named, with the grant that shows it:",
  () => {
    const py = (code: string): SkillCommand["argv"] => [python, "-c", code];
    const cases: readonly (readonly [
      what: string,
      argv: (at: At) => SkillCommand["argv"],
      why: (at: At) => string,
    ])[] = [
      [
        "an entrypoint of Python",
        (at) => [python, at("shared/util.py")],
        (at) => shown(at("shared/util.py"), at("shared")),
      ],
      [
        "an entrypoint of Node",
        (at) => [process.execPath, at("shared/util.mjs")],
        (at) => shown(at("shared/util.mjs"), at("shared")),
      ],
      [
        "an entrypoint by a relative path",
        () => ["sh", "../../opt/bin/tool"],
        (at) => shown(at("opt/bin/tool"), at("opt/bin")),
      ],
      ["a program outside", (at) => [at("opt/bin/tool")], (at) => shown(at("opt/bin/tool"), at("opt"))],
      [
        "a file beside it",
        () => py("open('../../shared/data.json')"),
        (at) => shown(at("shared/data.json"), at("shared")),
      ],
      ["a folder above it", () => ["ls", "../../shared"], (at) => shown(at("shared"), at("shared"))],
      ["a file of the system", () => ["cat", "/etc/hostname"], () => shown("/etc/hostname", "/etc/hostname")],
      [
        "a module of Node",
        () => [process.execPath, "-e", "require('../../shared/util.mjs')"],
        (at) => shown(at("shared/util.mjs"), at("shared")),
      ],
      [
        "a package above it",
        () => [process.execPath, "-e", "require('left-pad')"],
        (at) => shown(at("node_modules/left-pad"), at("node_modules")),
      ],
      [
        "its own tests",
        () => [process.execPath, "-e", "require('./tests/helper.cjs')"],
        (at) => shown(at("skills/a/tests/helper.cjs"), at("skills/a/tests")),
      ],
      [
        "its own tests, in Python",
        () => py("import sys; sys.path[0] = '.'; from tests import helper"),
        (at) => shown(at("skills/a/tests/helper.py"), at("skills/a/tests")),
      ],
      ["its own suite", () => ["cat", "tests/a.eval.json"], (at) => never(at("skills/a/tests/a.eval.json"))],
      ["its version control", () => ["cat", ".git/HEAD"], (at) => never(at("skills/a/.git/HEAD"))],
      ["another skill", () => ["cat", "../b/SKILL.md"], (at) => never(at("skills/b/SKILL.md"))],
      [
        "a suite beside a shared file",
        () => ["cat", "../../shared/old.eval.json"],
        (at) => shown(at("shared/old.eval.json"), at("shared/old.eval.json")),
      ],
      [
        "its own folder by its path",
        (at) => py(`open("${at("skills/a/main.py")}")`),
        (at) =>
          `inside the sandbox there is no ${at("skills/a/main.py")}: the skill's folder is /skill; use a relative path`,
      ],
      [
        "its own folder, to be written to",
        () => py("open('cache.json', 'w')"),
        (at) => readOnly(at("skills/a/cache.json")),
      ],
      [
        "a folder outside, to be written to",
        (at) => ["mkdir", at("shared/new")],
        (at) => readOnly(at("shared/new")),
      ],
    ];
    test.each(cases)("%s", async (_, argv, why) => {
      await using folder = await project();
      expect(await explain(folder.at, argv(folder.at))).toEqual({ why: why(folder.at), hasFailed: true });
    });

    test("a module of Python that its source leads to", async () => {
      await using folder = await project();
      for (const source of [
        "import sys; sys.path.append('../../shared'); import util",
        "import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), '..', '..', 'shared'))\nimport util",
        "import sys, pathlib\nsys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'shared'))\nimport util",
      ]) {
        writeFileSync(folder.at("skills/a/main.py"), source);
        const { why } = await explain(folder.at, [python, "main.py"]);
        expect([source, why]).toEqual([
          source,
          expect.stringContaining(`--grant read:${folder.at("shared")}`),
        ]);
      }
    });

    test("the grant that it names shows it", async () => {
      await using folder = await project();
      const { at } = folder;
      for (const [argv, granted] of [
        [[python, at("shared/util.py")], at("shared")],
        [[at("opt/bin/tool")], at("opt")],
        [["cat", "/etc/hostname"], "/etc/hostname"],
        [[process.execPath, "-e", "require('left-pad')"], at("node_modules")],
        [["cat", "../../shared/old.eval.json"], at("shared/old.eval.json")],
        [["sh", "../../opt/bin/tool"], at("opt/bin")],
      ] as const)
        expect([argv, await explain(at, argv, { granted: [granted] })]).toEqual([
          argv,
          { why: null, hasFailed: false },
        ]);
    });
  },
);

describeStrict("fault row 74: a skill that failed by itself is not excused,", () => {
  const cases: readonly (readonly [string, SkillCommand["argv"]])[] = [
    ["when it looks for what is nowhere", ["cat", "/srv/nowhere/x"]],
    ["when what it names is shown", ["sh", "-c", "cat /usr/lib/os-release/x; cat main.py/x"]],
    ["when its own file is not to be read", ["sh", "-c", "./main.py"]],
    [
      "when it names what is hidden, and not that it was missing",
      ["sh", "-c", "echo refused to read /etc/hostname >&2; exit 1"],
    ],
    ["when it asks for what the kernel makes up", ["cat", "/proc/1/mem", "/dev/kmsg"]],
    ["when it may write there", ["sh", "-c", "mkdir /tmp/a/b/c"]],
  ];
  test.each(cases)("%s", async (_, argv) => {
    await using folder = await project();
    expect(await explain(folder.at, argv)).toEqual({ why: null, hasFailed: true });
  });
});
