import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { openSkill, within } from "./open-skill.ts";
import { eventually } from "./programs.ts";

/** Starts and ends so many skill processes, twenty at a time: none may stay as a zombie, and no descriptor open. */
export async function startManyChildren(count: number): Promise<void> {
  await using skill = await openSkill("exits-unread.sh");
  const round = () => Promise.all(Array.from({ length: 20 }, () => skill.call(null, within(60_000))));
  await round(); // whatever is opened once is open now
  const before = descriptors();

  for (let done = 20; done < count; done += 20) await round();

  await eventually(() => zombies() === 0, "no zombie");
  await eventually(() => descriptors() <= before + 2, "no more descriptors than before");
  expect(skill.processes.length).toBeGreaterThanOrEqual(count);
}

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

/** Children of ours that have ended and were not collected. */
function zombies(): number {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return state === "Z" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    }).length;
}
