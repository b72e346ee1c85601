import { pythonProgram } from "./python-script.ts";
import { type NewSkill, type SkillFiles, sharedFiles } from "./shared-files.ts";

/** A skill for agents, with instructions in `SKILL.md` and a script that can also be called by itself. */
export function agentSkillFiles(skill: NewSkill): SkillFiles {
  return {
    "SKILL.md": instructions(skill),
    ...sharedFiles(skill, {
      type: "subprocess",
      entrypoint: "python3 scripts/main.py",
      config: { timeoutMs: 30_000 },
      metadata: { lifecycle: "per-call" },
    }),
    "scripts/main.py": pythonProgram,
  };
}

function instructions({ id, description }: NewSkill): string {
  return `---
name: ${quoted(id)}
description: ${quoted(description)}
license: MIT
---

# How to use this skill

1. Read the request and find the query in it.
2. Run \`scripts/main.py\` with one line of JSON on stdin:
   \`{"jsonrpc": "2.0", "id": 1, "method": "invoke", "params": {"query": "hello"}}\`
3. Give the user the \`result\` member of the response. On \`error\`, say what went wrong.
`;
}

/** A double-quoted YAML scalar: JSON's escapes are YAML's too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
