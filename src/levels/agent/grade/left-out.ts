import { shownText } from "../../../shared/text/visible-text.ts";
import type { RunView } from "./run-view.ts";

/** Why a skill that was asked for is in no index, to follow a message; empty where its folder was not left out of it. */
export function leftOutWords({ indexed, index }: RunView, names: readonly string[]): string {
  const missing = new Set(names.filter((name) => index.named(index.nameOf(name)).length === 0));
  const { path, reason } =
    indexed?.data.ignored.find((folder) => missing.has(folder.path.split(/[\\/]/).at(-1) ?? "")) ?? {};
  if (path === undefined || reason === undefined) return "";
  return `; ${shownText(path)} was left out of the index: ${shownText(reason)}`;
}
