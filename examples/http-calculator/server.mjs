// A calculator skill behind HTTP: POST /invoke with {"input": …}, GET /health. Needs Node and nothing else.
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 4173); // 0 picks a free one
const longestBody = 1024 * 1024;
const longestExpression = 1000;
const largestFactorial = 170;

const server = createServer(async (request, response) => {
  const { status, body } = await answer(request);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
});

server.on("error", ({ code, message }) => {
  console.error(code === "EADDRINUSE" ? `port ${port} is taken; choose another with PORT` : message);
  process.exit(1);
});
server.listen(port, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});

async function answer(request) {
  const path = request.url.split("?")[0];
  if (path === "/health" && request.method === "GET") return { status: 200, body: { status: "ok" } };
  if (path !== "/invoke") return failure(404, `nothing lives at ${path}`);
  if (request.method !== "POST") return failure(405, "use POST");
  try {
    const text = await readBody(request);
    if (text === null) return failure(413, `the body is longer than ${longestBody} bytes`);
    return { status: 200, body: { result: invoke(JSON.parse(text)?.input) } };
  } catch (error) {
    return failure(error instanceof SyntaxError ? 400 : 422, error.message);
  }
}

function failure(status, message) {
  return { status, body: { error: message } };
}

async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= longestBody) chunks.push(chunk);
  }
  return length > longestBody ? null : Buffer.concat(chunks).toString("utf8");
}

/** The skill itself: an expression, or an operation on a text. */
function invoke(input) {
  if (typeof input?.expression === "string") return compute(input.expression);
  if (typeof input?.input !== "string")
    throw new Error("expression, or operation and input, must be given as strings");
  const reversed = [...input.input].reverse().join("");
  if (input.operation === "reverse") return reversed;
  if (input.operation === "is_palindrome") return input.input === reversed;
  throw new Error(`unknown operation ${JSON.stringify(input.operation)}`);
}

/**
 * Computes + - * / ! and parentheses, by recursive descent:
 *   sum = product (("+" | "-") product)*     product = signed (("*" | "/") signed)*
 *   signed = ("+" | "-") signed | factorial  factorial = (number | "(" sum ")") "!"*
 */
function compute(expression) {
  if (expression.length > longestExpression)
    throw new Error(`expression is longer than ${longestExpression} characters`);
  const tokens = expression.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  let at = 0;

  function take(...wanted) {
    return wanted.includes(tokens[at]) ? tokens[at++] : null;
  }

  function sum() {
    let value = product();
    for (let sign = take("+", "-"); sign !== null; sign = take("+", "-"))
      value = sign === "+" ? value + product() : value - product();
    return value;
  }

  function product() {
    let value = signed();
    for (let sign = take("*", "/"); sign !== null; sign = take("*", "/"))
      value = sign === "*" ? value * signed() : divide(value, signed());
    return value;
  }

  function signed() {
    const sign = take("+", "-");
    if (sign === null) return factorial();
    return sign === "-" ? -signed() : signed();
  }

  function factorial() {
    let value = number();
    while (take("!") !== null) value = factorialOf(value);
    return value;
  }

  function number() {
    if (take("(") !== null) {
      const value = sum();
      if (take(")") === null) throw new Error("a parenthesis is not closed");
      return value;
    }
    const token = tokens[at++] ?? "the end";
    if (!/^\d/.test(token)) throw new Error(`a number is expected, not ${token}`);
    return Number(token);
  }

  const value = sum();
  if (at < tokens.length) throw new Error(`${tokens[at]} is not expected here`);
  if (!Number.isFinite(value)) throw new Error("result is not a finite number");
  return value;
}

function divide(dividend, divisor) {
  if (divisor === 0) throw new Error("division by zero");
  return dividend / divisor;
}

function factorialOf(value) {
  if (!Number.isInteger(value) || value < 0 || value > largestFactorial)
    throw new Error(`factorial needs a whole number from 0 to ${largestFactorial}`);
  let result = 1;
  for (let factor = 2; factor <= value; factor++) result *= factor;
  return result;
}
