import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import * as z from "zod";
import { actionTypes } from "../src/contract/agent-action.ts";
import { AgentCaseFile, pureKinds } from "../src/contract/agent-case.ts";
import { agentErrorCodes, stopReasons } from "../src/contract/agent-error.ts";
import { eventData } from "../src/contract/agent-event.ts";
import {
  ConversationCaseFile,
  ConversationTurn,
  conversationDimensions,
} from "../src/contract/conversation-case.ts";
import { reportFormats } from "../src/contract/format.ts";
import { scorerTypes } from "../src/contract/scorer-type.ts";
import { adapterTypes } from "../src/contract/skill-facts.ts";
import { toolErrorCodes } from "../src/contract/tool-result.ts";
import { AdapterConfig } from "../src/contract/unit-skill.ts";
import { conversationFailureCodes } from "../src/levels/conversation/grade/conversation-view.ts";
import { agentModel } from "./agent-model.ts";
import { answering, type emptyProject, quickProject } from "./built-cli.ts";
import { cardJudgeServer } from "./card-judge-server.ts";
import { type Block, type Command, isShown, readBlocks, readCommands } from "./guide-blocks.ts";
import { judgeServer } from "./judge-server.ts";
import { projectShell, quickShell, type ShellEnd } from "./project-shell.ts";
import { calculatorIn, weatherIn } from "./project-skills.ts";

const root = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);

type Project = Awaited<ReturnType<typeof emptyProject>>;
type Shell = (line: string) => Promise<ShellEnd>;

/** What a page takes as given: the skills it names, a model it asks. All else is on the page. */
const given: Record<string, (project: Project) => Promise<AsyncDisposable | undefined>> = {
  "ci.md": async (project) => void calculatorIn(project, "my_calc"),
  "contain-skills.md": async (project) => {
    const made = await projectShell(project)(
      "eval-skills create --name my_calc --from-template python_script",
    );
    expect(made.code, made.stderr).toBe(0);
    return undefined;
  },
  "compare-candidates.md": async (project) => void weatherIn(project),
  "detect-regressions.md": async (project) => {
    calculatorIn(project, "my_calc_v1");
    calculatorIn(project, "my_calc_v2", { isForgetful: true });
    return undefined;
  },
  "judge-with-a-model.md": async (project) => {
    const server = await judgeServer();
    await mkdir(join(project.home, ".eval-skills"));
    await writeFile(join(project.home, ".eval-skills/config.yaml"), `llm: { baseUrl: "${server.url}/v1" }\n`);
    return server;
  },
  "test-agents.md": async (project) => {
    const server = await agentModel(({ prompt, turn }) => {
      const isTea = prompt.includes("How hot for black tea?") && turn === 1;
      const payload = isTea ? { skills: [{ name: "tea-time" }] } : { content: "95 degrees." };
      return { action: { type: isTea ? "select_skills" : "final_answer", payload } };
    });
    await mkdir(join(project.home, ".eval-skills"));
    const models = `models: { lab: { baseUrl: "${server.url}/v1" } }\n`;
    await writeFile(join(project.home, ".eval-skills/config.yaml"), models);
    return server;
  },
  "test-triggers.md": async (project) => {
    const server = await cardJudgeServer();
    await mkdir(join(project.home, ".eval-skills"));
    const models = `models: { lab: { baseUrl: "${server.url}/v1" } }\n`;
    await writeFile(join(project.home, ".eval-skills/config.yaml"), models);
    return server;
  },
  "write-a-benchmark.md": async (project) => {
    await fibonacciIn(project);
    for (const { file, text } of readBlocks(read("docs/guides/write-a-scorer.md")))
      if (file?.startsWith("scorers/")) await project.write(file, text);
    return undefined;
  },
  "write-a-scorer.md": async (project) => void (await fibonacciIn(project)),
};

function fibonacciIn(project: Project): Promise<string> {
  return project.skill("fibonacci", answering("return { result: [1, 1, 2, 3].slice(0, input.n) };"));
}

/** Pages whose code another test runs. */
const runElsewhere: Record<string, string> = { "docs/guides/use-as-a-library.md": "test/library.test.ts" };

/** Runs a page from top to bottom: writes its files, runs its commands unchanged, and compares their output with the page. */
async function runPage(blocks: readonly Block[], project: Project, shell: Shell): Promise<number> {
  let commands = 0;
  let output: string | null = null;
  for (const { language, file, text, line } of blocks) {
    if (language === "text" && file === null) {
      const where = `line ${line} shows\n${text}\nand it says\n${output}`;
      expect(output !== null && isShown(text, output), where).toBe(true);
    }
    output = null;
    if (file !== null) await project.write(file, text);
    const lines =
      language === "sh" ? readCommands({ language, file, text, line }) : workflowLines(file, text);
    for (const command of lines) {
      const { code, stdout, stderr } = await shell(command.text);
      expect(command.exitCodes, `${command.text}\n${stdout}${stderr}`).toContain(code);
      output = stdout;
      commands++;
    }
  }
  return commands;
}

/** The lines of a workflow file that its runners would run one after the other, but for those that install. */
function workflowLines(file: string | null, text: string): Command[] {
  if (file === null || !/^\.(github|gitlab)/.test(file)) return [];
  const jobs = file.startsWith(".github") ? githubJobs(parseYaml(text).jobs) : gitlabJobs(parseYaml(text));
  return jobs.flatMap(([install, ...rest]) => {
    expect(install).toBe("npm install --global eval-skills");
    expect(rest.length).toBeGreaterThan(0);
    for (const line of rest) expect(line).toMatch(/^eval-skills /);
    return rest.map((line) => ({ text: line, exitCodes: [0] }));
  });
}

/** The lines of each job, once for every shard of its matrix. */
function githubJobs(
  jobs: Record<string, { strategy?: { matrix: { shard: number[] } }; steps: { run?: string }[] }>,
): string[][] {
  return Object.values(jobs).flatMap(({ strategy, steps }) => {
    const lines = steps.flatMap(({ run }) => run?.trim().split("\n") ?? []);
    return (strategy?.matrix.shard ?? [0]).map((shard) =>
      lines.map((line) => line.replaceAll("${{ matrix.shard }}", String(shard))),
    );
  });
}

function gitlabJobs(jobs: Record<string, { parallel?: number; script: string[] }>): string[][] {
  return Object.values(jobs).flatMap(({ parallel = 1, script }) =>
    Array.from({ length: parallel }, (_, at) =>
      script.map((line) =>
        line.replaceAll("$CI_NODE_INDEX", String(at + 1)).replaceAll("$CI_NODE_TOTAL", String(parallel)),
      ),
    ),
  );
}

describe("the README", () => {
  const page = read("README.md");
  const blocks = readBlocks(page);

  test("every eval-skills command in it runs as written, in its order, and prints what it shows", {
    timeout: 90_000,
  }, async () => {
    await using project = await quickProject();
    const ours = blocks.filter(({ text }) => !text.startsWith("npm "));
    const shell = quickShell(project);
    // It starts in an empty folder, and goes on in the clone.
    const inClone = async (line: string) => {
      const examples = join(project.path, "examples");
      if (line.includes("examples/") && !existsSync(examples))
        await symlink(join(root, "examples"), examples);
      return shell(line);
    };
    expect(await runPage(ours, project, inClone)).toBeGreaterThanOrEqual(3);
  });

  test("the other commands are npm scripts that exist, or commands of npm", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const others = blocks.filter(({ text }) => text.startsWith("npm ")).flatMap(readCommands);
    expect(others.map(({ text }) => text.replace(/ +#.*/, ""))).toEqual(["npm start", "npm link"]);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(["start", "test", "check", "bench", "fix"]));
  });

  test("it says what it has to say in 700 words, then links", () => {
    const [before = ""] = page.split("\n## Documentation\n");
    expect(before.split(/\s+/).length).toBeLessThanOrEqual(700);
  });

  test("its screenshot is there, and small", () => {
    expect(statSync(join(root, "docs/images/report.png")).size).toBeLessThan(120_000);
  });
});

describe("the reference", () => {
  test("every command in it runs as written, in its order, in an empty folder", {
    timeout: 90_000,
  }, async () => {
    await using project = await quickProject();
    // It queries recorded telemetry.
    const shell = quickShell(project, { EVAL_SKILLS_TELEMETRY_MODE: "local" });
    expect(await runPage(readBlocks(read("docs/reference.md")), project, shell)).toBeGreaterThan(25);
  });

  test("it names every command, adapter and scorer, and the page on reports every format", async () => {
    const page = read("docs/reference.md");
    const declared = (await readdir(join(root, "src/cli/commands"))).flatMap((name) =>
      /-options\.ts$/.test(name)
        ? [...read(`src/cli/commands/${name}`).matchAll(/declareCommand\(\s*program,\s*"([a-z]+)"/g)].map(
            ([, word]) => word,
          )
        : [],
    );
    expect(declared.length).toBeGreaterThan(15);
    for (const word of declared) expect(page, word).toMatch(new RegExp(`eval-skills ${word}\\b`));
    for (const word of [...adapterTypes, ...scorerTypes]) expect(page).toContain(`| \`${word}\``);
    const benchmarks = read("docs/guides/write-a-benchmark.md");
    for (const word of scorerTypes)
      expect(benchmarks, word).toMatch(new RegExp(`^\\| [^|]*\`${word}\``, "m"));
    for (const word of reportFormats) expect(read("docs/guides/read-reports.md")).toContain(`| \`${word}\``);
  });
});

describe("the guides", () => {
  test.each(guides)("%s runs as written, from top to bottom", { timeout: 90_000 }, async (page) => {
    if (page in runElsewhere) {
      expect(read(runElsewhere[page] ?? "")).toContain(page);
      return;
    }
    await using project = await quickProject();
    await using _ = await given[page.slice("docs/guides/".length)]?.(project);
    const summary = join(project.home, "summary.md");
    const onGithub = page.endsWith("/ci.md") ? { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary } : {};

    const commands = await runPage(readBlocks(read(page)), project, quickShell(project, onGithub));

    expect(commands, "a guide without a command is not run by anyone").toBeGreaterThan(0);
    if (page.endsWith("/ci.md")) expect(readFileSync(summary, "utf8")).toMatch(/^#+ .*(passed|failed)/m);
  });

  test("the README links to every one of them", () => {
    const readme = read("README.md");
    expect(guides.filter((page) => !readme.includes(`(${page})`))).toEqual([]);
  });
});

describe("the pages", () => {
  const pages = [
    "README.md",
    "AGENTS.md",
    "bench/README.md",
    "docs/agent-runs.md",
    "docs/architecture.md",
    "docs/glossary.md",
    "docs/planbench.md",
    "docs/reference.md",
    "docs/routing.md",
    "docs/telemetry.md",
    "docs/threat-model.md",
    "examples/document-desk/README.md",
    "examples/library-desk/README.md",
    "examples/library-desk/wrong-runs/README.md",
    "examples/office-team/README.md",
    "examples/slugs/README.md",
    ...guides,
  ];

  test("every block is of a kind that is checked", () => {
    const languages = new Set(
      pages.flatMap((page) => readBlocks(read(page)).map(({ language }) => language)),
    );
    expect([...languages].sort()).toEqual(["js", "json", "jsonl", "python", "sh", "text", "ts", "yaml"]);
  });

  test.each(pages)("every JSON and YAML example of %s can be read", (page) => {
    for (const { language, text } of readBlocks(read(page))) {
      if (language === "yaml") expect(() => parseYaml(text)).not.toThrow();
      if (language !== "json" && language !== "jsonl") continue;
      const documents = language === "jsonl" || text.includes('"jsonrpc"') ? text.trim().split("\n") : [text];
      for (const document of documents) expect(() => JSON.parse(document)).not.toThrow();
    }
  });

  test("every adapter configuration is one we read, and every key of every adapter is explained", () => {
    const page = read("docs/guides/write-a-skill.md");
    const configs = readBlocks(page).filter(
      ({ language, text }) => language === "json" && text.includes('"type"'),
    );
    expect(configs.map(({ text }) => JSON.parse(text).type)).toEqual(["subprocess", "http", "mcp", "custom"]);
    for (const { text } of configs)
      expect(AdapterConfig.parse(JSON.parse(text))).toMatchObject(JSON.parse(text));
    for (const { shape } of AdapterConfig.options)
      for (const key of Object.keys(shape)) expect(page).toContain(`\`${key}\``);
  });

  test("the page on agent runs names every action, event, field, error and code there is", async () => {
    const page = read("docs/agent-runs.md");
    const graders = ["src/levels/agent/grade", "src/cases/grade"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
    );
    const codes = graders
      .filter((path) => !path.includes(".test."))
      .flatMap((path) => [...read(path).matchAll(/ code: "(\w+)"/g)].map(([, code]) => code));
    const ofRubrics = ["NotObserved", "RubricNotMet"];
    const { properties } = z.toJSONSchema(AgentCaseFile, { io: "input", unrepresentable: "any" });
    const schema = properties as Record<string, { properties: Record<string, { properties?: object }> }>;
    const fields = [
      schema,
      schema.setup,
      schema.constraints,
      schema.expect,
      schema.expect?.properties.output,
    ].flatMap((part) => Object.keys((part as { properties?: object }).properties ?? part ?? {}));
    expect(fields).toEqual(
      expect.arrayContaining(["id", "invoke_skills", "max_turns", "errors", "regex_match"]),
    );
    const words = [...actionTypes, ...Object.keys(eventData), ...agentErrorCodes, ...stopReasons];
    for (const word of [
      ...words,
      ...fields,
      ...pureKinds,
      ...codes.filter((code) => !ofRubrics.includes(code ?? "")),
    ])
      expect(page, word).toMatch(new RegExp(`\\b${word}\\b`));
  });

  test("and every field, dimension, result and code of a conversation", () => {
    const [, section = ""] = read("docs/agent-runs.md").split("\n## Conversations\n");
    const [ofConversations = ""] = section.split("\n## ");
    const { setup, expect: expected, constraints } = ConversationCaseFile.shape;
    const fields = [setup.def.innerType, expected.def.innerType, constraints.def.innerType].flatMap((part) =>
      Object.keys(part.shape),
    );
    expect(fields).toEqual(expect.arrayContaining(["document", "uses_result", "max_tool_calls"]));
    for (const word of [
      ...fields,
      ...Object.keys(ConversationTurn.shape),
      ...conversationDimensions,
      ...conversationFailureCodes,
      ...toolErrorCodes,
    ])
      expect(ofConversations, word).toMatch(new RegExp(`\\b${word}\\b`));
  });

  test("the map names every folder of src, and no other", async () => {
    const rows = read("AGENTS.md")
      .split("\n")
      .filter((line) => line.startsWith("| `src/"));
    const named = rows
      .flatMap((row) =>
        [...(row.split("|")[1] ?? "").matchAll(/`src\/([a-z-]+)\/`/g)].map(([, name]) => name),
      )
      .sort();
    const folders = (await readdir(join(root, "src"), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
    expect(named).toEqual(folders);
  });

  test("every dependency has its reason in a decision record", async () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"));
    const folder = join(root, "docs/decisions");
    const records = (await readdir(folder)).map((name) => readFileSync(join(folder, name), "utf8"));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const asWord = new RegExp(`(?<![\\w/-])${name}(?![\\w/-])`); // vitest is no reason for vite
      expect(
        records.some((text) => asWord.test(text)),
        name,
      ).toBe(true);
    }
    for (const text of records) expect(text.split("\n").length).toBeLessThan(40);
  });

  test("the lockfile names no registry host", () => {
    const lock = JSON.parse(read("package-lock.json"));
    const resolved = Object.values(lock.packages as Record<string, { resolved?: string }>).map(
      (entry) => entry.resolved,
    );
    expect(resolved.filter((address) => address !== undefined)).toEqual([]);
  });
});
