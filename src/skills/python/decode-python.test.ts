import { expect, test } from "vitest";
import { decodePython } from "./read-python.ts";

const hello = [0xc4, 0xe3, 0xba, 0xc3];

function file(head: string, bytes: readonly number[] = hello): Uint8Array {
  return Buffer.concat([Buffer.from(head), Buffer.from(bytes)]);
}

test.each([
  ["UTF-8", Buffer.from("x = '你好'"), "x = '你好'"],
  ["UTF-8 with a byte order mark", Buffer.from("\ufeffx = 1"), "x = 1"],
  ["UTF-8, whatever it says it is", Buffer.from("# coding: gbk\n'你好'"), "# coding: gbk\n'你好'"],
  ["an encoding named in the first line", file("# -*- coding: gbk -*-\n# "), "# -*- coding: gbk -*-\n# 你好"],
  [
    "an encoding named in the second line",
    file("#!/bin/python\n# vim: set fileencoding=gbk :\n#"),
    "#!/bin/python\n# vim: set fileencoding=gbk :\n#你好",
  ],
  ["one that only Python knows", file("# coding: mac_croatian\n#", [0xff]), "# coding: mac_croatian\n#ÿ"],
  ["no encoding that is named", file("x = "), null],
  ["one that is named too late", file("x = 1\n# coding: gbk\n"), null],
])("reads %s", (_, bytes, expected) => {
  expect(decodePython(bytes)).toBe(expected);
});
