import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import type { ReportFile } from "../src/contract/document.ts";
import { answering, countingTasks, emptyProject, eventually, processesMentioning } from "./built-cli.ts";
import { parseCsv } from "./parse-csv.ts";
import { skillReport } from "./report-of.ts";

const hostile = [
  "<img src=x onerror=alert(1)>",
  "a|b|c",
  "=cmd()|' /C calc'!A0",
  "]]><!--",
  "\u001b]0;owned\u0007\u001b[31mred",
  "\u202egnp.exe",
  "line\nbreak `code` **bold** [link](javascript:alert(1))",
  "../../etc/passwd",
  "CON",
  `${"long".repeat(75)}`,
  "nul\u0000byte",
  "emoji 🦊 and 技能",
];

describe("case 10: hostile text stays text", () => {
  test("fault rows 35, 36 and 39: names of tasks, outputs and reasons are data in every output", async () => {
    await using project = await emptyProject();
    await project.skill("says", answering("return { result: input.text };"));
    const tasks = hostile.map((text) => ({
      id: text,
      description: text,
      inputData: { text },
      expectedOutput: { type: "exact", value: `not ${text}` },
      tags: [text],
    }));
    const benchmark = { id: "=cmd()|<img onerror=x>]]>", name: "Hostile", version: "1.0.0", tasks };
    const file = await project.write("tasks.json", benchmark);
    const formats = ["json", "markdown", "html", "csv", "junit"];

    const run = await project.run(
      ["eval", "--skills", "skills/says", "--tasks", file, "--verbose", "--format"].concat(formats),
    );
    const report = JSON.parse(await project.read("reports/eval-result.json"));
    const markdown = await project.read("reports/eval-result.md");

    expect(run.code).toBe(0);
    expect(skillReport(report, "says").cells.map(({ caseId }) => caseId)).toEqual(hostile);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    const [html, csv, junit] = await Promise.all(
      ["html", "csv", "xml"].map((ending) => project.read(`reports/eval-result.${ending}`)),
    );
    for (const text of [run.stdout, run.stderr, markdown, csv?.replaceAll("\r\n", "\n"), junit])
      expect(text).not.toMatch(dangerous);
    for (const text of [html, junit]) expect(text).not.toMatch(/<img|<!--<|\]\]><!--/);
    const [head, ...rows] = parseCsv(csv ?? "");
    expect(rows).toHaveLength(hostile.length);
    expect(rows[0]?.[head?.indexOf("suite") ?? 0]).toBe("'=cmd()|<img onerror=x>]]>");
    const schema = await readFile(join(import.meta.dirname, "fixtures/junit.xsd"), "utf8");
    const { errors } = await validateXML({
      xml: [{ fileName: "it.xml", contents: junit ?? "" }],
      schema: [schema],
    });
    expect(errors).toEqual([]);
    expect(junit?.match(/<testcase /g)).toHaveLength(hostile.length);
    expect((await readdir(project.at("reports"))).every((name) => /^[\w.-]+$/.test(name))).toBe(true);
  });

  test("two runs of the same inputs differ only in times, durations and the run id", async () => {
    await using project = await emptyProject();
    await project.skill("echo", answering("return { result: input.n };"));
    const tasks = await project.write("tasks.json", countingTasks(10));
    const steady = (text: string) => {
      const document: ReportFile = JSON.parse(text);
      const { id, startedAt, finishedAt, concurrency, ...run } = document.run;
      const subjects = document.subjects.map(({ metrics, ...subject }) => {
        const { latencyP50Ms, latencyP95Ms, latencyP99Ms, latP95Norm, compositeScore, ...rest } = metrics;
        return { ...subject, metrics: rest };
      });
      const cells = document.cells.map((cell) => ({
        ...cell,
        latencyMs: 0,
        beganAtMs: 0,
        finishedAt: "",
        attempts: [],
      }));
      return JSON.stringify({ ...document, run, subjects, cells, files: [] });
    };

    const texts = [];
    for (const concurrency of ["1", "5"]) {
      const argv = [
        "eval",
        "--skills",
        "skills/echo",
        "--tasks",
        tasks,
        "--runs",
        "2",
        "--concurrency",
        concurrency,
      ];
      texts.push(steady((await project.run([...argv, "--json"])).stdout));
    }

    expect(texts[0]).toBe(texts[1]);
  });
});

describe("secrets", () => {
  test("fault row 47: a canary in the environment, in output and in errors appears in no artefact", async () => {
    await using project = await emptyProject();
    const canary = "canary/9f+secret value";
    const spelled = [
      canary,
      Buffer.from(canary).toString("base64"),
      encodeURIComponent(canary),
      JSON.stringify(canary).slice(1, -1),
    ];
    const program = answering(`
      const secret = process.env.MY_TOKEN;
      console.log("stray " + secret);
      console.error("stderr " + secret);
      if (input.n === 1) process.exit(1);
      if (input.n === 2) return { result: Buffer.from(secret).toString("base64"), [secret]: 1 };
      return { result: "https://user:" + encodeURIComponent(secret) + "@example.com/" + secret };`);
    await project.skill("leaks", program, { config: { type: "subprocess", envKeys: ["MY_TOKEN"] } });
    const tasks = await project.write("tasks.json", countingTasks(3));

    const run = await project.run(
      ["eval", "--skills", "skills/leaks", "--tasks", tasks, "--verbose", "--grant", "env:MY_TOKEN"],
      {
        env: { MY_TOKEN: canary, OTHER_SECRET: "never-passed-on-1234" },
      },
    );

    expect(run.code).toBe(0);
    const files = (await readdir(project.path, { recursive: true })).filter(
      (name) => !name.startsWith("skills"),
    );
    const artefacts = [run.stdout, run.stderr];
    for (const name of files) {
      artefacts.push(await readFile(join(project.path, name), "latin1").catch(() => ""));
    }
    expect(artefacts.length).toBeGreaterThan(6);
    for (const spelling of spelled) {
      expect(artefacts.filter((text) => text.includes(spelling))).toEqual([]);
    }
    expect(artefacts.join("")).toContain("[redacted]");
    expect(run.stderr).toContain("stray [redacted]");
  });

  test("a token for an HTTP skill that is not set is exit 2 and names the variable", async () => {
    await using project = await emptyProject();
    await project.skill("web", "", {
      manifest: { adapterType: "http", entrypoint: "http://127.0.0.1:1024/invoke" },
      config: { type: "http", authType: "bearer", authTokenEnvKey: "MY_SKILL_API_KEY" },
    });

    const { code, document } = await project.run([
      ...["eval", "--skills", "skills/web", "--json"],
      ...["--grant", "env:MY_SKILL_API_KEY", "--grant", "host:127.0.0.1:1024"],
    ]);

    expect(code).toBe(2);
    expect(document.error).toMatchObject({ code: "secret-missing" });
    expect(document.error.message).toContain("MY_SKILL_API_KEY");
  });
});

describe("processes", () => {
  test("fault row 84: at level process a skill finds no variable of ours in the process that started it", async () => {
    await using project = await emptyProject();
    await project.skill(
      "looks",
      `#!/usr/bin/env python3
import json, os, sys
request = json.loads(sys.stdin.readline())
found = open(f"/proc/{os.getppid()}/environ", "rb").read().decode()
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": found.strip(chr(0)) or "nothing"}))
`,
    );
    const tasks = [
      { id: "t", description: "", inputData: {}, expectedOutput: { type: "exact", value: "nothing" } },
    ];
    const file = await project.write("tasks.json", { id: "b", name: "B", version: "1.0.0", tasks });

    const { code, document } = await project.run(
      ["eval", "--skills", "skills/looks", "--tasks", file, "--sandbox", "process", "--json"],
      { env: { SOME_TOKEN: "canary-of-the-runner" } },
    );

    expect(JSON.stringify(document)).not.toContain("canary-of-the-runner");
    expect({ code, passed: document.passed }).toEqual({ code: 0, passed: 1 });
  });

  test("fault row 13: a daemon that left its group and session does not survive its cell", async () => {
    await using project = await emptyProject();
    const program = `#!/usr/bin/env python3
import json, os, sys, time
request = json.loads(sys.stdin.readline())
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "98765"])
    os._exit(0)
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": request["params"]["n"]}), flush=True)
`;
    await project.skill("daemon", program);
    const tasks = await project.write("tasks.json", countingTasks(2));

    const { code, document } = await project.run([
      "eval",
      "--skills",
      "skills/daemon",
      "--tasks",
      tasks,
      "--json",
    ]);

    expect(code).toBe(0);
    expect(document.passed).toBe(2);
    await eventually(() => processesMentioning("98765").length === 0);
  });

  test("fault row 7: two runs on one store at once both complete, each with its own rows", async () => {
    await using project = await emptyProject();
    await project.skill("echo", answering("return { result: input.n };"));
    const tasks = await project.write("tasks.json", countingTasks(15));
    const argv = (out: string) => [
      "eval",
      "--skills",
      "skills/echo",
      "--tasks",
      tasks,
      "--output-dir",
      out,
      "--json",
    ];

    const runs = await Promise.all([project.run(argv("a")), project.run(argv("b"))]);

    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    for (const { document } of runs) expect(skillReport(document, "echo").cells).toHaveLength(15);
    expect(runs[0]?.document.run.id).not.toBe(runs[1]?.document.run.id);
  });

  test("a reader that leaves early is no failure", async () => {
    await using project = await emptyProject();
    await project.skill("echo", answering("return { result: input.n };"));
    const tasks = await project.write("tasks.json", countingTasks(3));
    const started = project.start(["eval", "--skills", "skills/echo", "--tasks", tasks, "--json"]);

    started.child.stdout?.destroy();

    expect((await started.ended).code).toBe(0);
  });
});
