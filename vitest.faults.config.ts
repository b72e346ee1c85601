import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/faults/*.test.ts"],
    globalSetup: "./test/faults/say-needs.ts",
    reporters: ["verbose", "./test/closing-line.ts"],
    // Storms of processes and full disks disturb each other: one file at a time.
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
  },
});
