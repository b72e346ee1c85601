import type { IncomingHttpHeaders } from "node:http";
import type { Transform } from "node:stream";
import type { Dispatcher } from "undici";
import { type Body, Collected, isUnpackError, unpacker } from "./bounded-body.ts";

/** An answer over HTTP, its body read to the end or to the cap. */
interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  /** Null where it was not wanted. */
  body: Body | null;
}

export interface Exchange {
  answer: Promise<Answer>;
  /** Ends the exchange, wherever it is; the answer is then rejected with this. */
  stop(reason: Error): void;
}

/** Sends one request and reads its answer without a stream in between, which would cost more than a small body itself. */
export function exchange(
  dispatcher: Pick<Dispatcher, "dispatch">,
  request: Dispatcher.DispatchOptions,
  limits: { capBytes: number; wantsBody?: (statusCode: number) => boolean },
): Exchange {
  const reader = new AnswerReader(limits.capBytes, limits.wantsBody ?? always);
  dispatcher.dispatch(request, reader);
  return { answer: reader.answer, stop: reader.stop };
}

const always = () => true;

type Controller = Dispatcher.DispatchController;

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #body: Collected;
  readonly #wantsBody: (statusCode: number) => boolean;
  #resolve: (answer: Answer) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #controller: Controller | null = null;
  /** What nobody waits for any more is not sent either. */
  #stopped: Error | null = null;
  #head: Omit<Answer, "body"> | null = null;
  #unpack: Transform | null = null;

  constructor(capBytes: number, wantsBody: (statusCode: number) => boolean) {
    this.#body = new Collected(capBytes);
    this.#wantsBody = wantsBody;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  readonly stop = (reason: Error): void => {
    this.#stopped ??= reason;
    this.#reject(reason);
    this.#controller?.abort(reason);
    this.#unpack?.destroy();
  };

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#stopped !== null) controller.abort(this.#stopped);
  }

  onResponseStart(controller: Controller, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#head = { statusCode, headers };
    const encoding = headers["content-encoding"];
    const unpack = unpacker(encoding);
    if (!this.#wantsBody(statusCode)) this.#leave(null);
    else if (unpack === undefined)
      this.#leave({ kind: "broken", problem: `unknown content-encoding ${encoding}` });
    else if (unpack !== null) this.#unpackWith(unpack, `the body is not valid ${encoding}`, controller);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#unpack === null) this.#add(chunk);
    else if (!this.#unpack.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#unpack === null) this.#end();
    else this.#unpack.end();
  }

  onResponseError(_: Controller, error: Error): void {
    this.#unpack?.destroy();
    this.#reject(error);
  }

  #unpackWith(unpack: Transform, problem: string, controller: Controller): void {
    this.#unpack = unpack;
    unpack.on("data", (chunk: Buffer) => this.#add(chunk));
    unpack.on("drain", () => controller.resume());
    unpack.once("end", () => this.#end());
    unpack.once("error", (error) => {
      if (isUnpackError(error)) this.#leave({ kind: "broken", problem });
      else this.stop(error);
    });
  }

  #add(chunk: Buffer): void {
    if (!this.#body.add(chunk)) this.#leave(this.#body.result());
  }

  #end(): void {
    this.#finish(this.#body.result());
  }

  /** What else arrives is not read. */
  #leave(body: Body | null): void {
    this.#finish(body);
    this.stop(new Error("the rest of the body is not read"));
  }

  #finish(body: Body | null): void {
    if (this.#head !== null) this.#resolve({ ...this.#head, body });
  }
}
