import { defineConfig } from "vitest/config";

const usual = {
  exclude: ["**/node_modules/**", "**/fixtures/**", "examples/**"],
  // Tests start real processes on machines with few cores: generous here, exact inside the tests.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  setupFiles: process.env.EVAL_SKILLS_TEST_CPU === undefined ? [] : ["./test/cpu-per-file.ts"],
};

/** Folders whose tests leave nothing behind in their process: they may share one, and a new one for each file costs more than most of them. */
const sharing = [
  "src/{agent-runtime,audit,cases,cli,config,contract,engine,levels,lint,models,operations,report,routing,scorers,shared,skills,store,telemetry,templates}/**/*.test.ts",
  "src/adapters/*.test.ts",
  "web/**/*.test.ts",
  // Command lines in this process: loading all of the product for each of them costs more than what they do.
  "test/{benchmarks,command-line,documentation,eval-cases,examples,find-history,github,hostile,html-report,judge,office-team,report,run-command,schema,select,task}.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line.ts"],
    // Most tests wait for processes and servers, so more workers than cores lose nothing.
    maxWorkers: 3,
    coverage: { provider: "v8", include: ["src/**"] },
    projects: [
      { test: { ...usual, name: "shared process", include: sharing, isolate: false } },
      {
        test: {
          ...usual,
          name: "own process",
          include: ["src/**/*.test.ts", "test/*.test.ts"],
          exclude: [...usual.exclude, ...sharing],
        },
      },
    ],
  },
});
