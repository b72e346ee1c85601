import type { AuditedFile } from "./rule.ts";

/** What a file without text is, by its first bytes and its name. */
export interface BinaryFormat {
  what: "program" | "bytecode" | "archive" | "document" | "media" | "data";
  /** For people: `an ELF program`. */
  name: string;
}

/** The format of a binary, or null where nobody knows. What the bytes say comes before what the name says. */
export function binaryFormat({ path, head }: Pick<AuditedFile, "path" | "head">): BinaryFormat | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const extension = /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^py[co]$/.test(extension)) return { what: "bytecode", name: "compiled Python" };
  const found = magics.find(({ magic, at = 0 }) => bytes.subarray(at, at + magic.length).equals(magic));
  if (found === undefined) return null;
  if (found.name === "a ZIP archive") return zipped[extension] ?? found;
  return found;
}

/** Pictures, fonts and sound that are what their first bytes say: nothing runs them and nothing in them is an instruction in words. */
export function isHarmlessMedia(file: Pick<AuditedFile, "path" | "head">): boolean {
  return binaryFormat(file)?.what === "media";
}

interface Magic extends BinaryFormat {
  magic: Buffer;
  at?: number;
}

function magic(what: BinaryFormat["what"], name: string, hex: string, at = 0): Magic {
  return { what, name, magic: Buffer.from(hex.replaceAll(" ", ""), "hex"), at };
}

function spelled(what: BinaryFormat["what"], name: string, text: string, at = 0): Magic {
  return { what, name, magic: Buffer.from(text, "latin1"), at };
}

const magics: readonly Magic[] = [
  magic("program", "an ELF program or library", "7f 45 4c 46"),
  spelled("program", "a Windows program or library", "MZ"),
  magic("program", "a macOS program or library", "fe ed fa ce"),
  magic("program", "a macOS program or library", "fe ed fa cf"),
  magic("program", "a macOS program or library", "ce fa ed fe"),
  magic("program", "a macOS program or library", "cf fa ed fe"),
  magic("program", "a macOS program or Java class", "ca fe ba be"),
  magic("program", "WebAssembly", "00 61 73 6d"),
  magic("bytecode", "compiled Lua", "1b 4c 75 61"),
  magic("archive", "a ZIP archive", "50 4b 03 04"),
  magic("archive", "a ZIP archive", "50 4b 05 06"),
  magic("archive", "a gzip archive", "1f 8b"),
  spelled("archive", "a bzip2 archive", "BZh"),
  magic("archive", "an xz archive", "fd 37 7a 58 5a 00"),
  magic("archive", "a 7z archive", "37 7a bc af 27 1c"),
  spelled("archive", "a RAR archive", "Rar!"),
  magic("archive", "a Zstandard archive", "28 b5 2f fd"),
  spelled("archive", "an ar archive", "!<arch>"),
  spelled("archive", "a tar archive", "ustar", 257),
  spelled("archive", "a disk image", "koly"),
  spelled("archive", "a cabinet archive", "MSCF"),
  magic("document", "an Office document", "d0 cf 11 e0 a1 b1 1a e1"),
  spelled("document", "a PDF document", "%PDF-"),
  magic("media", "a PNG picture", "89 50 4e 47 0d 0a 1a 0a"),
  magic("media", "a JPEG picture", "ff d8 ff"),
  spelled("media", "a GIF picture", "GIF8"),
  magic("media", "an icon", "00 00 01 00"),
  spelled("media", "a bitmap", "BM"),
  spelled("media", "a TIFF picture", "II*\0"),
  spelled("media", "a TIFF picture", "MM\0*"),
  spelled("media", "a WebP picture or sound", "RIFF"),
  spelled("media", "a video or picture", "ftyp", 4),
  spelled("media", "sound", "ID3"),
  spelled("media", "sound", "OggS"),
  spelled("media", "sound", "fLaC"),
  magic("media", "sound", "ff fb"),
  spelled("media", "a font", "wOFF"),
  spelled("media", "a font", "wOF2"),
  spelled("media", "a font", "OTTO"),
  spelled("media", "a font", "ttcf"),
  magic("media", "a font", "00 01 00 00 00"),
  spelled("data", "a SQLite database", "SQLite format 3\0"),
  spelled("data", "a Parquet table", "PAR1"),
  magic("data", "a NumPy array", "93 4e 55 4d 50 59"),
];

const zipped: Record<string, BinaryFormat> = {
  __proto__: null as never,
  docx: { what: "document", name: "an Office document" },
  xlsx: { what: "document", name: "an Office document" },
  pptx: { what: "document", name: "an Office document" },
  odt: { what: "document", name: "an Office document" },
  ods: { what: "document", name: "an Office document" },
  odp: { what: "document", name: "an Office document" },
  epub: { what: "document", name: "an e-book" },
  jar: { what: "program", name: "a Java program" },
  whl: { what: "archive", name: "a Python package" },
};
