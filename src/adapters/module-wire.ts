import { type RpcLine, readRpcLine, type Wire } from "./json-rpc.ts";

// Why an answer of module-process.mjs is an error; any other code means that the module threw.
export const notJsonCode = -32001;
export const unusableCode = -32002;

/** Speaks with module-process.mjs: a line of it begins with a mark that the module does not know; all else is print. */
export function moduleWire(mark: string): Wire {
  return {
    greeting: `${mark}\n`,
    request: (id, params, deadlineMs) => `${JSON.stringify({ id, params, deadlineMs })}\n`,
    read(line, id): RpcLine {
      if (line.subarray(0, mark.length).equals(Buffer.from(mark)))
        return readRpcLine(line.subarray(mark.length), id);
      const read = readRpcLine(line, id);
      return read.kind === "stray" ? read : { kind: "stray", what: "text", text: line.toString("utf8") };
    },
  };
}
