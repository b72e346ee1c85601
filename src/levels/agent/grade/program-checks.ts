import * as z from "zod";
import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { CaseCheck } from "../../../contract/agent-case.ts";
import { CheckEnd, checksFile } from "../../../contract/case-check.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { checkDigest } from "./check-digest.ts";
import type { RunView } from "./run-view.ts";

/** What the programs of the case said about the workspace, as the run directory keeps it. */
export function checkPrograms(view: RunView): CheckResult[] {
  const { checks } = view.case.expect;
  if (checks.length === 0) return [];
  const ends = readEnds(view);
  return checks.map((check) => {
    const asked = checkDigest(check, view.loaded.checkFiles);
    const end = ends?.find((each) => each.asked === asked);
    const name = `check ${checkName(check)}`;
    const result = { name, isRequired: true, exercised: true };
    const unseen = view.isCutShort
      ? "the run ended early"
      : end === undefined
        ? "it was not run on this workspace: run the case again"
        : end.status === "none"
          ? shownText(end.message, 300)
          : null;
    if (unseen !== null || end?.status !== "fail") return { ...result, unseen, faults: [] };
    return {
      ...result,
      unseen,
      faults: [
        {
          code: "CheckFailed",
          message: `${name}: ${shownText(end.message, 400)}`,
          expected: "pass",
          actual: end.output,
          at: [view.finished],
        },
      ],
    };
  });
}

function checkName({ title, run = [], module }: CaseCheck): string {
  return shownText(title ?? module ?? run.join(" "), 100);
}

function readEnds({ run }: RunView): CheckEnd[] | null {
  const bytes = run.read(checksFile);
  if (bytes === null) return null;
  try {
    return z.array(CheckEnd).parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
