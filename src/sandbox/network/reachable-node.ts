import { findPrograms } from "../../shared/files/find-program.ts";
import { UserError } from "../../shared/user-error.ts";
import { isOfSystem } from "../host/system-folders.ts";

/** A Node that can be started in the sandbox: our own, or one of the system. Without it no way out can be kept open. */
export function reachableNode(env: NodeJS.ProcessEnv, canReach: (path: string) => boolean): string {
  // Our own is shown to every process in the sandbox, wherever it lies.
  if (canReach(process.execPath)) return process.execPath;
  for (const path of findPrograms("node", env)) if (isOfSystem(path) && canReach(path)) return path;
  throw new UserError(
    "sandbox-unavailable",
    `E_SANDBOX_UNAVAILABLE: --allow-network needs Node inside the sandbox, and the unprivileged sandbox user cannot access ${process.execPath}. Nothing was run.`,
    { hint: "install Node under /usr or /opt, or run as an ordinary user" },
  );
}
