import { describe, expect, test } from "vitest";
import type { ParameterWay, PythonModule } from "./python-module.ts";
import { readPython } from "./read-python.ts";

async function readModule(source: string): Promise<PythonModule> {
  const reading = await readPython(source);
  if (reading.state !== "read") throw new Error(JSON.stringify(reading));
  return reading.module;
}

const signs: Record<ParameterWay, string> = {
  "positional-only": "/",
  either: "",
  "keyword-only": "!",
  "positional-rest": "*",
  "keyword-rest": "**",
};

/** What is known of the callable `t`: its parameters, `?` where they are unknown, `-` where there is none. */
async function signatureOfT(source: string): Promise<string> {
  const { callables } = await readModule(source);
  const found = callables.get("t");
  if (found === undefined) return "-";
  if (found.parameters === null) return "?";
  return found.parameters.map((p) => `${signs[p.way]}${p.name}${p.hasDefault ? "=" : ""}`).join(" ");
}

describe("what can be called", () => {
  test.each([
    ["def t(a, b=1): pass", "a b="],
    ["def t(): pass", ""],
    ["async def t(a): pass", "a"],
    ["def t(a, /, b, *, c, d=2): pass", "/a b !c !d="],
    ["def t(a, b=1, /): pass", "/a /b="],
    ["def t(*args, a, **kwargs): pass", "*args !a **kwargs"],
    ["def t(a: int, b: 'x | y' = 3, *c: str, **d: Any) -> dict: pass", "a b= *c **d"],
    ["def t[T: int, *Ts, **P](a: T) -> T: pass", "a"],
    ["def t(\n    a,  # with, a / comma\n    b=(1, 2),\n): pass", "a b="],
    ["def t(a, b={'x': [1, 2]}, c=lambda x, y=1: x): pass", "a b= c="],
    ["t = lambda a, b=1, *c, **d: {}", "a b= *c **d"],
    ["t = lambda a, /, b: {}", "/a b"],
    ["def t(ﬁle): pass", "file"],
    ["def 计算(数): pass\nt = 计算", "数"],
    ["def other(a): pass\nt = other", "a"],
    ["@cache\ndef t(a): pass", "a"],
    ["@functools.lru_cache(maxsize=None)\ndef t(a): pass", "a"],
    ["@app.tool(name='x')\ndef t(context, a): pass", "?"],
    ["from helper import t", "?"],
    ["from helper import run as t", "?"],
    ["t = make(1)", "?"],
    ["t: Callable = functools.partial(f, 1)", "?"],
    ["s, t = f(), g()", "?"],
    ["class t:\n    def __call__(self): pass", "?"],
    ["try:\n    from fast import t\nexcept ImportError:\n    def t(a): pass", "?"],
    ["if x:\n    def t(a): pass\nelse:\n    def t(b): pass", "?"],
    ["if x:\n    def t(a): pass\nelse:\n    t = None", "a"],
    ["with lock:\n    def t(a): pass", "a"],
    ["def t(a): pass\ndef t(b): pass", "b"],
    ["def t(a): pass\nt = wrapped(t)", "?"],
    ["def t(a): pass\nt = 5", "-"],
    ["t = 'text'", "-"],
    ["t = {}", "-"],
    ["t: Callable", "-"],
    ["import t", "-"],
    ["class A:\n    def t(self): pass", "-"],
    ["def outer():\n    def t(a): pass", "-"],
    ["if __name__ == '__main__':\n    def t(a): pass", "-"],
    ["'''\ndef t(a): pass\n'''", "-"],
    ["# def t(a): pass", "-"],
    ["def T(a): pass", "-"],
    ["", "-"],
  ])("%j", async (source, expected) => {
    expect(await signatureOfT(source)).toBe(expected);
  });

  test.each(["from helper import *", "globals()['t'] = 1", "def __getattr__(name): pass", "exec(code)"])(
    "may be more than is seen in %j",
    async (source) => {
      expect((await readModule(source)).mayHaveOtherNames).toBe(true);
      expect((await readModule("def f():\n    exec(code)\n    return globals()")).mayHaveOtherNames).toBe(
        false,
      );
    },
  );

  test.each([
    ["def t(**rest):\n    return {'a': rest.get('a'), 'b': rest['b'], 'c': 'c' in rest}", false],
    ["def t(**rest):\n    return {}", false],
    ["def t(**rest):\n    return helper(**rest)", true],
    ["def t(**rest):\n    return rest", true],
    ["def t(**rest):\n    return {'a': rest.get(key)}", true],
    ["def t(**rest):\n    return {key: value for key, value in rest.items()}", true],
  ])("reports whether keywords go on in %j", async (source, expected) => {
    expect((await readModule(source)).callables.get("t")?.passesKeywordsOn).toBe(expected);
  });
});

describe("what is imported", () => {
  test.each([
    ["import a", ["1 a"]],
    ["import a.b.c as d, e", ["1 a.b.c", "1 e"]],
    ["from a.b import c as d, e", ["1 a.b: c=d e"]],
    ["from a import (\n    b,  # why\n    c,\n)", ["1 a: b c"]],
    ["from . import a", ["1 .: a"]],
    ["from .a import b", ["1 .a: b"]],
    ["from ....a.b import *", ["1 ....a.b: *"]],
    ["def t():\n    import a", ["2 a"]],
    ["try:\n    import a\nexcept ImportError:\n    a = None", ["2 a"]],
    ["x = 1; import a; import b", ["1 a", "1 b"]],
    ["import \\\n    a", ["1 a"]],
    ["importlib.import_module('a.b')", ["1 a.b"]],
    ["__import__('a')", ["1 a"]],
    ["'import a'\n# import b\nx = f'{1}import c'", []],
    ["if TYPE_CHECKING:\n    import a\nelse:\n    import b", ["2 a (dormant)", "4 b"]],
    ["if typing.TYPE_CHECKING:\n    import a", ["2 a (dormant)"]],
    ['if __name__ == "__main__":\n    import a\nimport b', ["2 a (dormant)", "3 b"]],
  ])("%j", async (source, expected) => {
    const { imports, importsByMadeUpName } = await readModule(source);
    const lines = imports.map(({ line, level, module, names, isDormant }) => {
      const taken = names?.map(({ name, local }) => (name === local ? name : `${name}=${local}`)).join(" ");
      const what = `${".".repeat(level)}${module}${taken === undefined ? "" : `: ${taken}`}`;
      return `${line} ${what}${isDormant ? " (dormant)" : ""}`;
    });
    expect(lines).toEqual(expected);
    expect(importsByMadeUpName).toBe(false);
  });

  test.each(["importlib.import_module(name)", "__import__(f'{a}')", "runpy.run_path('a.py')"])(
    "may be anything in %j",
    async (source) => {
      expect((await readModule(source)).importsByMadeUpName).toBe(true);
    },
  );
});

/** A function whose error handling is the given lines. */
function handling(...lines: string[]): string {
  return ["def t(a):", "    try:", "        return f(a)", ...lines.map((line) => `    ${line}`)].join("\n");
}

describe("errors that are swallowed", () => {
  test.each([
    [
      handling("except Exception as e:", "    return {'error': str(e)}"),
      ["4: except Exception returns a dict"],
    ],
    [handling("except:", "    return dict(ok=False)"), ["4: bare except returns a dict"]],
    [handling("except BaseException: return ({})"), ["4: except BaseException returns a dict"]],
    [handling("except (ValueError, Exception):", "    return {}"), ["4: except Exception returns a dict"]],
    [handling("except builtins.Exception:", "    return {}"), ["4: except Exception returns a dict"]],
    [
      handling("except Exception as e:", "    result = {'error': e}", "    return result"),
      ["4: except Exception returns a dict"],
    ],
    [
      handling(
        "except ValueError:",
        "    raise",
        "except Exception:",
        "    if a:",
        "        return {k: 1 for k in a}",
      ),
      ["6: except Exception returns a dict"],
    ],
    [handling("except ValueError:", "    return {}"), []],
    [handling("except Exception:", "    log()", "    raise"), []],
    [handling("except Exception as e:", "    if a: raise ValueError(a) from e", "    return {}"), []],
    [handling("except Exception:", "    return None"), []],
    [handling("except Exception:", "    return [1]"), []],
    [handling("except Exception:", "    pass", "return {}"), []],
    [handling("except Exception:", "    def g(): return {}", "    raise"), []],
    [handling("finally:", "    close()"), []],
  ])("%j", async (source, expected) => {
    const { swallows } = await readModule(source);
    expect(swallows.map(({ line, pattern }) => `${line}: ${pattern}`)).toEqual(expected);
  });
});

describe("what makes results differ", () => {
  test.each([
    ["import time\nx = time.time()", ["2: time.time reads the clock"]],
    ["import time as t\nx = t.perf_counter()", ["2: time.perf_counter reads the clock"]],
    ["from time import time\nx = time()", ["2: time.time reads the clock"]],
    ["from datetime import datetime as dt\nx = dt.now()", ["2: datetime.datetime.now reads the clock"]],
    ["import datetime\nx = datetime.date.today()", ["2: datetime.date.today reads the clock"]],
    ["import time\nx = time.strftime('%Y')", ["2: time.strftime reads the clock"]],
    ["import random\nx = random.choice(a)\ny = random.choice(b)", ["2: random.choice is random"]],
    ["import random\nx = random.Random()", ["2: random.Random is random"]],
    ["from uuid import uuid4\nx = field(default_factory=uuid4)", ["2: uuid.uuid4 is random"]],
    [
      "import os, secrets\nx = os.urandom(8) + secrets.token_bytes(8)",
      ["2: os.urandom is random", "2: secrets.token_bytes is random"],
    ],
    ["import numpy as np\nx = np.random.rand(3)", ["2: numpy.random.rand is random"]],
    ["import socket\nx = socket.create_connection(a)", ["2: socket.create_connection uses the network"]],
    ["from urllib import request\nx = request.urlopen(a)", ["2: urllib.request.urlopen uses the network"]],
    ["import urllib.request\nx = urllib.request.urlopen(a)", ["2: urllib.request.urlopen uses the network"]],
    [
      "def t():\n    import requests\n    return requests.get(a).json()",
      ["3: requests.get uses the network"],
    ],
    [
      "import http.client\nx = http.client.HTTPConnection(a)",
      ["2: http.client.HTTPConnection uses the network"],
    ],
    // What only looks like it.
    ["import time\ntime.sleep(1)\nx = time.strftime('%Y', when)\ny = time.gmtime(0)", []],
    ["from datetime import datetime\nx = datetime(2020, 1, 1)\ny = datetime.strptime(a, b)", []],
    ["import random\nx = random.Random(7).choice(a)\ndef f(r: random.Random): pass", []],
    ["import random\nrandom.seed(7)\nx = random.random()", []],
    ["import secrets\nx = secrets.compare_digest(a, b)", []],
    ["import uuid\nx = uuid.uuid5(uuid.NAMESPACE_DNS, a)", []],
    ["from urllib.parse import quote\nx = quote(a)", []],
    ["import requests\ntry:\n    f()\nexcept requests.exceptions.Timeout:\n    raise", []],
    ["import socket\nx = socket.AF_INET", []],
    ["x = time.time()\ny = self.random.choice(a)", []],
    ["from time import time\nf(time=1)", []],
    ["import time\nif __name__ == '__main__':\n    print(time.time())", []],
    ["import time\nx = 'time.time()'  # time.time()", []],
  ])("%j", async (source, expected) => {
    const { chances } = await readModule(source);
    expect(chances.map(({ line, pattern }) => `${line}: ${pattern}`)).toEqual(expected);
  });
});

describe("text that the grammar does not know", () => {
  /** Valid Python, old and new, before a function that must still be found. */
  test.each([
    "x = 1.",
    "def f():\n    yield\n    y = yield",
    "with open(a) as (b, c): pass",
    "with (open(a) as b, open(c) as d): pass",
    "with a as self.b: pass",
    "x = [b for a, *b in c]",
    "match x:\n    case A(): pass\n    case {'k': [1, *r], **rest} if r: pass\n    case _: pass",
    "x = rf'\\{{{a}\\}}'",
    'x = f"{a["b"]:>{width}} {{}} {c!r:^10} {d=}"',
    "x = f'''{\n    a  # why\n}'''",
    "x = t'{a}'",
    "try: pass\nexcept (A, B): pass\nexcept* C: pass",
    "try: pass\nexcept A, B: pass",
    "type X[T] = list[T]\nclass C[T = int]: pass",
    "x = a[*b, 1:2]",
    "if (n := len(a)) > 1: pass",
    "@a[0].b(c)\ndef f(): pass",
    "print 'hello'\nprint >>f, a",
    "exec 'code'\nraise E, 'why'\nx = 0777",
    "lazy import json",
    "x = 1_000.0e1_0j + 0xFF_FF + 0b1",
    "x = \\\n    1",
    "if x:\n\ty = 1\n        z = 2",
    "\fclass A: pass\n\f\n",
    "x = 'a\\\nb'",
    "async def f():\n    async with a: pass\n    return [x async for x in await b]",
  ])("%j", async (source) => {
    for (const text of [source, source.replaceAll("\n", "\r\n"), `\ufeff# -*- coding: utf-8 -*-\n${source}`])
      expect(await signatureOfT(`${text}\n\ndef t(a, b=1):\n    return {}\n`)).toBe("a b=");
  });
});

describe("text that no Python reads", () => {
  test.each([
    ["def t(a:\n    return {}", 1, "( is never closed"],
    ["x = [1, 2)\n", 1, ") does not match the [ of line 1"],
    ["x = 1\ny = 2)\n", 2, "unmatched )"],
    ["x = 'abc\ndef t(): pass", 1, "' is never closed"],
    ['x = f"{a}\n', 1, '" is never closed'],
    ["x = 1\n'''open\n", 2, "''' is never closed"],
    ["x = f'''{a\n", 1, "{ is never closed"],
    ["def t(a)\n    return {}", 2, "unexpected indent"],
    ["def t(a):\nreturn {}", 2, "expected an indented block"],
    ["def t(a):\n", 2, "expected an indented block"],
    ["if a:\n        b\n    c\n", 3, "unindent does not match any outer level"],
    ["x = 1 \\ \ny = 2", 1, "backslash not followed by a line end"],
    ["x = 1\r\ny = 2\0\r\n", 2, "NUL character"],
  ])("%j", async (source, line, problem) => {
    expect(await readPython(source)).toEqual({ state: "faulty", fault: { line, problem } });
  });
});

describe("hostile text", () => {
  test.each([
    ["brackets in brackets", `x = ${"(".repeat(100_000)}${")".repeat(100_000)}\ndef t(a): pass\n`],
    ["a line of a megabyte", `def t(a): pass\nx = ${"1 + ".repeat(260_000)}1`],
    ["a chain of attributes", `import time\ndef t(a): pass\nx = time${".a".repeat(200_000)}`],
    [
      "thousands of parameters",
      `def t(${Array.from({ length: 10_000 }, (_, i) => `a${i}`).join(", ")}): pass`,
    ],
    ["thousands of functions", "def t(a): pass\n".repeat(8000)],
    ["blocks in blocks", Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}if x:\n`).join("")],
    ["words in no language", "a ".repeat(2_000)],
    ["strings in strings", `f"{${"f'{".repeat(5000)}`],
    ["half of a surrogate pair", "x = '\ud800'\ndef t\udc00(a): pass"],
  ])("%s is read to its end", async (_, source) => {
    expect(["read", "faulty", "unread"]).toContain((await readPython(source)).state);
  });

  test("more than a megabyte is not read", async () => {
    expect(await readPython(`${"#".repeat(1024 * 1024)}\n`)).toEqual({ state: "unread" });
  });

  test("what is long and unknown is not recovered", async () => {
    expect(await readPython("a b\n".repeat(10), 20)).toEqual({ state: "unread" });
    expect((await readPython("a b\n".repeat(10), 200)).state).toBe("read");
  });

  test("no text makes it throw", async () => {
    const pieces = [
      "def t(",
      "):",
      "\n",
      "    ",
      "\t",
      "'",
      '"""',
      'f"{',
      "}",
      "{",
      "[",
      "]",
      "import ",
      "from .",
      "except",
    ];
    pieces.push(
      " Exception",
      "return ",
      "try:",
      "lambda",
      "*",
      "**",
      "/",
      ",",
      "=",
      "a",
      ".",
      "\\",
      "#",
      "\0",
      "@",
      "😀",
    );
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 800; round++) {
      const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join("");
      await expect(readPython(text), text).resolves.toHaveProperty("state");
    }
  });
});
