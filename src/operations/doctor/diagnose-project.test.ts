import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { UserError } from "../../shared/user-error.ts";
import { diagnoseProject } from "./diagnose-project.ts";

/** Has the shape of a real one, put together here so that no scanner takes this file for a leak. */
const key = ["ghp", "a1B2".repeat(9)].join("_");

async function project() {
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  const loaded = async () => ({ files: { project: null }, warnings: [] });
  return {
    path: folder.path,
    home: home.path,
    write: (name: string, text: string) => writeFileSync(join(folder.path, name), text),
    git: (...words: string[]) =>
      execFileSync("git", ["-c", "init.defaultBranch=main", ...words], { cwd: folder.path }),
    secrets: async () => {
      const lines = await diagnoseProject(
        folder.path,
        { home: home.path, env: { PATH: process.env.PATH } },
        loaded,
      );
      return lines.filter(({ name }) => name === "secrets");
    },
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test("a key in the project's configuration is red, and never shown", async () => {
  await using at = await project();
  at.write("eval-skills.config.yaml", `models: { lab: { apiKeyEnv: ${key} } }\n`);

  const [line] = await at.secrets();

  expect(line).toMatchObject({ state: "bad", found: "eval-skills.config.yaml contains a GitHub token" });
  expect(JSON.stringify(line)).not.toContain(key);
});

test("a .env file is red where git would take it along, and fine where git ignores it", async () => {
  await using at = await project();
  at.write(".env", `TOKEN=${key}\n`);
  expect(await at.secrets()).toMatchObject([{ state: "ok" }]);

  at.git("init", "--quiet");
  expect(await at.secrets()).toMatchObject([{ state: "bad", fix: "echo .env >> .gitignore" }]);

  at.git("add", ".env");
  expect(await at.secrets()).toMatchObject([{ state: "bad", fix: "git rm --cached .env" }]);

  at.git("rm", "--quiet", "--cached", ".env");
  at.write(".gitignore", ".env\n");
  expect(await at.secrets()).toMatchObject([{ state: "ok" }]);
});

test("what only looks like a file with keys raises no alarm", async () => {
  await using at = await project();
  at.git("init", "--quiet");
  at.write(".env", "TOKEN=your-token-here\nDEBUG=1\nPORT=8080\n");
  at.write(".env.example", `TOKEN=${key}\n`);
  at.write("eval-skills.config.yaml", "llm: { apiKeyEnv: OPENAI_API_KEY }\n");

  expect(await at.secrets()).toMatchObject([{ state: "ok" }]);
});

test("a key of the user's own that others may read is red", async () => {
  await using at = await project();
  mkdirSync(join(at.home, ".eval-skills"));
  const own = join(at.home, ".eval-skills", "config.yaml");
  writeFileSync(own, "llm:\n  apiKey: secret-value\n");
  chmodSync(own, 0o644);
  expect(await at.secrets()).toMatchObject([{ state: "bad", fix: `chmod 600 ${own}` }]);

  chmodSync(own, 0o600);
  expect(await at.secrets()).toMatchObject([{ state: "ok" }]);
});

test("a configuration that cannot be read is a red line, not the end of the visit", async () => {
  await using at = await project();
  const broken = async () => {
    throw new UserError("config-invalid", "eval-skills.config.yaml: $.concurency is not known", {
      hint: "did you mean concurrency?",
    });
  };

  const [line] = await diagnoseProject(at.path, { home: at.home }, broken);

  expect(line).toMatchObject({
    name: "configuration",
    state: "bad",
    found: "eval-skills.config.yaml: $.concurency is not known; did you mean concurrency?",
    fix: expect.stringContaining("eval-skills schema config"),
  });
});
