// A suite of agent cases on a script, as people write them: one file each.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `evals/` with so many cases and `skills/` with three skills. */
export function writeAgentSuite(folder, count) {
  for (const name of ["letters", "fines", "hours"]) {
    const dir = join(folder, "skills", name, "references");
    mkdirSync(dir, { recursive: true });
    const head = `---\nname: ${name}\ndescription: Helps with ${name} of the library.\n---\n`;
    writeFileSync(join(dir, "..", "SKILL.md"), `${head}# ${name}\n\nRead references/rules.md first.\n`);
    writeFileSync(
      join(dir, "rules.md"),
      `# Rules of ${name}\n\n${"One rule after the other. ".repeat(40)}\n`,
    );
  }
  const evals = join(folder, "evals");
  mkdirSync(evals, { recursive: true });
  for (let n = 0; n < count; n++) {
    const id = `case-${n}`;
    writeFileSync(join(evals, `${id}.json`), JSON.stringify(agentCase(id, join(folder, "skills"))));
  }
}

function agentCase(id, skills) {
  const skill = { name: "fines" };
  const act = (type, payload) => ({ action: { type, payload } });
  return {
    id,
    input: "What does it cost to bring a book back late?",
    setup: { skill_roots: [skills] },
    expect: {
      skills_all_of: ["fines"],
      action_sequence_constraints: [{ must_occur: "load_resource", before: "final_answer" }],
      output: { contains_all: ["ten cents"], format: "markdown" },
    },
    mock: {
      turns: [
        act("select_skills", { skills: [skill], reason: "it is about fines" }),
        act("load_resource", { skill, relative_path: "references/rules.md" }),
        act("final_answer", { content: `## Fines\n\n- ten cents a day\n\n${"And so on. ".repeat(30)}` }),
      ],
      streaming: { enabled: true, chunk_bytes: 64 },
    },
  };
}
