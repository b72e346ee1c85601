import { type Codec, type RpcLine, readRpcLine } from "./json-rpc.ts";

// Why an answer of module-process.mjs is an error; any other code means that the module threw.
export const notJsonCode = -32001;
export const unusableCode = -32002;

/** Speaks with module-process.mjs: a line of it begins with a nonce that the module does not know; all else is print. */
export function moduleCodec(nonce: string): Codec {
  return {
    greeting: `${nonce}\n`,
    request: (id, params, deadlineMs) => `${JSON.stringify({ id, params, deadlineMs })}\n`,
    read(line, id): RpcLine {
      if (line.subarray(0, nonce.length).equals(Buffer.from(nonce)))
        return readRpcLine(line.subarray(nonce.length), id);
      const read = readRpcLine(line, id);
      return read.kind === "stray" ? read : { kind: "stray", what: "text", text: line.toString("utf8") };
    },
  };
}
