import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";
import { madeDocx, paragraph, part } from "../../../test/made-docx.ts";
import { promptText, promptToolFiles, promptToolFolder } from "../../../test/prompt-tool-files.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { SkillFolder } from "../folder/skill-folder.ts";
import { findPrompt, readPrompt } from "./find-prompt.ts";

type Files = Record<string, string | Uint8Array>;
type Json = Record<string, unknown>;

const text = promptText;
const folder = promptToolFolder;
const card = "description: Checks invoices\n";

describe("which file is the prompt", () => {
  test.each<[string, Json, Files, string | null, string[]]>([
    [
      "the one that is named",
      { system_prompt: "./a/../rules.txt", prompt: "none.md" },
      { "rules.txt": text },
      "rules.txt",
      [],
    ],
    [
      "the second key, where the first is missing",
      { prompt: "deep/rules.md" },
      { "deep/rules.md": text },
      "deep/rules.md",
      [],
    ],
    [
      "none but the one that is named",
      { system_prompt: "none.md" },
      { "SYSTEM.md": text },
      null,
      ["AHM04 entry none.md: missing"],
    ],
    [
      "none outside",
      { system_prompt: "../checker2/SYSTEM.md" },
      {},
      null,
      ["AHM04 entry ../checker2/SYSTEM.md: outside"],
    ],
    [
      "none by an absolute path",
      { system_prompt: "/etc/hostname" },
      {},
      null,
      ["AHM04 entry /etc/hostname: outside"],
    ],
    [
      "no other format",
      { system_prompt: "rules.pdf" },
      { "rules.pdf": text },
      null,
      ["AHM04 entry rules.pdf: unsupported"],
    ],
    [
      "no folder",
      { system_prompt: "deep" },
      { "deep/a.md": text },
      null,
      ["AHM04 entry deep: unsupported (not a regular file)"],
    ],
    [
      "letters of either case where it is named",
      { system_prompt: "RULES.MD" },
      { "RULES.MD": text },
      "RULES.MD",
      [],
    ],
    [
      "not the one in other letters",
      { system_prompt: "System.md" },
      { "SYSTEM.md": text },
      null,
      ["AHM04 entry System.md: missing"],
    ],
    [
      "SYSTEM before prompt",
      {},
      { "SYSTEM.md": text, "prompt.md": text },
      "SYSTEM.md",
      ["AHM05 SYSTEM.md: used as the prompt, but prompt.md could be it too"],
    ],
    [
      "Markdown before text",
      {},
      { "SYSTEM.txt": text, "SKILL.md": text },
      "SKILL.md",
      ["AHM05 SKILL.md: used as the prompt, but SYSTEM.txt could be it too"],
    ],
    [
      "the one that meta.yml names",
      {},
      { "SYSTEM.md": text, "rules.md": text, "meta.yml": "prompt: rules.md\n" },
      "rules.md",
      [],
    ],
    [
      "none but the one that meta.yml names",
      {},
      { "SYSTEM.md": text, "meta.yml": "prompt: rules.md\n" },
      null,
      ["AHM04 entry rules.md: missing"],
    ],
    [
      "the manifest's before that of meta.yml",
      { prompt: "SYSTEM.md" },
      { "SYSTEM.md": text, "meta.yml": "prompt: rules.md\n" },
      "SYSTEM.md",
      [],
    ],
    [
      "a candidate before the only other file",
      {},
      { "SYSTEM.txt": text, "meta.yml": "summary: x\n" },
      "SYSTEM.txt",
      [],
    ],
    ["the only file beside meta.yml", {}, { "rules.md": text, "meta.yml": "summary: x\n" }, "rules.md", []],
    [
      "none of two beside meta.yml",
      {},
      { "a.md": text, "b.txt": text, "meta.yml": "summary: x\n" },
      null,
      ["AHM04 entry SYSTEM.md: missing"],
    ],
    ["no other file without meta.yml", {}, { "rules.md": text }, null, ["AHM04 entry SYSTEM.md: missing"]],
    [
      "a path without end",
      { system_prompt: "a/".repeat(200_000) },
      { "SYSTEM.md": text },
      null,
      [expect.stringMatching(/: missing$/)],
    ],
    [
      "a path with a null character",
      { system_prompt: "SYSTEM.md\0" },
      { "SYSTEM.md": text },
      null,
      [expect.stringMatching(/: missing$/)],
    ],
  ])("%s", async (_, entry, files, path, lines) => {
    const { skill: read, lines: reported } = await examined(promptToolFiles({ entry }, files), { folder });

    expect(reported.filter((line) => line.startsWith("AHM"))).toEqual(lines);
    expect(read?.instructions?.path ?? null).toBe(path);
  });

  test.each<[string, Files, string | null]>([
    ["a prompt", { "prompt.txt": text }, "prompt.txt"],
    ["meta.yml that names one", { "a.md": text, "b.md": text, "meta.yml": `${card}prompt: b.md\n` }, "b.md"],
    ["meta.yml beside the only text", { "a.md": text, "meta.yml": card }, "a.md"],
    ["meta.yml with a summary", { "a.txt": text, "meta.yml": "summary: x\n" }, "a.txt"],
    ["meta.yml beside two", { "a.md": text, "b.md": text, "meta.yml": card }, null],
    ["meta.yml that says nothing", { "a.md": text, "meta.yml": "triggers: [x]\n" }, null],
    ["a text that nobody describes", { "a.md": text }, null],
  ])("without a manifest: %s", async (_, files, path) => {
    const { skill: read, lines } = await examined(files, { folder });

    expect(read?.instructions?.path ?? null).toBe(path);
    expect(read?.kind ?? null).toBe(path === null ? null : "prompt-tool");
    expect(lines).toEqual([]);
  });

  test("a meta.yml that cannot be read is reported, and what does not need it goes on", async () => {
    const { skill: read, lines } = await examined(
      { "SYSTEM.md": text, "meta.yml": "a: 1\na: 2\n" },
      { folder },
    );

    expect(read?.instructions?.path).toBe("SYSTEM.md");
    expect(lines).toEqual([expect.stringMatching(/^AHM05 meta\.yml: not read, .*"a"/)]);
  });

  test("a link may lead to a file of the folder, and to no other", async () => {
    await using temporary = await temporaryFolder();
    const dir = join(temporary.path, folder);
    mkdirSync(dir);
    writeFileSync(join(temporary.path, "outside.md"), text);
    writeFileSync(join(dir, "inside.md"), text);
    symlinkSync("inside.md", join(dir, "good.md"));
    symlinkSync("../outside.md", join(dir, "bad.md"));
    symlinkSync("loop.md", join(dir, "loop.md"));
    const problems = ["good.md", "bad.md", "loop.md"].map((system_prompt) => {
      const diagnostics = new Diagnostics("strict", folder);
      findPrompt(
        new SkillFolder(dir),
        { entry: { system_prompt }, manifest: null, sidecar: null },
        diagnostics,
      );
      return diagnostics.list().map(({ message }) => message);
    });

    expect(problems).toEqual([[], ["entry bad.md: outside"], [expect.stringMatching(/^entry loop\.md: /)]]);
  });
});

describe("the text of a prompt", () => {
  async function read(name: string, content: string | Uint8Array, format: "md" | "txt" | "docx") {
    await using temporary = await temporaryFolder();
    writeFileSync(join(temporary.path, name), content);
    return readPrompt(new SkillFolder(temporary.path), { path: name, format });
  }

  test("is that of the file, without a byte order mark", async () => {
    expect(await read("SYSTEM.txt", `\ufeff核对\r\n`, "txt")).toEqual({
      ok: true,
      text: "核对\r\n",
      unread: {},
    });
    expect(await read("SYSTEM.docx", await madeDocx(paragraph("核对")), "docx")).toEqual({
      ok: true,
      text: "核对",
      unread: {},
    });
  });

  test.each<[string, string, Uint8Array, string]>([
    ["bytes that are not UTF-8", "SYSTEM.md", Buffer.from([0x61, 0xff]), "not UTF-8"],
    ["what only calls itself a document", "SYSTEM.docx", Buffer.from("text"), "it is not a zip archive"],
  ])("%s are an error of the skill", async (_, file, content, problem) => {
    const { lines } = await examined({ [file]: content }, { folder });

    expect(lines).toEqual(["PTS01 manifest: AHM04", `AHM04 entry ${file}: unsupported (${problem})`]);
  });

  test("of a document, what is not read is reported", async () => {
    const parts = {
      "word/header1.xml": part("hdr", paragraph("Company")),
      "word/header2.xml": part("hdr", paragraph("Secret")),
      "word/footer1.xml": part("ftr", paragraph("1")),
    };
    const box = `<w:p><w:r><w:pict><v:textbox><w:txbxContent>${paragraph("x")}</w:txbxContent></v:textbox></w:pict></w:r></w:p>`;
    const { skill: loaded, lines } = await examined(
      { "SYSTEM.docx": await madeDocx(paragraph("Check.") + box + box, parts) },
      { folder },
    );
    const clean = await examined({ "SYSTEM.docx": await madeDocx(paragraph("Check.")) }, { folder });

    expect(loaded?.instructions).toEqual({ path: "SYSTEM.docx", format: "docx" });
    expect(lines).toEqual(["AHM05 SYSTEM.docx: 2 text boxes, 2 headers, 1 footer not read"]);
    expect(clean.lines).toEqual([]);
  });

  test("what is wrong with it is reported also where the manifest is wrong", async () => {
    const files = { "SYSTEM.md": "x".repeat(5000), "scripts/count.py": "def count():\n    return {}\n" };
    const { skill: loaded, lines } = await examined(
      promptToolFiles({ tools: [{ name: "count", parameters: true }], output: {} }, files),
      { folder },
    );

    expect(loaded).toBeNull();
    expect(lines).toEqual(
      expect.arrayContaining([expect.stringMatching(/^PTS08 /), expect.stringMatching(/^PTS10 /)]),
    );
  });
});
