import { connect, type Socket } from "node:net";

/** An answer as it was received. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The status of answers before this one, such as `100`. */
  before: number[];
}

/** A connection that sends exactly the given bytes. */
export function rawConnection(
  port: number,
  isHead = false,
): {
  socket: Socket;
  send(text: string): void;
  answer: Promise<RawAnswer>;
} {
  const socket = connect({ port, host: "127.0.0.1" });
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    let received = Buffer.alloc(0);
    const look = (isEnd: boolean) => {
      const found = readAnswer(received, isEnd || isHead);
      if (found === null) return;
      resolve(found);
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      look(false);
    });
    socket.on("close", () => {
      look(true);
      reject(new Error(`incomplete reply: ${received.toString()}`));
    });
    socket.on("error", () => {}); // a server that refuses more resets the connection
  });
  return { socket, send: (text) => void socket.write(text), answer };
}

/** Sends a request, head and body as given, and reads the answer. */
export function rawRequest(
  port: number,
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
  body = "",
): Promise<RawAnswer> {
  const connection = rawConnection(port, line.startsWith("HEAD "));
  connection.send(`${requestHead(line, headers)}${body}`);
  return connection.answer;
}

/** The head of a request, without any header that was not given. */
export function requestHead(
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>>,
): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return `${[`${line} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`;
}

function readAnswer(received: Buffer, isEnd: boolean, before: number[] = []): RawAnswer | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [first = "", ...lines] = received.subarray(0, headEnd).toString().split("\r\n");
  const status = Number(first.split(" ")[1]);
  const rest = received.subarray(headEnd + 4);
  if (status === 100) return readAnswer(rest, isEnd, [...before, status]);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const length = Number(headers["content-length"] ?? 0);
  if (rest.length < length && !isEnd) return null;
  return { status, headers, body: rest.subarray(0, length).toString(), before };
}
