import { isIPv6 } from "node:net";
import { errorName, type ProbeAnswers, readIntoScratch, reportContent } from "./answers.ts";
import type { BaitNetwork } from "./bait.ts";
import { type ProbeCall, scratchBytes } from "./executable.ts";
import { firstError, mustFail, nameChecksIn, type PlannedCheck } from "./planned-check.ts";

const network = nameChecksIn("network");
const stream = 1;
const datagram = 2;

/** The minimum that a closed network must block. */
export const tcpCheckName = "connect to the machine by TCP";

/** Ways out of a closed network. */
export function networkChecks(bait: BaitNetwork, proxyPort: number | null): PlannedCheck[] {
  // Some versions of Node fill the name up with zeros to the longest there can be.
  const abstract = [abstractAddress(bait.abstractName), abstractAddress(bait.abstractName.padEnd(107, "\0"))];
  return [
    mustFail(network(tcpCheckName), connecting(stream, "127.0.0.1", bait.tcpPort)),
    mustGetNoReply("send to the machine by UDP", "127.0.0.1", bait.udpPort, Buffer.from("probe")),
    mustGetNoReply("look up a name", bait.nameServer, 53, nameQuestion),
    mustBeAllRefused("connect to an abstract socket of the machine", abstract.map(connectingTo)),
    // Addresses that belong to nobody. Connecting a datagram socket sends nothing; it only asks for the way there.
    mustBeAllRefused("find an interface besides lo", [
      connecting(datagram, "192.0.2.1", 9),
      connecting(datagram, "2001:db8::1", 9),
    ]),
    ...(proxyPort === null ? [] : proxyChecks(proxyPort, bait.tcpPort)),
  ];
}

/** The bait is the one host that is listed here. */
function proxyChecks(proxyPort: number, listedPort: number): PlannedCheck[] {
  const listed = asking(proxyPort, `127.0.0.1:${listedPort}`);
  const other = asking(proxyPort, `127.0.0.1:${listedPort === 9 ? 10 : 9}`);
  return [
    {
      ...network("reach a listed host through the proxy"),
      expected: "works",
      calls: listed.calls,
      judge: (answers) => ({ ok: listed.status(answers) === "200", seen: listed.status(answers) }),
    },
    {
      ...network("reach another host through the proxy"),
      expected: "blocked",
      calls: other.calls,
      judge: (answers) => ({ ok: other.status(answers) === "403", seen: other.status(answers) }),
    },
  ];
}

function asking(proxyPort: number, host: string) {
  const calls = connecting(stream, "127.0.0.1", proxyPort);
  const [socket] = calls as [ProbeCall];
  const question = Buffer.from(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const read = readIntoScratch(socket);
  return {
    calls: [
      ...calls,
      { name: "write", args: [socket, question, question.length] },
      read,
      reportContent(read),
    ] satisfies ProbeCall[],
    status: (answers: ProbeAnswers) =>
      /^HTTP\/1\.1 (\d{3})/.exec(answers.contentReadBy(read).toString("latin1"))?.[1] ??
      firstError(answers, calls) ??
      "no answer",
  };
}

function connecting(type: number, host: string, port: number): ProbeCall[] {
  const { family, bytes } = internetAddress(host, port);
  const socket: ProbeCall = { name: "socket", args: [family, type, 0] };
  return [socket, { name: "connect", args: [socket, bytes, bytes.length] }];
}

function connectingTo(name: Buffer): ProbeCall[] {
  const socket: ProbeCall = { name: "socket", args: [1, stream, 0] };
  return [socket, { name: "connect", args: [socket, name, name.length] }];
}

/** A datagram is sent before any refusal: what counts is that the answer is a refusal, not that there is none yet. */
function mustGetNoReply(name: string, host: string, port: number, message: Buffer): PlannedCheck {
  const calls = connecting(datagram, host, port);
  const [socket, connect] = calls as [ProbeCall, ProbeCall];
  const patience: ProbeCall = {
    name: "setsockopt",
    args: [socket, socketLevel, receiveTimeout, halfSecond, halfSecond.length],
  };
  const write: ProbeCall = { name: "write", args: [socket, message, message.length] };
  // An unconnected socket gets no answer. The result of `connect` is passed as the flags of the read call:
  // nothing special for 0, and in any error there is the bit for reading errors only (MSG_ERRQUEUE), which never waits.
  const receive: ProbeCall = {
    name: "recvfrom",
    args: [socket, { memory: "scratch" }, scratchBytes, connect, 0, 0],
  };
  const all = [...calls, patience, write, receive];
  return {
    ...network(name),
    expected: "blocked",
    calls: all,
    judge(answers) {
      const error = all.map((call) => errorName(answers.of(call))).find((error) => error !== null);
      if (error === undefined) return { ok: false, seen: "it was answered" };
      return { ok: error !== "EAGAIN", seen: error === "EAGAIN" ? "it was sent" : error };
    },
  };
}

function mustBeAllRefused(name: string, ways: readonly ProbeCall[][]): PlannedCheck {
  const checks = ways.map((calls) => mustFail(network(name), calls));
  return {
    ...network(name),
    expected: "blocked",
    calls: ways.flat(),
    judge(answers) {
      const seen = checks.map((check) => check.judge(answers));
      return seen.find(({ ok }) => !ok) ?? (seen[0] as { ok: boolean; seen: string });
    },
  };
}

const socketLevel = 1; // SOL_SOCKET
const receiveTimeout = 20; // SO_RCVTIMEO
const halfSecond = Buffer.from(new BigInt64Array([0n, 500_000n]).buffer);

/** Which servers know the root of all names: the shortest question there is. */
const nameQuestion = Buffer.from([0x65, 0x73, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1]);

/** Where a socket is connected to, as the kernel wants it written. */
function internetAddress(host: string, port: number): { family: 2 | 10; bytes: Buffer } {
  if (isIPv6(host)) {
    const bytes = Buffer.alloc(28);
    bytes.writeUInt16LE(10);
    bytes.writeUInt16BE(port, 2);
    bytes.set(ipv6Bytes(host), 8);
    return { family: 10, bytes };
  }
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16LE(2);
  bytes.writeUInt16BE(port, 2);
  bytes.set(host.split(".").map(Number), 4);
  return { family: 2, bytes };
}

/** An abstract unix socket: it has a name instead of a file. */
function abstractAddress(name: string): Buffer {
  return Buffer.from(`\x01\0\0${name}`, "latin1");
}

function ipv6Bytes(host: string): number[] {
  const [head = "", tail] = host.split("::");
  const groups = (text: string) =>
    text.split(":").flatMap((group) => {
      if (group === "") return [];
      if (group.includes(".")) return group.split(".").map(Number);
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    });
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  return [...first, ...Array<number>(16 - first.length - last.length).fill(0), ...last];
}
