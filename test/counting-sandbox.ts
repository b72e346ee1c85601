import type { Sandbox, SkillCommand, SkillProcess } from "../src/contract/sandbox.ts";
import { openSandbox } from "../src/sandbox/open-sandbox.ts";

/** The real sandbox, counting what it started and what still runs. */
export function countingSandbox(): Sandbox & { readonly commands: SkillCommand[]; readonly running: number } {
  const sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
  const commands: SkillCommand[] = [];
  const running = new Set<SkillProcess>();
  return {
    containment: sandbox.containment,
    commands,
    get running() {
      return running.size;
    },
    start(command) {
      commands.push(command);
      const started = sandbox.start(command);
      running.add(started);
      void started.exited.then(() => running.delete(started));
      return started;
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
