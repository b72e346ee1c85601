import { describe } from "vitest";
import { findProgram } from "../src/shared/files/find-program.ts";

const hasBubblewrap = findProgram("bwrap", process.env) !== null;
const isRequired = process.env.EVAL_SKILLS_REQUIRE_STRICT === "1";

if (!hasBubblewrap && !isRequired) {
  console.warn("SKIPPED: tests of strict containment need bubblewrap (Debian: apt-get install bubblewrap)");
}

/** Tests that need a machine with bubblewrap. Where it is required they run, and fail without it. */
export const describeStrict = describe.skipIf(!hasBubblewrap && !isRequired);
