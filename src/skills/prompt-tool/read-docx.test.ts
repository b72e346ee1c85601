import { expect, test } from "vitest";
import { madeDocx, paragraph, part, table } from "../../../test/made-docx.ts";
import { docxLimits, readDocx } from "./read-docx.ts";

const run = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
const textBox = `<w:txbxContent>${paragraph("in a box")}</w:txbxContent>`;
const drawn = (choice: string, fallback: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
const image = `<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="image"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;

test("paragraphs and table cells are read in the order of the document, and what is left out is counted", async () => {
  const nested = table([paragraph("inner 1"), paragraph("inner 2")]);
  const body = [
    paragraph("核对发票：逐行检查 &amp; 合计"),
    run('<w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t><w:br w:type="page"/>'),
    table(
      [paragraph("项目"), paragraph("金额")],
      [paragraph("first") + paragraph("second"), "<w:p/>", nested + paragraph("after")],
    ),
    "<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>",
    "<w:p/>",
    run(image),
    run(
      drawn(
        `<w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${textBox}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`,
        `<w:pict><v:shape><v:textbox>${textBox}</v:textbox></v:shape></w:pict>`,
      ),
    ),
    run(`<w:pict><v:shape><v:textbox>${textBox}</v:textbox></v:shape></w:pict>`),
    run('<w:t>noted</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/>'),
    "<m:oMathPara><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></m:oMathPara>",
    paragraph("end"),
  ].join("");
  const bytes = await madeDocx(body, {
    "word/header1.xml": part("hdr", paragraph("on every page")),
    "word/header2.xml": part("hdr", "<w:p/>"),
    "word/footer1.xml": part("ftr", paragraph("page 1")),
    "word/comments.xml": part("comments", `<w:comment w:id="0">${paragraph("why?")}</w:comment>`),
    "word/footnotes.xml": part("footnotes", `<w:footnote w:id="2">${paragraph("a note")}</w:footnote>`),
    "word/media/image1.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  });

  expect(await readDocx(bytes)).toEqual({
    ok: true,
    text: [
      "核对发票：逐行检查 & 合计",
      "one\ttwo\nthree",
      "项目 | 金额",
      "first second |  | inner 1 | inner 2 after",
      "kept",
      "",
      "",
      "",
      "",
      "noted",
      "end",
    ].join("\n"),
    unread: { header: 1, footer: 1, comment: 1, image: 1, "text box": 2, note: 1, formula: 1 },
  });
});

test("nothing is reported as left out of a plain document", async () => {
  expect(await readDocx(await madeDocx(paragraph("Check the invoice.")))).toEqual({
    ok: true,
    text: "Check the invoice.",
    unread: {},
  });
});

const deep = 20_000;

test.each<[string, () => Promise<Uint8Array>, string]>([
  ["no archive", async () => Buffer.from("Check the invoice."), "it is not a zip archive"],
  ["an empty file", async () => Buffer.from(""), "it is not a zip archive"],
  [
    "an old document",
    async () => Buffer.from("d0cf11e0a1b11ae1", "hex"),
    "it is an old .doc file, or password-protected",
  ],
  ["half a file", async () => (await madeDocx(paragraph("x"))).subarray(0, 300), "it is damaged"],
  [
    "a size that is not true",
    async () => withSize(await madeDocx(paragraph("x".repeat(5000))), "word/document.xml", 7),
    "it is damaged",
  ],
  [
    "a bomb",
    () => madeDocx("", { "word/document.xml": Buffer.alloc(2 * 1024 * 1024, " ") }),
    "it unpacks to more than is read",
  ],
  ["no document in it", () => madeDocx("", { "word/document.xml": "<x/>" }), expect.stringContaining("body")],
  ["broken XML", () => madeDocx("<w:p>"), expect.any(String)],
  [
    "elements in elements without end",
    () => madeDocx("<w:ins>".repeat(deep) + "</w:ins>".repeat(deep)),
    "it is nested too deep",
  ],
  [
    "an entity that grows",
    () => madeDocx("", { "word/document.xml": '<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;&a;</x>' }),
    expect.any(String),
  ],
])("what cannot be read is a value: %s", async (_, make, problem) => {
  expect(await readDocx(await make(), { ...docxLimits, unpackedCapBytes: 1024 * 1024 })).toEqual({
    ok: false,
    problem,
  });
});

test("a file that takes too long, or too much memory, is given up", async () => {
  const bytes = await madeDocx(paragraph("x").repeat(100_000));

  expect(await readDocx(bytes, { ...docxLimits, timeMs: 1 })).toEqual({
    ok: false,
    problem: "reading it takes too long",
  });
  expect(await readDocx(bytes, { ...docxLimits, memoryMb: 16 })).toEqual({
    ok: false,
    problem: "reading it takes too much memory",
  });
});

/** The archive with another declared size of one of its parts. */
function withSize(bytes: Buffer, name: string, size: number): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.lastIndexOf(name) - 46; // the entry in the directory at the end, which is the one that counts
  changed.writeUInt32LE(size, at + 24);
  return changed;
}
