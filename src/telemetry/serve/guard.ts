import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHead } from "./asked.ts";
import { isOwnHost, type ListeningAt } from "./own-hosts.ts";
import { type Reply, refusal } from "./reply.ts";

/** Whom the server answers. */
export interface GuardRules {
  at: ListeningAt;
  /** What programs send. */
  token: string;
  /** What a browser holds once it has shown the token: another secret, so that it cannot be used as the token. */
  session: string;
  /** Origins that may send events, and do nothing else. */
  allowedOrigins: ReadonlySet<string>;
}

/** The one route that allowed origins may call. */
export const intakePath = "/telemetry/events";
/** The one route that takes the token from its address. */
export const pagePath = "/dev/telemetry/ui";

type Admission =
  | { admitted: false; reply: Reply; origin: string | null }
  /** `origin` is another one that may read the answer, or null. */
  | { admitted: true; by: "bearer" | "cookie" | "address" | "preflight"; origin: string | null };

/** Decides, before anything else is looked at, whether a request is answered at all: every route, every method. */
export function guard(head: RequestHead, rules: GuardRules): Admission {
  const host = head.header("host");
  if (host === null || !isOwnHost(host, rules.at))
    return refuse(403, "host-refused", "this server does not accept that Host");
  const origin = head.header("origin");
  const isForeign = origin !== null && origin !== `http://${host.toLowerCase()}`;
  const reader = isForeign && mayPost(head, origin, rules) ? origin : null;
  if (isForeign && reader === null)
    return refuse(403, "origin-refused", "this server does not accept that Origin");
  if (reader === null && !isOwnSite(head.header("sec-fetch-site")))
    return refuse(
      403,
      "site-refused",
      "requests from other sites are not allowed; open the address directly",
    );
  if (reader !== null && head.method === "OPTIONS")
    return { admitted: true, by: "preflight", origin: reader };
  const by = shownSecret(head, rules, reader !== null);
  if (by !== null) return { admitted: true, by, origin: reader };
  const challenge = { "WWW-Authenticate": 'Bearer realm="eval-skills telemetry"' };
  const reply = refusal(
    401,
    "token-refused",
    "the token is missing or wrong: Authorization: Bearer <token>",
    challenge,
  );
  return { admitted: false, reply, origin: reader };
}

/** The name of the cookie: cookies know no ports, and two servers must not overwrite each other's. */
export function cookieName({ port }: ListeningAt): string {
  return `eval_skills_telemetry_${port}`;
}

function mayPost(
  { method, path, header }: RequestHead,
  origin: string,
  { allowedOrigins }: GuardRules,
): boolean {
  if (path !== intakePath || !allowedOrigins.has(origin)) return false;
  return method === "POST" || (method === "OPTIONS" && header("access-control-request-method") === "POST");
}

/** `none` is a person who typed or pasted the address. Other ports of this machine are `same-site`, and strangers. */
function isOwnSite(site: string | null): boolean {
  return site === null || site === "same-origin" || site === "none";
}

/** How the request authenticates itself; null where it does not. Another origin may use the bearer token only. */
function shownSecret(head: RequestHead, { at, token, session }: GuardRules, isForeign: boolean) {
  const sent = head.header("authorization");
  if (sent !== null)
    return /^bearer /i.test(sent) && isSameSecret(sent.slice(7).trim(), token) ? "bearer" : null;
  if (isForeign) return null;
  const typed = head.path === pagePath ? head.parameters.get("token") : null;
  if (typed !== null) return isSameSecret(typed, token) ? "address" : null;
  const cookie = cookieIn(head.header("cookie"), cookieName(at));
  return cookie !== null && isSameSecret(cookie, session) ? "cookie" : null;
}

function cookieIn(header: string | null, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

function refuse(status: number, code: string, message: string): Admission {
  return { admitted: false, reply: refusal(status, code, message), origin: null };
}

/** Whether a text is the secret, in constant time. */
function isSameSecret(word: string, secret: string): boolean {
  return timingSafeEqual(hashText(word), hashText(secret));
}

/** Of equal length whatever the texts are. */
function hashText(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
