import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../src/shared/files/find-program.ts";
import { type JudgeQuestion, triggerProject } from "./trigger-project.ts";

/** Whether git is installed; warns loudly if not. */
export function hasGit(): boolean {
  const isThere = findProgram("git", process.env) !== null;
  if (!isThere) console.error("SKIPPED: tests of git refs, because git is not installed");
  return isThere;
}

/** A skill with its trigger tests. */
export interface ShownSkill {
  description: string;
  triggers: string;
  should_match?: readonly string[];
  should_not_match?: readonly (string | { query: string; belongs_to: string })[];
}

const nobody = () => "CHOICE=NONE REASON=Nobody was asked for.";

/** Skills about leases and about slides, which leave each other alone; the router takes the first by name where they are level. */
export const apart: Record<string, ShownSkill> = {
  leases: {
    description: "Reviews a lease or an agreement for hidden risks.",
    triggers: "contract review; check the lease",
    should_match: [
      "contract review of page two, please",
      "check the lease of my flat",
      "is there a risk in this agreement and its clauses",
    ],
    should_not_match: [
      { query: "build slides about the new lease", belongs_to: "decks" },
      "what is the weather like",
    ],
  },
  decks: {
    description: "Builds a deck from notes.",
    triggers: "build slides; make a deck",
    should_match: ["build slides about penguins", "make a deck for the board"],
  },
};

/** A folder with a catalog of skills, a local model with scripted judgments, and git if requested. */
export async function catalogProject(
  skills: Record<string, ShownSkill> = apart,
  reply: (question: JudgeQuestion, call: number) => string | number = nobody,
) {
  const project = await triggerProject(reply);
  const put = (id: string, { description, triggers, ...block }: ShownSkill, folder = "skills") => {
    project.write(
      `${folder}/${id}/SKILL.md`,
      `---\nname: ${id}\ndescription: ${description}\nmetadata:\n  triggers: "${triggers}"\n---\n\nDo it.\n`,
    );
    if (Object.keys(block).length > 0)
      project.write(`${folder}/${id}/eval.yaml`, JSON.stringify({ triggering: block }));
  };
  for (const [id, skill] of Object.entries(skills)) put(id, skill);
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: project.cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        ...{ GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@example.org" },
        ...{ GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@example.org" },
      },
    });
  return {
    ...project,
    put,
    git,
    remove: (path: string) => rmSync(join(project.cwd, path), { recursive: true }),
    commitAll(branch = "main") {
      git("init", "--quiet", `--initial-branch=${branch}`);
      git("add", "--all");
      git("commit", "--quiet", "--message", "all");
    },
  };
}
