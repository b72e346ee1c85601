import { expect, test } from "vitest";
import { failedLookups } from "./failed-lookups.ts";

const cases: readonly (readonly [words: string, first: object])[] = [
  [
    "FileNotFoundError: [Errno 2] No such file or directory: '/srv/my data/x.json'",
    { name: "/srv/my data/x.json", as: "path" },
  ],
  ["PermissionError: [Errno 13] Permission denied: '../x.json'", { name: "../x.json", wants: "read" }],
  [
    "OSError: [Errno 30] Read-only file system: '/skill/cache.json'",
    { name: "/skill/cache.json", wants: "write" },
  ],
  [
    "Error: EROFS: read-only file system, open '/skill/cache.json'",
    { name: "/skill/cache.json", wants: "write" },
  ],
  ["Error: ENOENT: no such file or directory, open '/srv/x.json'", { name: "/srv/x.json", wants: "read" }],
  ["Error: ENOENT: no such file or directory, mkdir '/srv/x'", { name: "/srv/x", wants: "write" }],
  ["python3: can't open file '/srv/a.py': [Errno 2] No such file or directory", { name: "/srv/a.py" }],
  ["bash: /srv/a.sh: No such file or directory", { name: "/srv/a.sh" }],
  ["sh: 0: cannot open /srv/a.sh: No such file", { name: "/srv/a.sh" }],
  ["sh: 1: /srv/tool: not found", { name: "/srv/tool" }],
  ["sh: 1: cannot create /srv/y: Directory nonexistent", { name: "/srv/y", wants: "write" }],
  ["mkdir: cannot create directory ‘/srv/a’: Read-only file system", { name: "/srv/a", wants: "write" }],
  ["cat: data/x: No such file or directory", { name: "data/x" }],
  ["Cannot open /srv/x: No such file or directory at -e line 1.", { name: "/srv/x" }],
  ["open /srv/x: no such file or directory", { name: "/srv/x" }],
  ["java.nio.file.NoSuchFileException: /srv/x", { name: "/srv/x" }],
  ["sh: 1: ffmpeg: not found", { name: "ffmpeg", as: "program" }],
  ["bash: line 1: ffmpeg: command not found", { name: "ffmpeg", as: "program" }],
  ["Error: spawn ffmpeg ENOENT", { name: "ffmpeg", as: "program" }],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'", { name: "ffmpeg", as: "program" }],
  [
    "Error: Cannot find module '../x'\nRequire stack:\n- /skill/lib/a.js",
    { name: "../x", as: "node-module", from: "/skill/lib/a.js" },
  ],
  [
    "Cannot find package 'left-pad' imported from /skill/a.mjs",
    { name: "left-pad", as: "node-module", from: "/skill/a.mjs" },
  ],
  [
    "fatal: not a git repository (or any of the parent directories): .git",
    { name: ".git", as: "repository" },
  ],
  [
    `  File "/skill/a.py", line 1, in <module>\nModuleNotFoundError: No module named 'x.y'`,
    { name: "x.y", as: "python-module", from: "/skill/a.py" },
  ],
  [
    "ImportError: cannot import name 'helper' from 'tests' (unknown location)",
    { name: "tests.helper", as: "python-module" },
  ],
  [
    `  File "/skill/a.py", line 3, in <module>\n    sys.path.append(str(Path(__file__).resolve().parents[2] / "shared"))\n    ~~^^\nIndexError: 2`,
    { name: "./../../shared", as: "path", from: "/skill/a.py" },
  ],
];
for (const [words, first] of cases) {
  test(`what was looked for is in: ${words}`, () => {
    expect(failedLookups(words)[0]).toMatchObject(first);
  });
}

test("words that report no lookup name none, whatever paths are in them", () => {
  for (const words of [
    "",
    "ZeroDivisionError",
    "refused to read /etc/shadow",
    'File "/skill/a.py", line 1',
    "see https://example.org/a/b",
  ])
    expect(failedLookups(words)).toEqual([]);
});
