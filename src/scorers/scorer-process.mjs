// Runs one custom scorer for one answer. Started as: node scorer-process.mjs <module>; on stdin a line with the
// nonce, then the question as JSON. The reply is one line on stdout that begins with the nonce. With `--probe` as
// last argument the question is a list of them, asked one after the other, and the reply also says what it exports.
import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

// The module may replace any global, so everything the reply needs is taken before it is loaded.
const write = writeSync;
const toBytes = Buffer.from;
const { parse, stringify } = JSON;
const toText = String;
const { isFinite: isFiniteNumber } = Number;
const cut = Function.prototype.call.bind(String.prototype.slice);
const exit = process.exit.bind(process);
const pause = Atomics.wait.bind(Atomics, new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);

const { nonce, question } = await readInput();
process.on("uncaughtException", replyThrown);
process.on("beforeExit", () => replyThrown("its promise never settles"));
try {
  const { default: score, sees } = await import(pathToFileURL(process.argv[2]).href);
  if (typeof score !== "function") throw new TypeError("its default export is not a function");
  if (process.argv[3] !== "--probe") replyAnswer(await score(question));
  const values = [];
  for (const one of question) values.push(await probe(score, one));
  reply({ __proto__: null, kind: "probed", value: { __proto__: null, sees: readSees(sees), values } });
} catch (error) {
  replyThrown(error);
}

async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const end = text.indexOf("\n");
  return { nonce: text.slice(0, end), question: parse(text.slice(end + 1)) };
}

async function probe(score, question) {
  try {
    return toPlain(await score(question));
  } catch (error) {
    return { __proto__: null, threw: cut(describeError(error), 0, 100) };
  }
}

function readSees(sees) {
  if (sees === undefined) return null;
  return Array.isArray(sees) ? sees.map((one) => cut(toText(one), 0, 40)) : cut(toText(sees), 0, 40);
}

function replyAnswer(answer) {
  let value;
  try {
    value = toPlain(answer);
  } catch (error) {
    reply({ __proto__: null, kind: "unreadable", message: describeError(error) });
  }
  reply({ __proto__: null, kind: "answer", value });
}

function replyThrown(error) {
  reply({ __proto__: null, kind: "threw", message: describeError(error), stack: readStack(error) });
}

/** Reads each member once: a getter or a Proxy runs once, in its own process. */
function toPlain(answer) {
  if (typeof answer === "boolean") return answer;
  if (typeof answer !== "object" || answer === null) return { __proto__: null, score: toScalar(answer) };
  const { score, passed, reason } = answer;
  return { __proto__: null, score: toScalar(score), passed: toScalar(passed), reason: toScalar(reason) };
}

/** Replaces what JSON cannot express by an object that names it, and is neither score nor reason. */
function toScalar(value) {
  if (value === undefined || value === null) return value;
  if (typeof value === "number" && !isFiniteNumber(value)) return { __proto__: null, notJson: toText(value) };
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string") return value;
  return { __proto__: null, notJson: typeof value };
}

function describeError(error) {
  try {
    return cut(toText(error?.message ?? error), 0, 1000);
  } catch {
    return "an error that cannot be described";
  }
}

function readStack(error) {
  try {
    return typeof error?.stack === "string" ? cut(error.stack, 0, 4000) : "";
  } catch {
    return "";
  }
}

function reply(message) {
  const line = toBytes(`${nonce}${stringify(message)}\n`);
  let written = 0;
  while (written < line.length) {
    try {
      written += write(1, line, written);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      pause(); // the pipe is full; the runner is reading
    }
  }
  exit(0);
}
