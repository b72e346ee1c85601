import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** For `npm run test:slow`: what each file of tests cost its worker, and the processes that it started, in CPU time. */
const began = spent();

afterAll(() => {
  const { own, children } = spent();
  const row = {
    file: expect.getState().testPath ?? "?",
    ownMs: Math.round(own - began.own),
    childrenMs: Math.round(children - began.children),
  };
  appendFileSync(process.env.EVAL_SKILLS_TEST_CPU ?? "/dev/null", `${JSON.stringify(row)}\n`);
});

function spent(): { own: number; children: number } {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1000, children: childrenMs() };
}

/** Processes that ended and were waited for; the kernel counts them in hundredths of a second. */
function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
