import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellReader } from "../../../test/sample-document.ts";
import { reportFile, skillParts } from "../../../test/sample-report-file.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { levels } from "../../levels/levels.ts";
import { viewReport } from "../../report/view/view-report.ts";
import { annotateGithub } from "../commands/carry-session-out.ts";
import { commandIo } from "./command-io.ts";
import { addSummary } from "./github.ts";
import { workflowSafe } from "./github-sink.ts";

/** What GitHub's runner would take for a command: two colons at the beginning of a line, or the older form anywhere. */
function readsCommand(text: string): boolean {
  return text.split(/[\r\n]/).some((line) => /^[\s\u0085]*::/.test(line) || line.includes("##["));
}

function written(pieces: readonly string[], isJson = false): string {
  let text = "";
  const sink = workflowSafe({ write: (piece) => (text += piece) }, isJson);
  for (const piece of pieces) sink.write(piece);
  return text;
}

describe("on GitHub Actions what we print is not a command", () => {
  test.each([
    [["::error::x\n"], ": :error::x\n"],
    [["  ::error::x"], "  : :error::x"],
    [["a ::b::\n"], "a ::b::\n"],
    [["a\n", "::", "stop-commands::x"], "a\n: :stop-commands::x"],
    [["a\n:", ":x::y"], "a\n: :x::y"],
    [["a", "::x::y"], "a::x::y"],
    [["x ##[group]y"], "x ## [group]y"],
    [["x #", "#", "[group]y"], "x ## [group]y"],
    [["a\r::x::y"], "a\r: :x::y"],
  ])("%j is printed as %j", (pieces, text) => {
    expect(written(pieces)).toBe(text);
  });

  test("however it is cut into pieces", () => {
    const piece = fc.string({
      unit: fc.constantFrom(":", "#", "[", "\n", "\r", " ", "\u0085", "a"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = written(pieces);
        expect(readsCommand(text)).toBe(false);
        if (!readsCommand(pieces.join(""))) expect(text).toBe(pieces.join(""));
      }),
      { numRuns: 1000 },
    );
  });

  test("a JSON document stays the same document", () => {
    const document = { reason: "##[add-mask]x ::error::y", list: ["::", "##["] };

    const text = written([JSON.stringify(document)], true);

    expect(readsCommand(text)).toBe(false);
    expect(JSON.parse(text)).toEqual(document);
  });
});

async function openGithub(env: Record<string, string | undefined> = {}) {
  const folder = await temporaryFolder();
  const summary = join(folder.path, "summary.md");
  const output = { stdout: "", stderr: "" };
  const context = {
    cwd: join(folder.path, "repo"),
    home: folder.path,
    env: {
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: join(folder.path, "repo"),
      GITHUB_STEP_SUMMARY: summary,
      ...env,
    },
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
  };
  const io = commandIo(context, { json: false, verbose: false, color: true }, "eval");
  return { io, output, summary, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

/** A report of one task that failed, which is defined in this file. */
function failedTask(file?: string) {
  const { cells, ...report } = reportFile(skillParts({ tasks: { t1: "f" } }));
  return { view: viewReport(report, cellReader(cells), levels, { fileOf: () => file }) };
}

describe("a report on GitHub Actions", () => {
  test("is annotated on stderr and added to the page of the job", async () => {
    await using github = await openGithub();
    writeFileSync(github.summary, "earlier\n");

    await annotateGithub(failedTask("bench/tasks.json"), github.io);

    expect(github.output.stdout).toBe("");
    expect(github.output.stderr).toMatch(/^::\w+ [^\n]*file=bench\/tasks\.json[^\n]*::expected 1, got 2/m);
    expect(readFileSync(github.summary, "utf8")).toMatch(/^earlier\n[\s\S]*expected 1, got 2/);
  });

  test("names no file outside the workspace", async () => {
    await using github = await openGithub();

    await annotateGithub(failedTask("/opt/benchmarks/x.json"), github.io);

    expect(github.output.stderr).toContain("::");
    expect(github.output.stderr).not.toContain("file=");
  });

  test("does nothing elsewhere", async () => {
    await using github = await openGithub({ GITHUB_ACTIONS: undefined });
    writeFileSync(github.summary, "");

    await annotateGithub(failedTask(), github.io);

    expect(github.output.stderr).toBe("");
    expect(readFileSync(github.summary, "utf8")).toBe("");
  });

  test("notes and warnings that carry skill text are no commands, ours are", async () => {
    await using github = await openGithub();

    github.io.note("::error::from a skill\nsecond\n::warning::line");
    github.io.warn("x ##[error]y");
    github.io.workflow("::notice::ours");

    expect(github.output.stderr).toBe(
      ": :error::from a skill\nsecond\n: :warning::line\nwarning: x ## [error]y\n::notice::ours\n",
    );
  });
});

describe("the page of a job", () => {
  test.each([
    ["is a folder", (path: string) => mkdirSync(path)],
    ["is a pipe without a reader", (path: string) => execFileSync("mkfifo", [path])],
  ])("that %s is a warning, and does not keep us waiting", async (_, make) => {
    await using github = await openGithub();
    make(github.summary);

    addSummary(["# Report\n"], github.io);

    expect(github.output.stderr).toContain("warning: cannot write the job summary: ");
    expect(github.output.stderr).toContain("is not a regular file");
  });

  test("stays below what GitHub takes, with what is there already", async () => {
    await using github = await openGithub();
    writeFileSync(github.summary, "x".repeat(800_000));

    addSummary(
      Array.from({ length: 2_000 }, () => `${"y".repeat(99)}\n`),
      github.io,
    );

    const text = readFileSync(github.summary, "utf8");
    expect(text.length).toBeLessThan(901_000);
    expect(text).toContain("truncated; see the report\n");
  });
});
