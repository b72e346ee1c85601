import { webAddress } from "../../base/web-address.ts";

/** Why a text is not the exact origin of a page, and what may have been meant; null where it is one. */
export function originProblem(text: string): { problem: string; hint?: string } | null {
  if (text.includes("*")) return { problem: "may not hold *: name each origin" };
  const url = webAddress(text);
  if (url === null)
    return { problem: "is no origin", hint: "write it as browsers do: https://app.example.org" };
  if (url.origin === text) return null;
  return { problem: "is more than an origin, or spelled as no browser does", hint: `write ${url.origin}` };
}
