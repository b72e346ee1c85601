import { expect, test } from "vitest";
import { informativeLine } from "./informative-line.ts";

const traces: [string, string, string][] = [
  [
    "python, chained",
    `Traceback (most recent call last):
  File "/tmp/a.py", line 3, in f
    {}["x"]
    ~~^^^^^
KeyError: 'x'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/a.py", line 6, in <module>
    f()
  File "/tmp/a.py", line 5, in f
    raise ValueError("bad config: no x\\nsecond line") from e
ValueError: bad config: no x
second line
`,
    "ValueError: bad config: no x",
  ],
  [
    "python, without a message",
    `Traceback (most recent call last):
  File "/tmp/c.py", line 3, in <module>
    1/0
    ~^~
ZeroDivisionError: division by zero

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tmp/c.py", line 5, in <module>
    raise MyErr
MyErr
`,
    "MyErr",
  ],
  [
    "python, followed by other words",
    `Traceback (most recent call last):
  File "<string>", line 2, in <module>
KeyError: 'name'
sys:1: ResourceWarning: unclosed file <_io.TextIOWrapper name='x'>
`,
    "KeyError: 'name'",
  ],
  [
    "python, syntax",
    `  File "/tmp/b.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax
`,
    "SyntaxError: invalid syntax",
  ],
  [
    "python, group",
    `  + Exception Group Traceback (most recent call last):
  |   File "<string>", line 1, in <module>
  | ExceptionGroup: two went wrong (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | ValueError: 1
    +---------------- 2 ----------------
    | TypeError: 2
    +------------------------------------
`,
    "ExceptionGroup: two went wrong (2 sub-exceptions)",
  ],
  [
    "python, exit with words",
    "usage: skill [-h] x\nskill: error: the argument x is required\n",
    "skill: error: the argument x is required",
  ],
  [
    "python, fault",
    `Fatal Python error: Segmentation fault

Current thread 0x00007f776ea61b80 (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "<string>", line 1 in <module>
`,
    "Fatal Python error: Segmentation fault",
  ],
  [
    "node, with a cause",
    `file:///tmp/a.mjs:1
function f(){ throw new TypeError("cannot read x", {cause: new Error("inner")}) }
                    ^

TypeError: cannot read x
    at f (file:///tmp/a.mjs:1:21)
    at file:///tmp/a.mjs:2:1
    ... 2 lines matching cause stack trace ...
    at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:117:5) {
  [cause]: Error: inner
      at f (file:///tmp/a.mjs:1:60)
}

Node.js v20.20.2
`,
    "TypeError: cannot read x",
  ],
  [
    "node, a missing module",
    `node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/nosuch.mjs' imported from /tmp/b.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11) {
  code: 'ERR_MODULE_NOT_FOUND',
  url: 'file:///tmp/nosuch.mjs'
}

Node.js v20.20.2
`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/nosuch.mjs' imported from /tmp/b.mjs",
  ],
  [
    "node, an import without such a name",
    `file:///tmp/c.mjs:1
import {nox} from "node:fs"
        ^^^
SyntaxError: The requested module 'node:fs' does not provide an export named 'nox'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)

Node.js v20.20.2
`,
    "SyntaxError: The requested module 'node:fs' does not provide an export named 'nox'",
  ],
  [
    "node, a text thrown",
    `
[eval]:1
throw "no key"
^
no key
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)

Node.js v20.20.2
`,
    "no key",
  ],
  [
    "node, an error that was printed",
    `loading
Error: multi
line
    at [eval]:1:9
    at runScript (node:internal/process/execution:101:62) {
  code: 'E_X'
}
`,
    "Error: multi",
  ],
  [
    "node, out of memory",
    `<--- Last few GCs --->

FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
----- Native stack trace -----

 1: 0xb78db3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]
`,
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
  ],
  ["bash, no such command", "a.sh: line 2: jqq: command not found\n", "a.sh: line 2: jqq: command not found"],
  [
    "bash, syntax",
    "b.sh: line 1: syntax error near unexpected token `then'\nb.sh: line 1: `if then'\n",
    "b.sh: line 1: syntax error near unexpected token `then'",
  ],
  [
    "java",
    `Exception in thread "main" java.lang.IllegalStateException: no state
	at A.f(A.java:1)
	at A.main(A.java:1)
Caused by: java.lang.RuntimeException: inner
	at A.f(A.java:1)
	... 1 more
`,
    "java.lang.IllegalStateException: no state",
  ],
  [
    "go",
    `panic: runtime error: index out of range [3] with length 0

goroutine 1 [running]:
main.main()
	/tmp/x.go:5 +0x1d
exit status 2
`,
    "panic: runtime error: index out of range [3] with length 0",
  ],
  [
    "rust",
    `
thread 'main' (27566) panicked at m.rs:1:47:
index out of bounds: the len is 0 but the index is 3
stack backtrace:
   0: __rustc::rust_begin_unwind
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
`,
    "panicked at m.rs:1:47: index out of bounds: the len is 0 but the index is 3",
  ],
  [
    "rust, before 1.73",
    "thread 'main' panicked at 'no luck', src/main.rs:2:5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
    "panicked at 'no luck', src/main.rs:2:5",
  ],
  [
    "c++",
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  bad thing\n",
    "std::runtime_error: bad thing",
  ],
  ["plain words", "reading the config\nthe disk is full\r\n\n", "the disk is full"],
  ["nothing, as after a segmentation fault", "\n", ""],
];

test.each(traces)("%s", (_, stderr, line) => {
  expect(informativeLine(stderr)).toBe(line);
});

test("a long line is cut between words", () => {
  const line = informativeLine(`Error: ${"word ".repeat(200)}`);
  expect(line).toMatch(/ word …$/);
  expect(line.length).toBeLessThanOrEqual(500);
});
