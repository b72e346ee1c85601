import { expect, test } from "vitest";
import { lexicalProblem, splitToolPath, toolPathProblem } from "./path-guard.ts";

test.each([
  ["", "is empty"],
  [".", "names the folder itself"],
  ["./", "names the folder itself"],
  ["././/.", "names the folder itself"],
  ["..", "has a .. segment"],
  ["../x", "has a .. segment"],
  ["a/../../x", "has a .. segment"],
  ["a/..", "has a .. segment"],
  ["./../x", "has a .. segment"],
  ["..\\x", "has a backslash"],
  ["C:\\x", "has a backslash"],
  ["C:x", "begins with a drive letter"],
  ["c:/x", "begins with a drive letter"],
  ["/etc/passwd", "is absolute"],
  ["//host/share", "is absolute"],
  ["~/x", "begins with ~"],
  ["~root", "begins with ~"],
  ["a\0.md", "has a control character"],
  ["a\nb", "has a control character"],
  ["a\u007f", "has a control character"],
  ["a\u0085b", "has a control character"],
  ["x".repeat(4097), "is longer than 4096 characters"],
])("%j %s", (path, problem) => {
  expect(lexicalProblem(path)).toBe(problem);
});

test.each([
  "v1..v2.md",
  "a/b.md",
  "./a",
  "...",
  "..a/b",
  "a../b",
  "a~",
  "ab:c",
  "表/单.md",
  ".hidden",
  "a/./b",
  "a//b",
])("%j may be looked for", (path) => {
  expect(lexicalProblem(path)).toBeNull();
});

test.each([
  ["a/b.md", { skill: null, rest: "a/b.md" }, null, null],
  ["skill:pdf/a.md", { skill: "pdf", rest: "a.md" }, null, null],
  [".", { skill: null, rest: "." }, "names the folder itself", null],
  ["skill:pdf", { skill: "pdf", rest: "." }, "names the folder itself", null],
  ["skill:pdf/", { skill: "pdf", rest: "." }, "names the folder itself", null],
  ["skill:pdf/.", { skill: "pdf", rest: "." }, "names the folder itself", null],
  ["skill:pdf//etc/passwd", { skill: "pdf", rest: "/etc/passwd" }, "is absolute", "is absolute"],
  ["skill:pdf/../evil/x", { skill: "pdf", rest: "../evil/x" }, "has a .. segment", "has a .. segment"],
  ["skill:../..", { skill: "..", rest: ".." }, "has a .. segment", "has a .. segment"],
])("of the tool path %j the part below the base is judged", (path, parts, asFile, asFolder) => {
  expect(splitToolPath(path)).toEqual(parts);
  expect([toolPathProblem(path, false), toolPathProblem(path, true)]).toEqual([asFile, asFolder]);
});
