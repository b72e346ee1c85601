// Reads one .docx, in a thread of its own: a file made to burn time or memory takes the thread with it, not us.
// Given { bytes, unpackedCapBytes } as its data; posts { text, unread }, or throws.
import { parentPort, workerData } from "node:worker_threads";
import JSZip from "jszip";
import mammoth from "mammoth";

// Paragraphs and tables do not need these, and a fault in one of them is no reason not to read the text.
const needless = /(?:^|\/)(?:styles|numbering|comments|footnotes|endnotes)\w*\.xml$/i;

const noStyles = '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';

/** Elements of a document that are counted, and what people call them. */
const kinds = {
  comment: "comment",
  txbxContent: "text box",
  blip: "image",
  imagedata: "image",
  footnoteReference: "note",
  endnoteReference: "note",
  oMath: "formula",
  altChunk: "embedded document",
};
const element = new RegExp(
  `<(/?)(?:[\\w.-]+:)?(Choice|Fallback|${Object.keys(kinds).join("|")})(?=[\\s/>])([^<>]*)>`,
  "g",
);

/** Files inside that neither hold words nor run: pictures and fonts. */
const silent = /\.(?:png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp|odttf|ttf)$/i;

const { parts, embedded } = await unpack(workerData.bytes, workerData.unpackedCapBytes);
const lines = await readLines(parts);
parentPort.postMessage({ text: lines.join("\n"), unread: countUnread(parts, embedded) });

/** The parts that are XML, by name, and how many files there are besides. What the archive says of their size is not believed: the cap counts what comes out. */
async function unpack(bytes, unpackedCapBytes) {
  const archive = await JSZip.loadAsync(bytes);
  const found = new Map();
  let embedded = 0;
  let bytesLeft = unpackedCapBytes;
  for (const entry of Object.values(archive.files)) {
    if (entry.dir || silent.test(entry.name)) continue;
    if (!/\.(?:xml|rels)$/i.test(entry.name)) {
      embedded++;
      continue;
    }
    const content = await inflate(entry, bytesLeft);
    bytesLeft -= content.length;
    found.set(entry.name, content.toString("utf8"));
  }
  return { parts: found, embedded };
}

function inflate(entry, bytesLeft) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    const stream = entry.nodeStream("nodebuffer");
    stream.on("error", reject);
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("data", (chunk) => {
      size += chunk.length;
      if (size <= bytesLeft) {
        chunks.push(chunk);
      } else {
        stream.pause();
        reject(new Error("it unpacks to more than is read"));
      }
    });
  });
}

/** A line for each paragraph, and one for each row of a table, in the order of the document. */
async function readLines(parts) {
  const archive = new JSZip();
  archive.file("word/styles.xml", noStyles); // without any, mammoth fails at a table that names one
  // A text box would be read as part of the text; mammoth leaves out what it does not know.
  for (const [name, xml] of parts)
    if (!needless.test(name)) archive.file(name, xml.replace(/(<\/?[\w.-]+:)txbxContent\b/g, "$1leftOut"));
  const buffer = await archive.generateAsync({ type: "nodebuffer" });
  let lines = [];
  const transformDocument = (document) => {
    lines = document.children.flatMap(blockLines);
    return { ...document, children: [] }; // nobody wants the HTML
  };
  await mammoth.convertToHtml({ buffer }, { transformDocument, styleMap: [], includeDefaultStyleMap: false });
  return lines;
}

function blockLines(block) {
  if (block.type === "table") return block.children.flatMap(blockLines);
  if (block.type === "tableRow") return [block.children.map(cellText).join(" | ")];
  return [nodeText(block)];
}

/** A cell is part of a line, so its own lines are joined. */
function cellText(cell) {
  const lines = (cell.children ?? []).flatMap(blockLines).flatMap((line) => line.split("\n"));
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

function nodeText(node) {
  switch (node.type) {
    case "text":
      return node.value;
    case "tab":
      return "\t";
    case "break":
      return node.breakType === "line" ? "\n" : "";
    case "checkbox":
      return node.checked ? "☑" : "☐";
    default:
      return (node.children ?? []).map(nodeText).join("");
  }
}

/** Counts what holds text or meaning outside the paragraphs and cells of the body. */
function countUnread(parts, embedded) {
  const unread = embedded === 0 ? {} : { "embedded file": embedded };
  const add = (kind, count) => {
    unread[kind] = (unread[kind] ?? 0) + count;
  };
  for (const [name, xml] of parts) {
    if (/(?:^|\/)header\d*\.xml$/i.test(name)) add("header", hasText(xml) ? 1 : 0);
    else if (/(?:^|\/)footer\d*\.xml$/i.test(name)) add("footer", hasText(xml) ? 1 : 0);
    else if (/(?:^|\/)comments\.xml$/i.test(name)) add("comment", countElements(xml).comment ?? 0);
    else if (/(?:^|\/)document\d*\.xml$/i.test(name))
      for (const [kind, count] of Object.entries(countElements(xml))) add(kind, count);
  }
  return unread;
}

/** By kind. A drawing is written twice, for new programs (Choice) and for old ones (Fallback), and counts once. */
function countElements(xml) {
  const open = { Choice: 0, Fallback: 0 };
  const counts = {};
  for (const [, slash, name, attributes] of xml.matchAll(element)) {
    if (name in open) {
      if (slash === "/") open[name]--;
      else if (!attributes.endsWith("/")) open[name]++;
    } else if (slash === "") {
      const branch = open.Fallback > 0 ? "fallback" : open.Choice > 0 ? "choice" : "plain";
      counts[kinds[name]] ??= { plain: 0, choice: 0, fallback: 0 };
      counts[kinds[name]][branch]++;
    }
  }
  const total = ({ plain, choice, fallback }) => plain + Math.max(choice, fallback);
  return Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, total(count)]));
}

function hasText(xml) {
  for (const [, text] of xml.matchAll(/<(?:[\w.-]+:)?t(?:\s[^<>]*)?>([^<]*)</g))
    if (text.trim() !== "") return true;
  return false;
}
