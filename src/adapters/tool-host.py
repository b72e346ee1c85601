"""Calls one tool of a skill, once, in a process of its own.

Started as: python -I -B tool-host.py. On stdin: one line, {"script", "function", "arguments"}, the script
relative to the folder it was started in, which is called differently behind walls. The answer is one line on the stdout it was started with, {"ok": true, "data"} or {"ok": false, "kind", "type", "message"}. Before the tool is
loaded, descriptor 1 becomes stderr and descriptor 0 an empty file: whatever is printed is print, and can be no answer.
"""

import json
import os
import sys
from importlib.machinery import ExtensionFileLoader, EXTENSION_SUFFIXES, FileFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

most_bytes = 65_536
most_depth = 64
# Beyond this a result is not even written out to be measured.
most_measured = 16 * most_bytes
most_message = 4_000


def main():
    host = Host()
    request = json.loads(host.read_request() or b"null")
    if request is not None:
        host.leave(call_tool(host, **request))


class Host:
    """Holds what the tool must neither find nor be able to spoil: the two pipes, and how an answer gets out."""

    def __init__(self):
        # Neither is inherited by programs that the tool starts.
        self.requests = os.dup(0)
        self.replies = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        # In order with stderr, and whatever the locale: printing never fails.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
        sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
        self.printed = (sys.stdout, sys.stderr)
        # The tool may replace anything in a module, so what an answer needs is taken before it is loaded.
        self.pid, self.getpid, self.write, self.end = os.getpid(), os.getpid, os.write, os._exit
        self.dumps, self.tell_error = json.dumps, sys.excepthook

    def read_request(self):
        chunks = []
        while not chunks or not chunks[-1].endswith(b"\n"):
            chunk = os.read(self.requests, 1 << 20)
            if not chunk:
                break
            chunks.append(chunk)
        return b"".join(chunks)

    def leave(self, reply):
        """Answers and ends at once: threads and exit handlers of the tool are not waited for."""
        for stream in self.printed:
            try:
                stream.flush()
            except BaseException:
                pass  # the tool closed it
        if self.getpid() == self.pid:  # a fork of the tool has nothing to say
            rest = memoryview(reply)
            try:
                while rest:
                    rest = rest[self.write(self.replies, rest) :]
            except OSError:
                pass  # the runner has left
        self.end(0)

    def failure(self, kind, error=None, message=""):
        """Says what went wrong; where is written to stderr, which is kept beside the outcome."""
        name = "" if error is None else type(error).__name__
        if error is not None:
            try:
                message = str(error)
                frames = error.__traceback__
                while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
                    frames = frames.tb_next
                self.tell_error(type(error), error.with_traceback(frames), frames)
            except BaseException:
                pass  # it cannot be put into words
        reply = {"ok": False, "kind": kind, "type": name, "message": message[:most_message]}
        return self.dumps(reply).encode("ascii") + b"\n"


def call_tool(host, script, function, arguments):
    try:
        tool = getattr(load(script, function), function, None)
    except SystemExit as error:
        return host.failure("exit", error)
    except BaseException as error:
        return host.failure("import", error)
    if not callable(tool):
        return host.failure("no-function")
    try:
        data = tool(**arguments)
    except SystemExit as error:
        return host.failure("exit", error)
    except BaseException as error:
        return host.failure("exception", error)
    try:
        return answer(host, data)
    except BaseException as error:  # a dict of the tool's own making may do anything when it is read
        return host.failure("not-json", error)


def load(script, function):
    script = os.path.abspath(script)
    scripts = os.path.dirname(script)
    sys.path_hooks.insert(0, scripts_finder(scripts))
    sys.path.insert(0, scripts)
    # A tool called like a module that is there already does not take its place.
    name = function if function not in sys.modules else "tool_" + function
    spec = spec_from_loader(name, UncachedLoader(name, script))
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class UncachedLoader(SourceFileLoader):
    """Reads the source every time. Compiled files are no part of a skill's digest and may be older than what they stand for."""

    def path_stats(self, path):
        raise OSError("compiled files are not used")


def scripts_finder(scripts):
    def finder(path):
        if path != scripts and not path.startswith(scripts + os.sep):
            raise ImportError(path)
        return FileFinder(path, (ExtensionFileLoader, EXTENSION_SUFFIXES), (UncachedLoader, [".py"]))

    return finder


def answer(host, data):
    if not isinstance(data, dict):
        return host.failure("not-object", message="expected a JSON object, got " + type(data).__name__)
    problem = problem_of(data)
    if problem is not None:
        return host.failure(problem[0], message=problem[1])
    try:
        text = host.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return host.failure("not-json", message="a text has half of a surrogate pair")
    if len(text) > most_bytes:
        return host.failure("too-large", message="%d bytes, limit %d" % (len(text), most_bytes))
    return b'{"ok":true,"data":' + text + b"}\n"


def problem_of(data):
    """What keeps a value from being JSON of a size we take, as (kind, message); looks at each part once, without recursion."""
    waiting = [(data, "", 1)]
    least = 0
    while waiting:
        value, pointer, depth = waiting.pop()
        if isinstance(value, (str, dict, list, tuple)):
            least += len(value)
            if least > most_measured:
                return "too-large", "more than %d bytes, limit %d" % (most_measured, most_bytes)
        if isinstance(value, (dict, list, tuple)):
            if depth > most_depth:
                return "too-large", "nested deeper than %d levels" % most_depth
            is_map = isinstance(value, dict)
            for key, member in value.items() if is_map else enumerate(value):
                if is_map and not isinstance(key, str):
                    return "not-json", "%s has a key that is no text: %s" % (pointer or "it", type(key).__name__)
                waiting.append((member, pointer + "/" + str(key)[:64], depth + 1))
        elif isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                return "not-json", "%s is %s" % (pointer, value)
        elif value is not None and not isinstance(value, (str, bool, int)):
            return "not-json", "%s is a value of type %s" % (pointer, type(value).__name__)
    return None


if __name__ == "__main__":
    main()
