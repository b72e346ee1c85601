import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What a process of its own says after it has hidden its environment. */
function hidden(script: string, env: Record<string, string>): string {
  const program = `
    import { execFileSync } from "node:child_process";
    import { readFileSync } from "node:fs";
    import { hideEnvironment } from ${JSON.stringify(join(import.meta.dirname, "hide-environment.ts"))};
    hideEnvironment(process.env);
    ${script}`;
  return execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  }).toString();
}

test.runIf(process.platform === "linux")(
  "fault row 84: what we were started with is not to be read in /proc, and stays set for us and our children",
  () => {
    const script = `
      const child = execFileSync("/bin/sh", ["-c", 'echo "$TOKEN $EMPTY| $(tr "\\\\0" "\\\\n" </proc/$PPID/environ | grep -c =)"']);
      console.log(JSON.stringify({
        file: readFileSync("/proc/self/environ", "latin1").replaceAll("\\0", ""),
        values: [process.env.TOKEN, process.env.EMPTY, process.env.WORDS],
        zone: new Date(0).getHours(),
        child: child.toString().trim(),
      }));`;
    const env = { TOKEN: "canary-1234", EMPTY: "", WORDS: "ü = x", TZ: "Asia/Tokyo" };
    expect(JSON.parse(hidden(script, env))).toEqual({
      file: "",
      values: ["canary-1234", "", "ü = x"],
      zone: 9,
      child: "canary-1234 | 0",
    });
  },
);
