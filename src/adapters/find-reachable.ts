import type { Sandbox } from "../contract/sandbox.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { findInterpreter } from "../shared/files/find-interpreter.ts";
import { isInside } from "../shared/files/is-inside.ts";
import { UserError } from "../shared/user-error.ts";

interface Asker {
  skill: Pick<UnitSkill, "id" | "dir" | "manifest">;
  /** What in its manifest asks for the program. */
  jsonPath: string;
  /** How to get it, where it is not there. */
  hint?: string;
}

interface RunContext {
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  warn?: ((warning: string) => void) | undefined;
}

/** Where a program lies that a process in the sandbox can run. None is for the user to fix, before the first call. */
export async function findReachable(
  program: string,
  { skill, jsonPath, hint = "install it, or give its path inside the skill folder" }: Asker,
  { sandbox, env, warn }: RunContext,
): Promise<string> {
  // The folder of the skill is shown wherever it lies.
  const canReach = (path: string) => isInside(skill.dir, path) || (sandbox.canReach?.(path) ?? true);
  const { path, passedOver } = await findInterpreter(program, skill.dir, env, canReach);
  const place = { path: skill.manifest, jsonPath };
  if (path === null && passedOver === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: the program ${program} cannot be found or run`,
      { ...place, hint },
    );
  }
  if (path === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: the program ${passedOver} is not accessible inside the sandbox, which does not run as root`,
      { ...place, hint: "install it for all users, for example under /usr, or run with --sandbox process" },
    );
  }
  if (passedOver !== null)
    warn?.(`using ${path} for ${program}: ${passedOver} is not accessible inside the sandbox`);
  return path;
}
