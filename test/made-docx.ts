import JSZip from "jszip";

const names = {
  w: "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
  r: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
  wp: "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
  a: "http://schemas.openxmlformats.org/drawingml/2006/main",
  pic: "http://schemas.openxmlformats.org/drawingml/2006/picture",
  mc: "http://schemas.openxmlformats.org/markup-compatibility/2006",
  v: "urn:schemas-microsoft-com:vml",
  wps: "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
  m: "http://schemas.openxmlformats.org/officeDocument/2006/math",
};
const declared = Object.entries(names).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const types = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const officeRelations = names.r;
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A paragraph with this text. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A table of cells, each with its blocks. */
export function table(...rows: readonly (readonly string[])[]): string {
  const cell = (blocks: string) => `<w:tc>${blocks}</w:tc>`;
  const style = '<w:tblPr><w:tblStyle w:val="TableGrid"/></w:tblPr>';
  return `<w:tbl>${style}${rows.map((cells) => `<w:tr>${cells.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`;
}

/** A part of a document in its own file, such as `hdr` or `comments`. */
export function part(root: string, content: string): string {
  return `${head}<w:${root} ${declared.join(" ")}>${content}</w:${root}>`;
}

/** A .docx with this body, and further parts by name. */
export async function madeDocx(
  body: string,
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Buffer> {
  const archive = new JSZip();
  archive.file(
    "[Content_Types].xml",
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
      <Override PartName="/word/document.xml" ContentType="${types}.document.main+xml"/></Types>`,
  );
  archive.file("_rels/.rels", relations({ officeDocument: "word/document.xml" }));
  archive.file("word/_rels/document.xml.rels", relations({ image: "media/image1.png" }));
  archive.file("word/document.xml", part("document", `<w:body>${body}<w:sectPr/></w:body>`));
  for (const [name, content] of Object.entries(parts)) archive.file(name, content);
  return archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE" });
}

function relations(targets: Readonly<Record<string, string>>): string {
  const one = ([type, target]: [string, string]) =>
    `<Relationship Id="${type}" Type="${officeRelations}/${type}" Target="${target}"/>`;
  return `${head}<Relationships xmlns="${packageRelations}">${Object.entries(targets).map(one).join("")}</Relationships>`;
}
