import { whatCame } from "../src/reporters/describe-query.ts";
import type { ShownQuery } from "./shown-query.ts";

/** Why a query ended as it did: what came or the cause why nothing did, and what was said about it. */
export function whyOf(query: ShownQuery): string {
  const { verdict, cause, reason } = query;
  if (verdict === "pass") return reason ?? "";
  if (reason === null) return whatCame(query);
  return `${cause ?? whatCame(query)}: ${reason}`;
}
