import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { capturedCli } from "./captured-world.ts";

interface TestTool {
  /** The body of its script. */
  script: string;
  /** Its JSON Schema; absent: only its name is declared. */
  parameters?: object | undefined;
}

/** The files of a skill with these tools, relative to its folder. */
export function toolSkill(id: string, tools: Readonly<Record<string, TestTool>>): Record<string, string> {
  const declared = Object.entries(tools).map(([name, { parameters }]) =>
    parameters === undefined ? name : { name, description: name, parameters },
  );
  const manifest = {
    schema_version: "ah32.skill.v1",
    meta: { id, name: id, version: "1.0.0", description: "for a test" },
    entry: { system_prompt: "SYSTEM.md" },
    tools: declared,
  };
  const scripts = Object.entries(tools).map(([name, { script }]) => [`scripts/${name}.py`, script]);
  return { "skill.json": JSON.stringify(manifest), "SYSTEM.md": "rules\n", ...Object.fromEntries(scripts) };
}

/** A project with skills below `skills/`, in which command lines run inside this process and find the programs of this machine. */
export async function toolProject(skills: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const cli = await capturedCli();
  const at = (name: string) => join(cli.cwd, name);
  const write = (name: string, content: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  for (const [id, files] of Object.entries(skills))
    for (const [name, content] of Object.entries(files)) write(`skills/${id}/${name}`, content);
  const run = (argv: readonly string[], options: Parameters<typeof cli.run>[1] = {}) =>
    cli.run(argv, { ...options, env: { PATH: process.env.PATH ?? "", ...options.env } });
  return { ...cli, run, at, write };
}
