import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { AgentDetails } from "../src/contract/agent-details.ts";
import type { AgentEvent, EventType } from "../src/contract/agent-event.ts";
import { ReportFile } from "../src/contract/document.ts";
import type { CellResult } from "../src/contract/result.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

/** A folder with two office skills, in which `agent` commands run inside this process. */
export async function agentProject(files: Record<string, unknown> = {}) {
  const folder = await temporaryFolder();
  const cwd = join(folder.path, "work");
  const at = (path: string) => join(cwd, path);
  /** What is neither text nor bytes is written as JSON, which is YAML too. */
  function write(path: string, content: unknown): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(
      at(path),
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  }
  for (const [path, content] of Object.entries({ ...skills, ...files })) write(path, content);

  async function run(argv: readonly string[], { env = {}, isTTY, ask }: RunOptions = {}) {
    const written = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof written) => ({
      isTTY,
      columns: 80,
      write: (text: string) => {
        written[name] += text;
        return true;
      },
      on: () => {}, // progress listens for a broken pipe
    });
    const { runCommandLine } = await import("../src/cli/run-command-line.ts");
    const exitCode = await runCommandLine(argv, {
      cwd,
      home: folder.path,
      env: { PATH: process.env.PATH ?? "", ...withoutTelemetry, ...env },
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      stdin: () => Readable.from([]),
      ask,
    });
    return {
      exitCode,
      ...written,
      /** stdout as the one JSON document it has to be. */
      // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
      get document(): any {
        return JSON.parse(written.stdout);
      },
      /** The cells of that document, of `agent eval`. */
      get cells(): AgentCell[] {
        return agentCells(JSON.parse(written.stdout));
      },
    };
  }
  const runs = () => (existsSync(at(".agent/runs")) ? readdirSync(at(".agent/runs")).sort() : []);
  return {
    cwd,
    at,
    write,
    run,
    read: (path: string) => readFileSync(at(path), "utf8"),
    exists: (path: string) => existsSync(at(path)),
    runs,
    /** The events of a run, of this type, as their data. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
    events: (dir: string, type: EventType): any[] =>
      eventsIn(at(dir))
        .filter((event) => event.type === type)
        .map(({ data }) => data),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export interface AgentCell extends Omit<CellResult, "details"> {
  details: AgentDetails;
}

/** The cells of a document of `agent eval`, which has to be as it is specified. */
export function agentCells(document: unknown): AgentCell[] {
  return ReportFile.parse(document).cells.map((cell) => ({
    ...cell,
    details: AgentDetails.parse(cell.details),
  }));
}

export type AgentProject = Awaited<ReturnType<typeof agentProject>>;

interface RunOptions {
  env?: Record<string, string>;
  isTTY?: boolean;
  /** Who sits at the terminal. */
  ask?: (question: string, signal: AbortSignal) => Promise<string | null>;
}

const skills = {
  ".agent/skills/fines/SKILL.md":
    "---\nname: fines\ndescription: What it costs to bring a book back late.\n---\n# Fines\n\nBODY-OF-FINES. Read references/rules.md.\n",
  ".agent/skills/fines/references/rules.md":
    "# Rules\n\nRULES-OF-FINES: ten cents a day.\n\n## Children\n\nNothing.\n",
  ".agent/skills/fines/scripts/sum.sh": 'echo "due: $1"\n',
  ".agent/skills/fines/eval.yaml": "triggering: { should_match: [ANSWER-KEY] }\n",
  ".agent/skills/hours/SKILL.md":
    "---\nname: hours\ndescription: When the library is open.\n---\n# Hours\n\nNine to five.\n",
};

export function eventsIn(dir: string): AgentEvent[] {
  const text = readFileSync(join(dir, "events.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AgentEvent);
}

/** Actions, as a script or a model gives them. */
export const select = (...names: string[]) =>
  act("select_skills", { skills: names.map((name) => ({ name })), reason: "it fits" });
export const load = (relative_path: string, name = "fines") =>
  act("load_resource", { skill: { name }, relative_path });
export const script = (...args: string[]) =>
  act("run_script", { skill: { name: "fines" }, relative_path: "scripts/sum.sh", args });
export const call = (tool: string, given: object) => act("call_tool", { tool, arguments: given });
export const answer = (content = "## Fines\n\n- ten cents a day") => act("final_answer", { content });

function act(type: string, payload: object) {
  return { action: { type, payload } };
}

/** A case on a script that selects a skill and answers. */
export function scripted<More extends object>(
  id: string,
  more: More = {} as More,
  turns: object[] = [select("fines"), answer()],
) {
  return { id, input: "What does it cost to bring a book back late?", mock: { turns }, ...more };
}
