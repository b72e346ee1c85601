import { webAddress } from "../../shared/network/http.ts";

/** Why a text is not the exact origin of a page, and what may have been meant; null where it is one. */
export function originProblem(text: string): { problem: string; hint?: string } | null {
  if (text.includes("*")) return { problem: "must not contain *: list each origin" };
  const url = webAddress(text);
  if (url === null)
    return { problem: "is not an origin", hint: "write it as browsers do: https://app.example.org" };
  if (url.origin === text) return null;
  return { problem: "is not written as browsers send it", hint: `write ${url.origin}` };
}
