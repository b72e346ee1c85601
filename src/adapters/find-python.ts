import { execFile } from "node:child_process";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { UserError } from "../shared/user-error.ts";
import { findReachable } from "./find-reachable.ts";

const oldest = [3, 9] as const;

/** The Python that tools run on: the real interpreter, and one that is new enough. */
export async function findPython(
  skill: Pick<UnitSkill, "id" | "dir" | "manifest">,
  context: Parameters<typeof findReachable>[2],
): Promise<string> {
  const asker = { skill, jsonPath: "$.tools", hint: `install Python ${oldest.join(".")} or newer` };
  const path = await findReachable("python3", asker, context);
  const version = await versionOf(path, context.env);
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return path;
  const found = version === null ? "does not report its version" : `is Python ${version}`;
  throw new UserError(
    "adapter-invalid",
    `skill ${skill.id}: ${path} ${found}; tools need ${oldest.join(".")}`,
    {
      path: skill.manifest,
      jsonPath: "$.tools",
      hint: "put a newer python3 first on the PATH",
    },
  );
}

const versions = new Map<string, Promise<string | null>>();

function versionOf(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const known = versions.get(path) ?? askVersion(path, env);
  versions.set(path, known);
  return known;
}

function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const question = "import sys; print('%d.%d' % sys.version_info[:2])";
  return new Promise((done) => {
    execFile(path, ["-I", "-S", "-c", question], { env, timeout: 10_000 }, (error, stdout) => {
      done(error === null && /^\d+\.\d+$/.test(stdout.trim()) ? stdout.trim() : null);
    });
  });
}
