import { describe, expect, test } from "vitest";
import { auditedSkill, foundBy, type SkillTexts } from "../../test/audited-skill.ts";
import { opaqueBinary } from "./aud180-opaque-binary.ts";
import { linkOrMode } from "./aud181-link-or-mode.ts";
import { notExamined } from "./aud199-not-examined.ts";
import { applyRule } from "./audit-skill.ts";
import type { AuditedSkill } from "./rule.ts";

const bytes = (hex: string) => Buffer.concat([Buffer.from(hex, "hex"), Buffer.from([0, 1, 2, 255])]);
const elf = bytes("7f454c46");
const zip = bytes("504b0304");

describe("AUD180 opaque-binary", () => {
  test.each<[string, SkillTexts, string[]]>([
    ["a program of Linux", { "bin/tool": elf }, ["bin/tool medium"]],
    ["a program of Windows", { "tool.exe": bytes("4d5a9000") }, ["tool.exe medium"]],
    ["a program of macOS", { tool: bytes("cffaedfe") }, ["tool medium"]],
    ["WebAssembly", { "x.wasm": bytes("0061736d") }, ["x.wasm medium"]],
    ["an archive", { "assets/data.zip": zip }, ["assets/data.zip medium"]],
    ["compiled Python without its source", { "run.pyc": bytes("a70d0d0a") }, ["run.pyc medium"]],
    [
      "compiled Python whose source is gone",
      { "__pycache__/a.cpython-312.pyc": bytes("cb0d0d0a"), "b.py": "" },
      ["__pycache__/a.cpython-312.pyc medium"],
    ],
    ["a program that poses as a picture", { "logo.png": elf }, ["logo.png high"]],
    ["something unknown that can be run", { "blob#755": bytes("deadbeef") }, ["blob medium"]],
    [
      "many in dependencies",
      { "node_modules/a/x.node": elf, "node_modules/b/y.node": elf },
      ["node_modules/a/x.node medium"],
    ],
  ])("%s is found", async (_, files, expected) => {
    expect(await foundBy(opaqueBinary, files)).toEqual(expected);
  });

  test.each<[string, SkillTexts]>([
    [
      "pictures and fonts",
      { "a.png": bytes("89504e470d0a1a0a"), "b.jpg": bytes("ffd8ffe0"), "c.woff2": bytes("774f4632") },
    ],
    ["documents", { "form.pdf": Buffer.from("%PDF-1.7\n\x00\xff", "latin1"), "a.docx": zip }],
    [
      "compiled Python beside its source",
      { "lib/__pycache__/a.cpython-312.pyc": bytes("cb0d0d0a"), "lib/a.py": "" },
    ],
    ["a script", { "run.sh#755": "#!/bin/sh\necho hello" }],
    ["unknown data", { "model.bin": bytes("deadbeef") }],
  ])("%s: no finding", async (_, files) => {
    expect(await foundBy(opaqueBinary, files)).toEqual([]);
  });
});

describe("AUD181 link-or-mode", () => {
  const special = (
    what: "link" | "fifo" | "device" | "socket",
    target: string | null,
    leaves: boolean,
    path = "x",
  ) => ({ specials: [{ path, what, target, leaves }] }) satisfies Partial<AuditedSkill>;

  test.each<[string, SkillTexts, Partial<AuditedSkill>, string[]]>([
    ["a link to the outside", {}, special("link", "/etc/passwd", true), ["x high"]],
    ["a pipe", {}, special("fifo", null, false), ["x high"]],
    ["a device", {}, special("device", null, false), ["x high"]],
    ["a file that lends its owner's rights", { "run#4755": "x" }, {}, ["run high"]],
    [
      "the interpreter of a virtual environment",
      {},
      special("link", "/usr/bin/python3", true, ".venv/bin/python3"),
      [".venv/bin/python3 low"],
    ],
  ])("%s is found", async (_, files, more, expected) => {
    expect(await foundBy(linkOrMode, files, more)).toEqual(expected);
  });

  test.each<[string, SkillTexts, Partial<AuditedSkill>]>([
    ["a link within the folder", {}, special("link", "../scripts/a.py", false)],
    ["an executable file", { "run#755": "x" }, {}],
    ["a file anybody may write", { "run#666": "x" }, {}],
  ])("%s: no finding", async (_, files, more) => {
    expect(await foundBy(linkOrMode, files, more)).toEqual([]);
  });
});

test("AUD199 not-examined reports each thing that was not scanned, and why", async () => {
  const skill = await auditedSkill({}, { unexamined: [{ path: "big.txt", reason: "larger than 2 MiB" }] });

  expect(applyRule(notExamined, skill)).toMatchObject([
    { rule: "AUD199", severity: "info", file: "big.txt", line: null, evidence: "larger than 2 MiB" },
  ]);
  expect(applyRule(notExamined, await auditedSkill({ "a.md": "x" }))).toEqual([]);
});
