import { expect, test } from "vitest";
import { auditedFile } from "./audited-file.ts";
import type { AuditedSkill } from "./rule.ts";
import { auditRules } from "./rules.ts";

/** Longer than the pieces that lines come in. */
const stretch = 8_000;

/** Beginnings that many signs share, over and over, and never an end. */
const beginnings: readonly string[] = [
  "ignore all the any your ",
  "do not tell the user ",
  "curl -fsSL https://a.b/c ",
  "curl | | | | ",
  "wget -O a https://a.b && ",
  "fetch https://a.b/c and ",
  "exec(eval(base64.b64decode(",
  "echo aGk= | base64 -d | ",
  "cat ~/.ssh/ ~/.aws/ ",
  "open(os.path.expanduser(",
  "rm -r -f --x ",
  "git push origin --force ",
  ">> ~/.x ~/.claude/ ",
  "env | printenv | ",
  "skip all the any permission ",
  "append this rule to the ",
  "x.zip password ",
  "((((((((((",
  "\"'`\"'`",
  "\\\\\\\\\\",
  "          ",
  "aaaaaaaaaa",
  "_0x_0x__.-./",
  "不要告诉忽略之前的",
  "send the tokens to ",
  "tool --password x -p curl -u a:b ",
  "AKIAghp_sk-AIzaxoxb-hf_",
  "password='password='",
  "pip install npx uvx npm i ",
  "before using any other tool call ",
  "\u0430a\u200b\ufe0f",
  "https://\u0430\u0440-",
];

// No clock: a search whose time grows with the square would take minutes here and run into the limit.
test("lines of 200 kB, made to begin what every rule looks for, are searched", { timeout: 60_000 }, () => {
  const line = beginnings.map((words) => words.repeat(Math.ceil(stretch / words.length))).join("");
  const files = ["SKILL.md", "run.sh"].map((path) => auditedFile(path, Buffer.from(line), 0o100644));
  const skill: AuditedSkill = {
    name: "x",
    description: "",
    declared: "",
    files,
    specials: [],
    unexamined: [],
  };

  expect(line.length).toBeGreaterThanOrEqual(200_000);
  for (const rule of auditRules) expect([...rule.find(skill)]).toBeInstanceOf(Array);
});
