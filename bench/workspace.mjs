// Skills and tasks for the benchmarks, made in a temporary folder.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeAgentSuite } from "./agent-suite.mjs";
import { writeManySkills } from "./many-skills.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = join(root, "bin/eval-skills.js");
const programs = join(root, "bench/programs");

/** A folder with skills to measure, and the command line that measures them. */
export function openWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "eval-skills-bench-"));
  // The interpreter itself: a version manager's stand-in would slow both sides and hide the difference.
  const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"]).toString().trim();
  let runs = 0;

  function makeSkill(id, manifest, config) {
    const dir = join(folder, id);
    mkdirSync(dir, { recursive: true });
    const common = { id, name: id, version: "1.0.0", description: "Returns the number it is given." };
    writeFileSync(join(dir, "skill.json"), JSON.stringify({ ...common, ...manifest }));
    writeFileSync(join(dir, "adapter.config.json"), JSON.stringify(config));
    return dir;
  }

  return {
    folder,
    python,
    program: (name) => join(programs, name),
    file: (name) => join(folder, name),
    httpSkill: (id, origin) =>
      makeSkill(id, { adapterType: "http", entrypoint: `${origin}/invoke` }, { type: "http" }),
    pythonSkill(id, lifecycle, command = python) {
      const dir = makeSkill(
        id,
        { adapterType: "subprocess", entrypoint: "python3 echo.py" },
        { type: "subprocess", command, args: ["echo.py"], lifecycle },
      );
      cpSync(join(programs, "echo.py"), join(dir, "echo.py"));
      return dir;
    },
    mcpSkill: (id) =>
      makeSkill(
        id,
        { adapterType: "mcp", entrypoint: "node mcp-server.mjs" },
        { type: "mcp", command: process.execPath, args: [join(programs, "mcp-server.mjs")] },
      ),
    /** A folder with so many skills of all kinds. */
    manySkills(count) {
      const path = join(folder, `skills-${count}`);
      writeManySkills(path, count);
      return path;
    },
    tasks(count) {
      const path = join(folder, `tasks-${count}.json`);
      const task = (n) => ({ id: `t${n}`, inputData: { n }, expectedOutput: { type: "exact", value: n } });
      writeFileSync(path, JSON.stringify(Array.from({ length: count }, (_, n) => task(n))));
      return path;
    },
    /**
     * `eval` as a user runs it: store on, JSON and Markdown reports written, every run in a fresh store. Skills run
     * as bare as those of the loops beside it; what strict containment costs has a row of its own.
     */
    evalCommand(skill, tasks, ...flags) {
      const level = flags.includes("--sandbox") ? [] : ["--sandbox", "process"];
      const out = join(folder, `run-${runs++}`);
      const places = ["--store", join(out, "store.db"), "--output-dir", out];
      mkdirSync(out);
      return [
        process.execPath,
        cli,
        "eval",
        "--skills",
        skill,
        "--tasks",
        tasks,
        "--exit-on-fail",
        "--min-completion",
        "1",
        ...places,
        ...level,
        ...flags,
      ];
    },
    /** A suite of so many agent cases that follow a script: a skill is chosen, a file of it read, an answer streamed. */
    agentSuite(count) {
      const path = join(folder, `agents-${count}`);
      writeAgentSuite(path, count);
      return path;
    },
    /** `agent eval` as a user runs it. */
    agentCommand(suite, ...flags) {
      const out = join(folder, `run-${runs++}`);
      const places = ["--store", join(out, "store.db"), "--output-dir", out, "--runs-dir", join(out, "runs")];
      mkdirSync(out);
      // The suite lies outside of the folder it is run from, so it has to be allowed to read its skills.
      const grant = ["--grant", `read:${join(suite, "skills")}`];
      return [process.execPath, cli, "agent", "eval", join(suite, "evals"), ...places, ...grant, ...flags];
    },
    cli,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
