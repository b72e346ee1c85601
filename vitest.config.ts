import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "web/*.test.ts", "test/*.test.ts"],
    exclude: ["**/node_modules/**", "**/fixtures/**", "examples/**"],
    reporters: ["default", "./test/closing-line.ts"],
    // Tests start real processes on machines with few cores: generous here, exact inside the tests.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Most tests wait for processes and servers, so one worker more than the default loses nothing.
    maxWorkers: 2,
    coverage: { provider: "v8", include: ["src/**"] },
  },
});
