import { shownText } from "../../base/visible-text.ts";
import type { RawCase, Teller } from "./raw-case.ts";

/** A case in a folder or file of its own is called as that is, so that everybody finds it. */
export function checkId(id: string, { calledBy }: RawCase, tell: Teller): void {
  if (calledBy === null || calledBy === id) return;
  const name = shownText(calledBy);
  throw tell.fault(["id"], `is ${id}, and its folder or file is called ${name}`, `rename one of the two`);
}
