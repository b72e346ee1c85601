import { type NewSkill, type SkillFiles, sharedFiles } from "./shared-files.ts";

/** A skill behind an HTTP endpoint, to be pointed at a real one. */
export function httpRequestFiles(skill: NewSkill): SkillFiles {
  return sharedFiles(skill, {
    type: "http",
    entrypoint: "http://localhost:3000/invoke",
    config: { baseUrl: "http://localhost:3000", authType: "none", timeoutMs: 15_000 },
  });
}
