// Holds one module of a skill's author and calls its `invoke`, one request after the other.
// Started as: node module-process.mjs <langchain|custom> <module> [export]. On stdin: a line with the nonce, then a line
// per request, {"id","params","deadlineMs"}. On stdout: a line per answer, the nonce and then JSON-RPC. The module may
// print whatever it likes; it does not know the nonce.
import { readSync, writeSync } from "node:fs";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";

// The module may replace any global, so everything an answer needs is taken before it is loaded.
const write = writeSync;
const { from: toBytes, concat } = Buffer;
const { parse, stringify } = JSON;
const { isFinite: isFiniteNumber } = Number;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const { min } = Math;
const { getPrototypeOf, prototype: plainPrototype, keys } = Object;
const readTag = Function.prototype.call.bind(plainPrototype.toString);
const cut = Function.prototype.call.bind(String.prototype.slice);
const toText = String;
const exit = process.exit.bind(process);
const pause = Atomics.wait.bind(Atomics, new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const Aborter = AbortController;

// Why an answer is an error; module.ts reads these.
const threw = -32000;
const notJson = -32001;
const unusable = -32002;
const longestTimerMs = 2_147_483_647;

const nonce = readNonce();
const [type, path, exportName] = process.argv.splice(2);
const requests = process.stdin;
// The requests are ours: a module that reads its input finds it at its end.
Object.defineProperty(process, "stdin", { value: Readable.from([]), configurable: true });
const { target, problem } = await load();
// Only now, so that whoever watches this process sees it wait for input when the module is there.
listen(requests);

function readNonce() {
  const bytes = Buffer.alloc(33);
  let filled = 0;
  while (filled < bytes.length) {
    try {
      const count = readSync(0, bytes, filled, bytes.length - filled, null);
      if (count === 0) exit(0); // there are no more requests
      filled += count;
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      pause();
    }
  }
  return bytes.toString("latin1", 0, 32);
}

async function load() {
  try {
    return choose(await import(pathToFileURL(path).href));
  } catch (error) {
    printStack(error);
    return { problem: `the module could not be loaded: ${describeError(error)}` };
  }
}

/** The export that was named, the default export, or for `custom` the module itself. */
function choose(namespace) {
  // In an ES module compiled to CommonJS the exports are one level deeper.
  const exports = namespace.default?.__esModule === true ? namespace.default : namespace;
  const names = keys(exports).filter((name) => name !== "__esModule" && name !== "module.exports");
  const there = names.length === 0 ? "it has no exports" : `it has ${names.join(", ")}`;
  if (exportName !== undefined) {
    const found = exports[exportName] ?? exports.default?.[exportName];
    if (found === undefined || found === null)
      return { problem: `the module has no export ${exportName}; ${there}` };
    return hasInvoke(found)
      ? { target: found }
      : { problem: `the export ${exportName} has no invoke function; the module: ${there}` };
  }
  const candidates = type === "custom" ? [exports.default, exports] : [exports.default];
  const target = candidates.find(hasInvoke);
  if (target !== undefined) return { target };
  return "default" in exports
    ? { problem: `the default export has no invoke function; the module: ${there}` }
    : { problem: `the module has no default export${type === "custom" ? " and no invoke" : ""}; ${there}` };
}

function hasInvoke(value) {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof value.invoke === "function"
  );
}

function listen(input) {
  let held = [];
  input.on("data", (chunk) => {
    const end = chunk.indexOf(10);
    if (end === -1) {
      held.push(chunk);
      return;
    }
    const line = concat([...held, chunk.subarray(0, end)]).toString("utf8");
    held = [chunk.subarray(end + 1)]; // one request at a time: nothing comes before this one is answered
    void serve(parse(line));
  });
  input.on("end", () => exit(0));
  input.on("error", () => exit(0));
}

async function serve({ id, params, deadlineMs }) {
  if (target === undefined) return fail(id, unusable, problem);
  const deadline = new Aborter();
  const timer = startTimer(
    () => deadline.abort(new DOMException(`the deadline of ${deadlineMs} ms has passed`, "TimeoutError")),
    min(deadlineMs, longestTimerMs),
  );
  let result;
  try {
    result = await (type === "custom"
      ? target.invoke(params, { signal: deadline.signal })
      : target.invoke(params));
  } catch (error) {
    if (deadline.signal.aborted) return;
    printStack(error);
    return fail(id, threw, describeError(error));
  } finally {
    stopTimer(timer);
  }
  // Too late for an answer, whatever it is: the runner's clock began before ours and has decided.
  if (deadline.signal.aborted) return;
  let text;
  try {
    text = answerText(result);
  } catch (error) {
    return fail(id, notJson, `the result is not JSON: ${describeError(error)}`);
  }
  reply(`{"jsonrpc":"2.0","id":${id},${text}}`);
}

/** The members `result` and `usage` of an answer. Reads everything once: a getter runs once. */
function answerText(result) {
  if (type !== "langchain" || !isMessage(result)) return `"result":${jsonText(result)}`;
  const { content, usage_metadata: used } = result;
  const usage = {
    promptTokens: used?.input_tokens,
    completionTokens: used?.output_tokens,
    totalTokens: used?.total_tokens,
  };
  return `"result":${jsonText(content)},"usage":${stringify(usage)}`;
}

const messageMembers = ["usage_metadata", "response_metadata", "additional_kwargs", "tool_call_id", "role"];

/** A plain object with `content` among other members of its own is the result of a tool, not a message of a model. */
function isMessage(result) {
  if (typeof result !== "object" || result === null || isArray(result) || !("content" in result))
    return false;
  const prototype = getPrototypeOf(result);
  if (prototype !== plainPrototype && prototype !== null) return true;
  return keys(result).length === 1 || messageMembers.some((member) => member in result);
}

/** JSON.stringify without its silent changes: what JSON cannot express is refused, not left out or made null. */
function jsonText(value) {
  let isWhole = true;
  return stringify(value, function check(key, member) {
    const kind = kindThatIsNotJson(member);
    const part = isWhole ? "it" : `${isArray(this) ? "item" : "member"} ${key}`;
    isWhole = false;
    if (kind === null) return member;
    if (member === undefined && part.startsWith("member")) return undefined; // an undefined member counts as absent
    throw new TypeError(`${part} is ${kind}`);
  });
}

/** Objects whose content JSON.stringify does not see: it would make `{}` of them, and of bytes an object. */
const lossyTags = [
  ...["Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Promise", "RegExp", "Error", "Symbol"],
  ...["Generator", "AsyncGenerator", "Array Iterator", "Map Iterator", "Set Iterator", "ReadableStream"],
  ...["Request", "Response", "Headers", "FormData", "URLSearchParams", "Blob", "File", "ArrayBuffer"],
];

function kindThatIsNotJson(value) {
  switch (typeof value) {
    case "undefined":
      return "undefined";
    case "number":
      return isFiniteNumber(value) ? null : toText(value);
    case "bigint":
      return "a BigInt";
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object": {
      const tag = value === null ? "" : cut(readTag(value), 8, -1);
      if (!lossyTags.includes(tag) && !isView(value)) return null;
      return `${/^[AE]/.test(tag) ? "an" : "a"} ${tag}`;
    }
    default:
      return null;
  }
}

function describeError(error) {
  try {
    const words = toText(error?.message ?? error);
    const name = error instanceof Error && error.name !== "Error" ? `${error.name}: ` : "";
    return cut(`${name}${words}`, 0, 4000) || "an error without a message";
  } catch {
    return "an error that cannot be described";
  }
}

/** The stack helps the author; stderr is stored with the outcome. */
function printStack(error) {
  try {
    if (typeof error?.stack === "string") writeWhole(2, `${cut(error.stack, 0, 8000)}\n`);
  } catch {
    // The outcome has the message.
  }
}

function fail(id, code, message) {
  reply(stringify({ __proto__: null, jsonrpc: "2.0", id, error: { __proto__: null, code, message } }));
}

/** Begins with a line break of its own: the module may have printed half a line. */
function reply(json) {
  writeWhole(1, `\n${nonce}${json}\n`);
}

function writeWhole(file, text) {
  const bytes = toBytes(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += write(file, bytes, written);
    } catch (error) {
      if (error.code === "EPIPE") return; // the runner has left
      if (error.code !== "EAGAIN") throw error;
      pause(); // the pipe is full; the runner is reading
    }
  }
}
