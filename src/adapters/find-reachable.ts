import { pythonVariable } from "../contract/limits.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { askProgram, findInterpreter, mayAsk } from "../shared/files/find-interpreter.ts";
import { isInside } from "../shared/files/paths.ts";
import { UserError } from "../shared/user-error.ts";

interface Asker {
  skill: Pick<UnitSkill, "id" | "dir" | "manifest">;
  /** The member of its manifest that names the program. */
  jsonPath: string;
  /** How to install it if it is missing. */
  hint?: string;
}

interface RunContext {
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  warn?: ((warning: string) => void) | undefined;
}

/** The path of a program that a process in the sandbox can run. A `UserError` if there is none. */
export async function findReachable(
  program: string,
  { skill, jsonPath, hint = "install it, or give its path inside the skill folder" }: Asker,
  { sandbox, env, warn }: RunContext,
): Promise<string> {
  // The folder of the skill is always visible in the sandbox.
  const canReach = (path: string) => isInside(skill.dir, path) || (sandbox.canReach?.(path) ?? true);
  const { path, passedOver } = await findInterpreter(program, skill.dir, env, canReach);
  const location = { path: skill.manifest, jsonPath };
  if (path === null && passedOver === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: the program ${program} cannot be found or run`,
      { ...location, hint },
    );
  }
  if (path === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: the program ${passedOver} is not accessible inside the sandbox, which does not run as root`,
      {
        ...location,
        hint: "install it for all users, for example under /usr, or run with --sandbox process",
      },
    );
  }
  if (passedOver !== null)
    warn?.(`using ${path} for ${program}: ${passedOver} is not accessible inside the sandbox`);
  return path;
}

const oldest = [3, 9] as const;

/** The Python that tools run on: the real interpreter, and one that is new enough. */
export async function findPython(
  skill: Pick<UnitSkill, "id" | "dir" | "manifest">,
  context: Parameters<typeof findReachable>[2],
): Promise<string> {
  const asker = { skill, jsonPath: "$.tools", hint: `install Python ${oldest.join(".")} or newer` };
  const path = await findReachable(context.env[pythonVariable] ?? "python3", asker, context);
  if (!mayAsk(path, skill.dir)) return path; // it may only run in the sandbox, which will show its version
  const version = await readVersion(path, skill.dir, context.env);
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

function readVersion(path: string, dir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const known = versions.get(path) ?? askVersion(path, dir, env);
  versions.set(path, known);
  return known;
}

async function askVersion(path: string, dir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const question = "import sys; print('%d.%d' % sys.version_info[:2])";
  const answer = await askProgram(path, ["-I", "-S", "-c", question], dir, env);
  return answer !== null && /^\d+\.\d+$/.test(answer) ? answer : null;
}
