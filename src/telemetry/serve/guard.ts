import { createHash, timingSafeEqual } from "node:crypto";
import type { Asked } from "./asked.ts";
import { isOwnHost, type ListeningAt } from "./own-hosts.ts";
import { type Reply, refusal } from "./reply.ts";

/** Whom the server answers. */
export interface GuardRules {
  at: ListeningAt;
  /** What programs send. */
  token: string;
  /** What a browser holds once it has shown the token: another secret, so that it is no token for anybody else. */
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
export function guard(asked: Asked, rules: GuardRules): Admission {
  const host = asked.header("host");
  if (host === null || !isOwnHost(host, rules.at))
    return refuse(403, "host-refused", "this server does not accept that Host");
  const origin = asked.header("origin");
  const isForeign = origin !== null && origin !== `http://${host.toLowerCase()}`;
  const reader = isForeign && mayPost(asked, origin, rules) ? origin : null;
  if (isForeign && reader === null)
    return refuse(403, "origin-refused", "this server does not accept that Origin");
  if (reader === null && !isOwnSite(asked.header("sec-fetch-site")))
    return refuse(
      403,
      "site-refused",
      "requests from other sites are not allowed; open the address directly",
    );
  if (reader !== null && asked.method === "OPTIONS")
    return { admitted: true, by: "preflight", origin: reader };
  const by = shownSecret(asked, rules, reader !== null);
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

function mayPost({ method, path, header }: Asked, origin: string, { allowedOrigins }: GuardRules): boolean {
  if (path !== intakePath || !allowedOrigins.has(origin)) return false;
  return method === "POST" || (method === "OPTIONS" && header("access-control-request-method") === "POST");
}

/** `none` is a person who typed or pasted the address. Other ports of this machine are `same-site`, and strangers. */
function isOwnSite(site: string | null): boolean {
  return site === null || site === "same-origin" || site === "none";
}

/** How the request proves that it may ask; null where it does not. Another origin's word is the bearer token alone. */
function shownSecret(asked: Asked, { at, token, session }: GuardRules, isForeign: boolean) {
  const sent = asked.header("authorization");
  if (sent !== null)
    return /^bearer /i.test(sent) && isSameSecret(sent.slice(7).trim(), token) ? "bearer" : null;
  if (isForeign) return null;
  const typed = asked.path === pagePath ? asked.parameters.get("token") : null;
  if (typed !== null) return isSameSecret(typed, token) ? "address" : null;
  const kept = cookieIn(asked.header("cookie"), cookieName(at));
  return kept !== null && isSameSecret(kept, session) ? "cookie" : null;
}

function cookieIn(header: string | null, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

function refuse(status: number, code: string, message: string): Admission {
  return { admitted: false, reply: refusal(status, code, message), origin: null };
}

/** Whether a stranger's word is the secret, in a time that tells nothing about it. */
function isSameSecret(word: string, secret: string): boolean {
  return timingSafeEqual(digestOf(word), digestOf(secret));
}

/** Of equal length whatever the words are. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
