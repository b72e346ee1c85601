import type { ChanceKind } from "./python-module.ts";

/** How a name is used: called with so many arguments, or just named. */
export type NameUse = { calledWith: number } | "named" | "unused";

/** Why using an imported name gives a different result each time; null if it does not. */
export function chanceKind(name: string, use: NameUse): ChanceKind | null {
  if (use === "unused") return null;
  const calledWith = use === "named" ? null : use.calledWith;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const isType = /^[A-Z]/.test(last);
  if (clock.has(name) || (calledWith !== null && calledWith < (clockUnlessGiven.get(name) ?? 0)))
    return "clock";
  if (random.has(name) || (randomUnlessGiven.has(name) && calledWith === 0)) return "random";
  if (isFrom(name, randomModules) && !harmless.has(last) && (!isType || calledWith === 0)) return "random";
  if (network.has(name)) return "network";
  if (isFrom(name, networkModules) && !isError(name) && (!isType || calledWith !== null)) return "network";
  return null;
}

/** Whether from here on random numbers come out the same each time. */
export function isSeeding(name: string, use: NameUse): boolean {
  return (
    (name === "random.seed" || name === "numpy.random.seed") && typeof use === "object" && use.calledWith > 0
  );
}

function isFrom(name: string, modules: readonly string[]): boolean {
  return modules.some((module) => name.startsWith(`${module}.`));
}

function isError(name: string): boolean {
  return /(?:Error|Exception|Timeout|Warning)$|\.(?:exceptions|error|errors)\b/.test(name);
}

const clock: ReadonlySet<string> = new Set([
  ...["time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"].flatMap((name) => [
    `time.${name}`,
    `time.${name}_ns`,
  ]),
  ...["datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today"],
  "timeit.default_timer",
]);

/** Given a time, by so many arguments, these read no clock. */
const clockUnlessGiven: ReadonlyMap<string, number> = new Map([
  ["time.localtime", 1],
  ["time.gmtime", 1],
  ["time.ctime", 1],
  ["time.asctime", 1],
  ["time.strftime", 2],
]);

const random: ReadonlySet<string> = new Set([
  ...[
    "os.urandom",
    "os.getrandom",
    "uuid.uuid1",
    "uuid.uuid4",
    "uuid.uuid6",
    "uuid.uuid7",
    "random.SystemRandom",
  ],
]);
const randomUnlessGiven: ReadonlySet<string> = new Set([
  "uuid.uuid8",
  "random.seed",
  "numpy.random.default_rng",
]);
const randomModules = ["random", "secrets", "numpy.random"];
/** Not drawn by chance, or judged above by what they are given. */
const harmless: ReadonlySet<string> = new Set([
  ...["compare_digest", "seed", "default_rng", "getstate", "setstate", "get_state", "set_state"],
]);

const network: ReadonlySet<string> = new Set([
  ...["socket", "create_connection", "create_server", "getaddrinfo", "gethostbyname", "gethostbyname_ex"].map(
    (name) => `socket.${name}`,
  ),
  ...["open_connection", "start_server"].map((name) => `asyncio.${name}`),
]);
const networkModules = [
  ...["urllib.request", "http.client", "http.server", "xmlrpc.client", "socketserver"],
  ...["ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "nntplib"],
  ...["requests", "httpx", "aiohttp", "urllib3", "httplib2", "websocket", "websockets", "paramiko", "boto3"],
];
