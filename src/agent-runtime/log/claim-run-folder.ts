import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isoTime } from "../../shared/async/clock.ts";

/**
 * Makes a folder that nobody else has, and gives its name: `YYYYMMDD_HHMMSS_<4 hex>` in UTC. The folder is the claim: of all who
 * draw the same name, one can make it.
 */
export function claimRunFolder(root: string, now: number, random: () => number): string {
  const time = isoTime(now).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  for (let draw = 0; draw < draws + names; draw++) {
    // A chance that always falls alike, as in tests, must not draw for ever: then the names are tried in turn.
    const number = draw < draws ? Math.floor(random() * names) % names : draw - draws;
    const runId = `${time}_${number.toString(16).padStart(4, "0")}`;
    try {
      mkdirSync(join(root, runId));
      return runId;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new Error(`${names} runs began in one second`);
}

const names = 0x10000;
const draws = 16;
