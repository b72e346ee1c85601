import { expect, test } from "vitest";
import { gitBlobs, gitEntries } from "./write-git-tree.ts";

const oid = "a".repeat(40);

test("files, programs and links of a listing are reported; submodules and sly names are only counted", () => {
  const line = (mode: string, path: string, type = "blob", size = "      12") =>
    `${mode} ${type} ${oid}${size}\t${path}\0`;
  const listing = [
    line("100644", "a/SKILL.md"),
    line("100755", "a/run me.sh", "blob", " 1234567"),
    line("120000", "link"),
    line("160000", "module", "commit", "       -"),
    line("100644", "../up"),
    line("100644", "a/.git/config"),
    line("100644", "a//b"),
    line("100600", "odd"),
    "cut off",
  ];

  const { entries, leftOut } = gitEntries(Buffer.from(listing.join("")));

  expect(entries).toEqual([
    { kind: "file", oid, bytes: 12, path: "a/SKILL.md" },
    { kind: "program", oid, bytes: 1234567, path: "a/run me.sh" },
    { kind: "link", oid, bytes: 12, path: "link" },
  ]);
  expect(leftOut).toBe(5);
  expect(
    gitEntries(Buffer.from([...Buffer.from(line("100644", "")).subarray(0, -1), 0xff, 0xfe, 0])).leftOut,
  ).toBe(1);
});

test.each([1, 3, 7, 1000])(
  "contents are read whole, whatever pieces of %i bytes they come in",
  async (size) => {
    const text = `${oid} blob 5\none\n2\n${oid} missing\n${oid} blob 0\n\n${oid} blob 3\nend\n${oid} blob 9\ncut`;
    const bytes = Buffer.from(text);
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }

    const found: (string | null)[] = [];
    for await (const blob of gitBlobs(pieces())) found.push(blob?.toString() ?? null);

    expect(found).toEqual(["one\n2", null, "", "end"]);
  },
);
