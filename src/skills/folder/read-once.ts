import type { SkillFolder } from "./skill-folder.ts";

type Read<Reading> = (folder: SkillFolder, path: string) => Promise<Reading>;

/** A reader for which, as for all files of a folder, holds: whoever asks again gets the same answer, and at once. */
export function readOnce<Reading>(read: Read<Reading>): Read<Reading> {
  const known = new WeakMap<SkillFolder, Map<string, Promise<Reading>>>();
  return (folder, path) => {
    const readings = known.get(folder) ?? new Map<string, Promise<Reading>>();
    known.set(folder, readings);
    const reading = readings.get(path) ?? read(folder, path);
    readings.set(path, reading);
    return reading;
  };
}
