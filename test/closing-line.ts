import type { Reporter, TestModule } from "vitest/node";

/** Ends every run with `N passed, N failed` on a line of its own, for machines that read only the last line. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state]++;
      if (module.errors().length > 0) counts.failed++;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
    console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
  }
}
