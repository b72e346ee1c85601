import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { emptyProject } from "./built-cli.ts";

type Project = Awaited<ReturnType<typeof emptyProject>>;

const examples = resolve(import.meta.dirname, "../examples");

/** A copy of the example calculator. A forgetful one no longer knows factorials: it fails three tasks of coding-easy. */
export function calculatorIn(project: Project, id: string, { isForgetful = false } = {}): void {
  const dir = copyExample(project, "calculator", id, {});
  const program = join(dir, "skill.py");
  const known = "LARGEST_FACTORIAL = 170";
  const text = readFileSync(program, "utf8");
  if (!text.includes(known)) throw new Error(`the calculator no longer says ${known}`);
  if (isForgetful) writeFileSync(program, text.replace(known, "LARGEST_FACTORIAL = -1"));
}

/** Three skills for web-search-basic that know less, all and most of what it asks. */
export function weatherIn(project: Project): void {
  const knows = { weather_v1: 4, weather_v2: Number.POSITIVE_INFINITY, weather_v3: 12 };
  for (const [id, count] of Object.entries(knows)) {
    const dir = copyExample(project, "fact-finder", id, {
      description: "Knows the weather and other facts, and says where from.",
      tags: ["web", "weather"],
    });
    const facts = join(dir, "facts.json");
    const all = JSON.parse(readFileSync(facts, "utf8"));
    writeFileSync(facts, JSON.stringify(all.slice(0, count)));
  }
}

/** One process for many calls: a test has no time for a Python start per cell. */
function copyExample(project: Project, example: string, id: string, changes: object): string {
  const dir = project.at("skills", id);
  cpSync(join(examples, example), dir, { recursive: true });
  change(join(dir, "skill.json"), { id, name: id.replaceAll("_", " "), ...changes });
  change(join(dir, "adapter.config.json"), { lifecycle: "persistent" });
  return dir;
}

function change(path: string, members: object): void {
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...members }));
}
