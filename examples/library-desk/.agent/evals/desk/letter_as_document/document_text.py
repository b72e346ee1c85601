"""Judges the text of a document: document_text.py <file> <words>... passes where all of the words are in it.

Reads .docx and .xlsx, and .pdf as far as its text is not drawn with fonts of its own, with nothing but Python.
"""

import json
import re
import sys
import zipfile
import zlib
from xml.etree import ElementTree


def office_text(path, members):
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if re.fullmatch(members, name)]
        roots = [ElementTree.fromstring(archive.read(name)) for name in names]
    return " ".join("".join(paragraph.itertext()) for root in roots for paragraph in root.iter())


def pdf_text(path):
    data = open(path, "rb").read()
    texts = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.S):
        try:
            stream = zlib.decompress(stream)
        except zlib.error:
            pass
        texts += re.findall(rb"\(((?:[^()\\]|\\.)*)\)", stream)
    return b" ".join(texts).decode("latin-1")


def text_of(path):
    if path.endswith(".docx"):
        return office_text(path, r"word/(document|header\d*|footer\d*)\.xml")
    if path.endswith(".xlsx"):
        return office_text(path, r"xl/(sharedStrings|worksheets/[^/]+)\.xml")
    return pdf_text(path)


def judge(path, words):
    try:
        text = text_of(path)
    except (OSError, zipfile.BadZipFile, ElementTree.ParseError) as problem:
        return {"pass": False, "reason": f"{path}: {problem}"}
    missing = [word for word in words if word not in text]
    return {"pass": not missing, "reason": f"{path} lacks {', '.join(missing)}" if missing else ""}


print(json.dumps(judge(sys.argv[1], sys.argv[2:])))
