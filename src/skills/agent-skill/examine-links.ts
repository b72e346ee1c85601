import { posix } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { markdownLinks } from "./markdown-links.ts";
import { agentInstructions } from "./read-frontmatter.ts";

const maxLinks = 1000;

/** Checks that the files a `SKILL.md` links to exist, are inside the folder, and are not nested too deep. */
export async function examineLinks(
  _skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const instructions = await agentInstructions(folder, diagnostics);
  if (instructions === null) return;
  const { file, body, bodyLine } = instructions;
  const seen = new Set<string>();
  for (const { target, kind, line, column } of markdownLinks(body)) {
    if (seen.has(target)) continue;
    seen.add(target);
    const at = bodyLine + line - 1;
    if (seen.size > maxLinks) {
      diagnostics.add(
        "SKM12",
        { file, line: at, column },
        `${file}:${at}: links from here on were not checked`,
        {
          hint: `move detail to references/, so that fewer than ${maxLinks} files are linked`,
        },
      );
      return;
    }
    const problem = problemWith(target, folder);
    if (problem === null || (kind === "mention" && problem !== "missing")) continue;
    const message = `${file}:${at}: ${shownText(target, 200)} ${problem}`;
    diagnostics.add("SKM12", { file, line: at, column }, message, { hint: hints[problem] });
  }
}

const hints = {
  missing: "fix the path, or add the file",
  outside: "copy the file into the skill folder and link to it there",
  "more than one level deep": "move the file to a folder next to SKILL.md",
};

type LinkProblem = keyof typeof hints;

function problemWith(target: string, folder: SkillFolder): LinkProblem | null {
  const written = target.replace(/[#?].*$/s, "");
  if (written === "" || isElsewhere(written) || isPattern(written)) return null;
  const paths = [...new Set([decoded(written), written])].map((path) => posix.normalize(path));
  const problems = paths.map((path) => problemAt(path, folder));
  const problem = problems.includes(null) ? null : (problems[0] ?? null);
  return problem === "missing" && !isSurelyFile(paths[0] ?? "", folder) ? null : problem;
}

/** `[text](url)` and `[name](wiki/page)` show how a link is written; an extension, or an existing folder, means a file. */
function isSurelyFile(path: string, folder: SkillFolder): boolean {
  return /\.\w{1,10}$|\/$/.test(path) || folder.names().includes(path.split("/")[0] ?? "");
}

/** An address, or a path from the root of a site or a machine. */
function isElsewhere(target: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/~])/i.test(target);
}

/** Placeholders the reader is meant to replace. */
function isPattern(target: string): boolean {
  return /[{}<>$*|"`\s]|\.\.\.|…/u.test(target);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function problemAt(path: string, folder: SkillFolder): LinkProblem | null {
  if (path === ".." || path.startsWith("../")) return "outside";
  const plain = path.replace(/\/$/, "");
  const problem = folder.problemWith(plain);
  if (problem === "missing" || problem === "outside") return problem;
  return plain.split("/").length > 2 ? "more than one level deep" : null;
}
