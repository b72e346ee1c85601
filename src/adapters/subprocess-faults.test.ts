import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSkill, within } from "../../test/open-skill.ts";
import { eventually, isAlive, pidFrom } from "../../test/programs.ts";
import { startManyChildren } from "../../test/short-lived-children.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Outcome } from "../contract/outcome.ts";

const patience = within(20_000);
const megabyte = 1_048_576;

async function answerWith(...lines: string[]): Promise<Outcome> {
  await using skill = await openSkill("answers-with.py", lines);
  return await skill.call(null, patience);
}

async function answerRaw(bytes: Buffer, ...args: string[]): Promise<Outcome> {
  await using skill = await openSkill("answers-raw.py", [bytes.toString("base64"), ...args]);
  return await skill.call(null, patience);
}

describe("fault row 11: a skill that hangs", () => {
  test("is timed out at its deadline, and the next cell runs", async () => {
    await using hanging = await openSkill("forever.sh");
    await using next = await openSkill("echo.py");

    const began = performance.now();
    const outcome = await hanging.call(null, within(500));

    expect(outcome).toMatchObject({ status: "timed-out", latencyMs: 500 });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await next.call("next", patience)).toMatchObject({ status: "answered", output: "next" });
  });

  test("says what was seen instead of an answer", async () => {
    await using skill = await openSkill("drip.sh");
    expect(await skill.call(null, within(200))).toMatchObject({
      status: "timed-out",
      message: expect.stringContaining("no answer within 200 ms"),
    });
  });
});

test("fault row 15: of many short-lived children no zombie and no descriptor is left", () =>
  startManyChildren(100));

test("fault row 12: a skill that ignores SIGTERM is gone after its deadline all the same", async () => {
  await using folder = await temporaryFolder();
  await using skill = await openSkill("ignores-term.sh", [join(folder.path, "pid")]);

  const outcome = await skill.call(null, within(500));

  expect(outcome.status).toBe("timed-out");
  expect(isAlive(await pidFrom(join(folder.path, "pid")))).toBe(false);
});

describe.concurrent("fault row 13: a daemon by double fork and setsid that holds our pipe", () => {
  test("does not survive the deadline of its cell", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using skill = await openSkill("daemon.py", [file, "stay"]);

    const outcome = await skill.call(null, within(1000));

    expect(outcome.status).toBe("timed-out");
    const pid = await pidFrom(file);
    await eventually(() => !isAlive(pid), "the daemon is gone", 2000);
  });

  test("does not survive, nor delay, the answer of its cell", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using skill = await openSkill("daemon.py", [file, "answer"]);

    const began = performance.now();
    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "answered", output: "done" });
    expect(performance.now() - began).toBeLessThan(10_000);
    const pid = await pidFrom(file);
    await eventually(() => !isAlive(pid), "the daemon is gone");
  });

  test("does not keep a cell without answer waiting for the end of the pipe", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using skill = await openSkill("daemon.py", [file]);

    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "no-response" });
    const pid = await pidFrom(file);
    await eventually(() => !isAlive(pid), "the daemon is gone");
  });

  test("is found at the level off as well", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using skill = await openSkill("daemon.py", [file, "stay"], { level: "off" });

    await skill.call(null, within(1000));

    const pid = await pidFrom(file);
    await eventually(() => !isAlive(pid), "the daemon is gone", 2000);
  });
});

describe.concurrent("fault row 17: a CPU burner", () => {
  test("ends at its limit, and that is its cause", async () => {
    await using skill = await openSkill("burns-cpu.sh", [], { limits: { cpuSeconds: 1 } });

    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "failed", cause: "cpu-limit" });
  });

  test("without a limit of its own meets its deadline, not the backstop", async () => {
    await using skill = await openSkill("burns-cpu.sh");
    expect(await skill.call(null, within(1200))).toMatchObject({ status: "timed-out", latencyMs: 1200 });
  });
});

describe("fault row 18: a gigabyte", () => {
  test("on stdout is stopped at the cap, quickly, with the bytes seen, in bounded memory", async () => {
    await using skill = await openSkill("flood.mjs", ["1", "1e9"]);
    const rssBefore = process.memoryUsage().rss;

    const began = performance.now();
    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.bytesSeen).toBeGreaterThan(5 * megabyte);
    expect(outcome.bytesSeen).toBeLessThan(7 * megabyte);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(100 * megabyte);
  });

  test("of short lines is stopped at the cap as well, without a line of it parsed for nothing", async () => {
    await using skill = await openSkill("floods-lines.sh");

    const began = performance.now();
    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.stray?.length).toBeLessThanOrEqual(16);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("on stderr is drained, its tail kept, and the answer counts", async () => {
    await using skill = await openSkill("flood.mjs", ["2", "1e9"]);
    const rssBefore = process.memoryUsage().rss;

    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "answered", output: "after the flood" });
    expect(outcome.stderrTail).toMatch(/a{1000}the last words$/);
    expect(outcome.stderrTail).toMatch(/^…a/);
    expect(outcome.stderrTail).toHaveLength(1 + 65_536);
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(100 * megabyte);
  });

  test("on stdout just below the cap is only chatter before the answer", async () => {
    await using skill = await openSkill("flood.mjs", ["1", String(4 * megabyte)]);

    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "answered", output: "after the flood" });
    expect(outcome.stray?.[0]).toHaveLength(4096);
  });
});

describe.concurrent("fault row 19: output that never becomes a line", () => {
  test("an endless line ends at the cap", async () => {
    await using skill = await openSkill("endless-line.sh", [], { maxOutputBytes: megabyte });
    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "output-limit" });
  });

  test("one byte a second does not move the deadline", async () => {
    await using skill = await openSkill("drip.sh");

    const began = performance.now();
    const outcome = await skill.call(null, within(1100));

    expect(outcome).toMatchObject({ status: "timed-out", latencyMs: 1100 });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

describe("fault row 20: a skill that does not read", () => {
  const tenMegabytes = "x".repeat(10 * megabyte);

  test("leaving at once with 0, given 10 MiB, it has not answered", async () => {
    await using skill = await openSkill("exits-unread.sh");
    expect(await skill.call(tenMegabytes, patience)).toMatchObject({
      status: "failed",
      cause: "no-response",
    });
  });

  test("leaving at once with 3, given 10 MiB, it has crashed", async () => {
    await using skill = await openSkill("exits-unread.sh", ["3"]);
    expect(await skill.call(tenMegabytes, patience)).toMatchObject({
      status: "failed",
      cause: "crash",
      message: expect.stringContaining("exit 3"),
    });
  });

  test("closing its input and answering blindly, its answer counts", async () => {
    await using skill = await openSkill("closes-stdin.py");
    expect(await skill.call(tenMegabytes, patience)).toMatchObject({ status: "answered", output: "blind" });
  });

  test("staying without reading 10 MiB, it meets its deadline", async () => {
    await using skill = await openSkill("forever.sh");
    expect(await skill.call(tenMegabytes, within(300))).toMatchObject({ status: "timed-out" });
  });
});

describe.concurrent("fault row 21: pipes that do not end with the skill", () => {
  test("stdout closed but alive ends by the deadline", async () => {
    await using skill = await openSkill("closes-stdout.sh");
    expect(await skill.call(null, within(400))).toMatchObject({ status: "timed-out", latencyMs: 400 });
  });

  test("a grandchild that holds the pipe does not delay the end", async () => {
    await using skill = await openSkill("grandchild.sh");

    const began = performance.now();
    const outcome = await skill.call(null, patience);

    expect(outcome).toMatchObject({ status: "failed", cause: "no-response" });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("a grandchild that holds the pipe does not hide a crash", async () => {
    await using skill = await openSkill("grandchild.sh", ["9"]);
    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "crash" });
  });
});

describe.concurrent("fault row 22: bytes", () => {
  const reply = (result: Buffer) =>
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":ID,"result":"'), result, Buffer.from('"}\n')]);

  test("an answer that is not UTF-8 is a bad response, and its bytes are kept", async () => {
    const outcome = await answerRaw(reply(Buffer.from([0x61, 0xff, 0xfe])));

    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
    const raw = Buffer.from((outcome as { rawBase64: string }).rawBase64, "base64");
    expect(raw.includes(Buffer.from([0x61, 0xff, 0xfe]))).toBe(true);
  });

  test("characters that come one byte at a time are whole again", async () => {
    const outcome = await answerRaw(reply(Buffer.from("東京 👩‍👩‍👧")), "slowly");
    expect(outcome).toMatchObject({ status: "answered", output: "東京 👩‍👩‍👧" });
  });

  test("a byte order mark before the answer does no harm", async () => {
    const outcome = await answerRaw(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), reply(Buffer.from("x"))]),
    );
    expect(outcome).toMatchObject({ status: "answered", output: "x" });
  });

  test("carriage returns at the end of lines do no harm", async () => {
    const outcome = await answerWith("a log line\r", '{"jsonrpc":"2.0","id":ID,"result":1}\r');
    expect(outcome).toMatchObject({ status: "answered", output: 1, stray: ["a log line"] });
  });

  test("an answer without a newline at its end counts when the process is over", async () => {
    const outcome = await answerRaw(Buffer.from('{"jsonrpc":"2.0","id":ID,"result":"cut"}'));
    expect(outcome).toMatchObject({ status: "answered", output: "cut" });
  });

  test("chatter that is not UTF-8 is kept as base64, never replaced", async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0x0a]), reply(Buffer.from("x"))]);
    expect(await answerRaw(bytes)).toMatchObject({ status: "answered", stray: ["base64:/w=="] });
  });
});

test("fault row 23: 100 MB of JSON are refused by their bytes, unparsed", async () => {
  await using skill = await openSkill("flood.mjs", ["1", "1e8"]);
  expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "output-limit" });
});

describe.concurrent("fault row 24: nesting", () => {
  for (const depth of [129, 10_000, 100_000, 1_000_000]) {
    test(`${depth} levels are a bad response at once, and can be persisted`, async () => {
      await using skill = await openSkill("nests.py", [String(depth)]);

      const outcome = await skill.call(null, patience);

      expect(outcome).toMatchObject({
        status: "failed",
        cause: "bad-response",
        message: expect.stringContaining("nested deeper than 128"),
      });
      expect(() => JSON.stringify(outcome)).not.toThrow();
    });
  }

  test("127 levels below the message are an answer", async () => {
    await using skill = await openSkill("nests.py", ["127"]);
    expect((await skill.call(null, patience)).status).toBe("answered");
  });
});

describe.concurrent("fault row 25: numbers and keys", () => {
  for (const number of ["NaN", "Infinity", "-Infinity", "1e400", "-1e999"]) {
    test(`${number} in an answer is a bad response`, async () => {
      const outcome = await answerWith(`{"jsonrpc":"2.0","id":ID,"result":${number}}`);
      expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
    });
  }

  test("2^53 + 1 is an answer with a warning", async () => {
    const outcome = await answerWith('{"jsonrpc":"2.0","id":ID,"result":9007199254740993}');
    expect(outcome).toMatchObject({ status: "answered", warnings: [expect.stringContaining("2^53")] });
  });

  test("a key that stands twice is a bad response, also when spelled in two ways", async () => {
    for (const result of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}']) {
      expect(await answerWith(`{"jsonrpc":"2.0","id":ID,"result":${result}}`)).toMatchObject({
        status: "failed",
        cause: "bad-response",
        message: expect.stringContaining('duplicate key "a"'),
      });
    }
  });

  test("two results in one message are a bad response", async () => {
    const outcome = await answerWith('{"jsonrpc":"2.0","id":ID,"result":1,"result":2}');
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });

  test("a key of a megabyte that stands twice does not become a message of a megabyte", async () => {
    const outcome = await answerWith(
      `{"jsonrpc":"2.0","id":ID,"${"k".repeat(60_000)}":1,"${"k".repeat(60_000)}":1}`,
    );
    expect((outcome as { message: string }).message.length).toBeLessThan(500);
  });
});

describe.concurrent("fault row 26: JSON-RPC", () => {
  const strays: [string, string, string][] = [
    ["a wrong id", '{"jsonrpc":"2.0","id":99,"result":1}', "another id"],
    ["an id as text", '{"jsonrpc":"2.0","id":"ID","result":1}', "an id of another type"],
    ["an id of null", '{"jsonrpc":"2.0","id":null,"result":1}', "another id"],
    ["no id", '{"jsonrpc":"2.0","result":1}', "without id"],
    ["a batch", '[{"jsonrpc":"2.0","id":ID,"result":1}]', "batches are not read"],
    ["bare JSON", "42", "bare JSON"],
    ["JSON without version", '{"id":ID,"result":1}', "without jsonrpc 2.0"],
    ["version 1.0", '{"jsonrpc":"1.0","id":ID,"result":1}', "without jsonrpc 2.0"],
    ["neither result nor error", '{"jsonrpc":"2.0","id":ID}', "neither result nor error"],
    ["an answer over several lines", '{\n"jsonrpc":"2.0",\n"id":ID,\n"result":1\n}', "several lines"],
  ];
  for (const [what, line, words] of strays) {
    test(`${what} is no answer, and the message says so`, async () => {
      const outcome = await answerWith(line);
      expect(outcome).toMatchObject({
        status: "failed",
        cause: "no-response",
        message: expect.stringContaining(words),
      });
      expect(outcome.stray?.length).toBeGreaterThan(0);
    });
  }

  test("logs on stdout are kept beside the answer", async () => {
    const outcome = await answerWith("loading", '{"level":"info"}', '{"jsonrpc":"2.0","id":ID,"result":1}');
    expect(outcome).toMatchObject({ status: "answered", output: 1, stray: ["loading", '{"level":"info"}'] });
  });

  test("of two replies the first counts, and the second is kept as chatter, letter for letter", async () => {
    const outcome = await answerWith(
      '{"jsonrpc":"2.0","id":ID,"result":"erste"}',
      '{"jsonrpc":"2.0","id":ID,"result":"zwölfte"}',
    );
    expect(outcome).toMatchObject({
      status: "answered",
      output: "erste",
      stray: [expect.stringContaining("zwölfte")],
    });
  });

  test("result and error in one message are a bad response", async () => {
    const outcome = await answerWith('{"jsonrpc":"2.0","id":ID,"result":1,"error":{"code":1,"message":"x"}}');
    expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
  });

  test("an error is the skill's word, with its code", async () => {
    const outcome = await answerWith(
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"division by zero"}}',
    );
    expect(outcome).toMatchObject({
      status: "failed",
      cause: "rpc-error",
      message: "division by zero (code -32000)",
    });
  });

  test("an error message of 100 kB is cut", async () => {
    const outcome = await answerWith(
      `{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"${"x".repeat(100_000)}"}}`,
    );
    expect((outcome as { message: string }).message.length).toBeLessThan(5000);
  });

  test("a result of null is an answer, and an error of null beside it is none", async () => {
    expect(await answerWith('{"jsonrpc":"2.0","id":ID,"result":null,"error":null}')).toMatchObject({
      status: "answered",
      output: null,
    });
  });
});

test("fault row 16: a memory hog ends at the limit, and that is its cause", async () => {
  await using skill = await openSkill("hogs-memory.py", ["150"], { memoryMb: 64 });
  expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "memory-limit" });
});

test("fault row 16: a memory hog split over the children of several threads ends at the limit too", async () => {
  await using skill = await openSkill("hogs-memory.py", ["50", "4"], { memoryMb: 120 });
  expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "memory-limit" });
});

test("a file beyond the limit is the cause of its writer's end", async () => {
  await using folder = await temporaryFolder();
  await using skill = await openSkill("grows-file.sh", [join(folder.path, "large")], {
    limits: { fileBytes: megabyte },
  });
  expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "disk-limit" });
});

test("a folder that is gone when the call begins fails that call and nothing else", async () => {
  await using folder = await temporaryFolder();
  await using skill = await openSkill("echo.py", [], { cwd: folder.path });
  rmSync(folder.path, { recursive: true });

  expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "spawn-failed" });
});
