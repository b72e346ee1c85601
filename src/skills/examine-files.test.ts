import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { examined } from "../../test/examined-skill.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { Diagnostics } from "../contract/diagnostics.ts";
import { examineFiles } from "./examine-files.ts";
import { SkillFolder } from "./folder/skill-folder.ts";

/** A skill's folder, and what looking at the kinds of its files found. */
async function skillFolder(files: readonly string[]) {
  const folder = await temporaryFolder();
  const dir = join(folder.path, "my-skill");
  for (const path of ["SKILL.md", ...files]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), "x");
  }
  function found(): string[] {
    const diagnostics = new Diagnostics("lenient", "my-skill");
    examineFiles(null, new SkillFolder(dir), diagnostics);
    return diagnostics.list().map(({ code, severity, file, message }) => {
      expect([code, severity]).toEqual(["SKD06", "error"]);
      expect(message.startsWith(`${file}: `)).toBe(true);
      return message;
    });
  }
  return {
    at: (path: string) => join(dir, path),
    link: (path: string, target: string) => symlinkSync(target, join(dir, path)),
    found,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("plain files, folders and links that stay inside are as they should be", async () => {
  await using skill = await skillFolder([
    "scripts/run.py",
    "README.md",
    "docs/readme.md",
    ".env",
    "ß/x",
    "ß.md",
  ]);
  skill.link("docs/link.md", "../README.md");
  skill.link("docs/loop", "..");
  skill.link("self", "self");
  skill.link("later", "not/there/yet");

  expect(skill.found()).toEqual([]);
});

test("what is neither file nor folder nor link is named", async () => {
  await using skill = await skillFolder(["data/x"]);
  execFileSync("mkfifo", [skill.at("data/pipe")]);
  const server = createServer().listen(skill.at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));

  expect(skill.found()).toEqual(["data/pipe: a named pipe", "socket: a socket"]);
  server.close();
});

test("a link that leaves is named, also where nothing is there and where the way out hides behind another link", async () => {
  await using skill = await skillFolder(["deep/x"]);
  skill.link("a", "/etc/passwd");
  skill.link("b", "../my-skill-evil/x");
  skill.link("deep/top", "..");
  skill.link("c", "deep/top/../x");

  expect(skill.found()).toEqual(
    ["a", "b", "c"].map((path) => `${path}: a symlink that points outside the skill folder`),
  );
});

test("names that some systems take for one are reported, the later of each two, folders too", async () => {
  await using skill = await skillFolder([
    "README.md",
    "Readme.md",
    "docs/stra\u00dfe",
    "docs/STRASSE",
    "n/\u00e9",
    "n/e\u0301",
    "Lib/same",
    "lib/same",
  ]);
  const same = "on file systems that ignore case or Unicode form";

  expect(skill.found()).toEqual([
    `Readme.md: same name as README.md ${same}`,
    `docs/stra\u00dfe: same name as docs/STRASSE ${same}`,
    `lib: same name as Lib ${same}`,
    `n/\u00e9: same name as n/e\u0301 ${same}`,
  ]);
});

test("what the digest leaves out is not looked at", async () => {
  await using skill = await skillFolder(["node_modules/.bin/x", "venv/bin/x", "A.log", "a.log"]);
  skill.link("node_modules/.bin/tsc", "/usr/bin/tsc");
  skill.link("venv/bin/python", "/usr/bin/python3");

  expect(skill.found()).toEqual([]);
});

test("of many paths five are listed, and the others counted", async () => {
  await using skill = await skillFolder([]);
  for (let n = 0; n < 9; n++) skill.link(`link${n}`, "/etc");

  const found = skill.found();

  expect(found).toHaveLength(6);
  expect(found).toContain(".: 4 more paths with the same kind of problem");
});

test("a skill beyond the caps is reported so, by the sizes the file system states", async () => {
  await using skill = await skillFolder(["large"]);
  truncateSync(skill.at("large"), 256 * 1024 * 1024);

  expect(skill.found()).toEqual([".: contains more than 256 MiB, the limit for a skill"]);
});

test("patterns too long to be held against every path are reported, and the files looked at without them", async () => {
  const manifest = {
    ...{ id: "my-skill", name: "a", version: "1.0.0", description: "Sorts words." },
    ...{
      adapterType: "http",
      entrypoint: "http://127.0.0.1:9/",
      metadata: { digestIgnore: ["a".repeat(5000)] },
    },
  };

  const { lines } = await examined({ "skill.json": JSON.stringify(manifest), A: "", a: "" });

  expect(lines).toEqual([
    "SKD06 .: metadata.digestIgnore has more than 4,096 characters",
    "SKD06 a: same name as A on file systems that ignore case or Unicode form",
  ]);
});

test("a name that is not text is reported, and hides no other", async () => {
  await using skill = await skillFolder(["x"]);
  writeFileSync(Buffer.concat([Buffer.from(skill.at("a")), Buffer.from([0xff])]), "");
  skill.link("z", "/etc");

  expect(skill.found()).toEqual([
    "a\ufffd: has a name that is not UTF-8",
    "z: a symlink that points outside the skill folder",
  ]);
});

test.skipIf(process.getuid?.() === 0)("files and folders that may not be read are reported", async () => {
  await using skill = await skillFolder(["secret", "locked/x"]);
  chmodSync(skill.at("secret"), 0o000);
  chmodSync(skill.at("locked"), 0o000);

  expect(skill.found()).toEqual(["locked: cannot be read (EACCES)", "secret: cannot be read (EACCES)"]);
  chmodSync(skill.at("locked"), 0o700);
});
