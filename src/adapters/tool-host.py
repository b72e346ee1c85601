"""Calls tools of one skill in a process of its own.

Started as: python -I -B tool-host.py, for one call; with the word `persistent`, for many calls one after the other.
A request is one line on stdin, {"script", "function", "arguments"}, the script relative to the folder it was started in,
which has another path in the sandbox. The answer is one line on the stdout it was started with, {"ok": true, "data"} or
{"ok": false, "kind", "type", "message"}. Where there are many, a line {"ready": true} comes first, both carry the "id" of the
request, and an answer says "last" when nobody should ask this process again. Where the arguments are null, the tool is loaded
and not called. Before a tool is loaded, descriptor 1 becomes stderr and descriptor 0 an empty file: whatever is printed is
print, and can be no answer.
"""

import _signal
import _thread
import builtins
import gc
import json
import os
import select
import sys
from importlib.machinery import ExtensionFileLoader, EXTENSION_SUFFIXES, FileFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

most_bytes = 65_536
most_depth = 64
# Beyond this a result is not even written out to be measured.
most_measured = 16 * most_bytes
most_message = 4_000
calls_per_host = 100


def main():
    host = Host()
    if sys.argv[1:] == ["persistent"]:
        keep_hosts(host)
    line = host.read_request()
    if line:
        request = host.decode(line)
        host.leave(call_tool(host, request["script"], request["function"], request["arguments"]))


def keep_hosts(host):
    """Never loads a tool itself: it forks a host, which serves its calls, and then the next one. So each begins clean, and
    at once. When a host ends in any other way, so does this process, with the same number."""
    host.write(host.replies, b'{"ready":true}\n')
    gc.freeze()
    while True:
        status_read, status_write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(status_read)
            serve(host, status_write)
        os.close(status_write)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.set_blocking(status_read, False)
        try:
            has_served = os.read(status_read, 1) == b"+"
        except BlockingIOError:
            has_served = False  # a process that the tool left behind holds the other end
        os.close(status_read)
        if not has_served:
            os._exit(code if code >= 0 else 128 - code)


def serve(host, status_write):
    host.watch()
    for _ in range(calls_per_host):
        line = host.read_request()
        if not line:
            host.end(0)
        request = host.decode(line)
        reply = call_tool(host, request["script"], request["function"], request["arguments"])
        host.answer(reply, request["id"])
    host.write(status_write, b"+")
    host.end(0)


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
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        self.home = os.getcwd()
        self.modules = {}
        # The tool may replace anything in a module, so what an answer needs is taken before it is loaded.
        self.pid, self.getpid, self.read, self.write, self.end = os.getpid(), os.getpid, os.read, os.write, os._exit
        self.print_error = sys.excepthook
        self.decode = json.JSONDecoder().decode
        self.encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
        self.encode_ascii = json.JSONEncoder().encode
        self.chdir, self.threads, self.set_timer = os.chdir, _thread._count, _signal.setitimer
        self.waitpid, self.at_once = os.waitpid, os.WNOHANG
        descriptors = select.poll()
        for descriptor in (0, 1, 2, self.requests, self.replies):
            descriptors.register(descriptor, 0)
        self.lost_descriptors = descriptors.poll

    def watch(self):
        """Takes note of what a host that goes on has to find unchanged after every call."""
        self.pid = os.getpid()
        # Every other tool depends on these modules, and some tools replace parts of them.
        self.ground = [(vars(module), list(vars(module).values())) for module in (builtins, json, os, os.path)]
        self.events = events = set()
        # A process or thread that was started may be gone again by then. An audit hook sees it, and cannot be removed.
        sys.addaudithook(lambda event, _: events.add(event) if event in watched_events else None)

    def read_request(self):
        chunks = []
        while not chunks or not chunks[-1].endswith(b"\n"):
            chunk = self.read(self.requests, 1 << 16)
            if not chunk:
                return b""
            chunks.append(chunk)
        return b"".join(chunks).decode("utf-8")

    def leave(self, reply):
        """Answers and ends at once: threads and exit handlers of the tool are not waited for."""
        self.flush()
        self.send(reply)
        self.end(0)

    def answer(self, reply, id):
        """Answers, and stays for the next call."""
        self.flush()
        last = b"" if self.is_as_before() else b'"last":true,'
        self.send(b'{"id":' + self.encode_ascii(id).encode("ascii") + b"," + last + reply[1:])

    def flush(self):
        for stream in self.streams[1:]:
            try:
                stream.flush()
            except BaseException:
                pass  # the tool closed it

    def send(self, reply):
        if self.getpid() != self.pid:
            self.end(0)  # a fork of the tool has nothing to say
        rest = memoryview(reply)
        try:
            while rest:
                rest = rest[self.write(self.replies, rest) :]
        except OSError:
            self.end(0)  # the runner has left, or the tool closed it

    def is_as_before(self):
        """Whether the next call meets what the first one met: nobody else's threads, processes, timers or repairs."""
        try:
            for module, before in self.ground:
                if list(module.values()) != before:
                    return False
            if self.threads() > 0 or self.events - {"os.chdir"}:
                return False
            if self.lost_descriptors(0) or any(stream.closed for stream in self.streams):
                return False
            sys.stdin, sys.stdout, sys.stderr = self.streams
            if self.events:
                self.chdir(self.home)
                self.events.clear()
            if "signal" in sys.modules:
                for timer in (_signal.ITIMER_REAL, _signal.ITIMER_VIRTUAL, _signal.ITIMER_PROF):
                    self.set_timer(timer, 0)
            self.waitpid(-1, self.at_once)
            return False  # there is a child, or was just now
        except ChildProcessError:
            return True
        except BaseException:
            return False

    def failure(self, kind, error=None, message=""):
        """Says what went wrong; the traceback goes to stderr, which is stored with the outcome."""
        name = "" if error is None else type(error).__name__
        if error is not None:
            try:
                message = str(error)
                frames = error.__traceback__
                while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
                    frames = frames.tb_next
                self.print_error(type(error), error.with_traceback(frames), frames)
            except BaseException:
                pass  # it cannot be put into words
        reply = {"ok": False, "kind": kind, "type": name, "message": message[:most_message]}
        if kind == "exception" and isinstance(error, (TypeError, ValueError, LookupError)):
            reply["refusal"] = True
        return self.encode_ascii(reply).encode("ascii") + b"\n"


process_events = ["os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"]
# A signal may have ended who keeps this host, and the next tool would be blamed for it.
watched_events = frozenset([*process_events, "os.kill", "os.killpg", "os.chdir"])


def call_tool(host, script, function, arguments):
    try:
        tool = getattr(load(host, script, function), function, None)
    except SystemExit as error:
        return host.failure("exit", error)
    except BaseException as error:
        return host.failure("import", error)
    if not callable(tool):
        return host.failure("no-function")
    if arguments is None:
        return b'{"ok":true,"data":{}}\n'
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


def load(host, script, function):
    """The module of a script, which is loaded once: the files of a skill do not change while a host lives."""
    if script in host.modules:
        return host.modules[script]
    path = os.path.join(host.home, script)
    scripts = os.path.dirname(path)
    if scripts not in sys.path:
        sys.path_hooks.insert(0, scripts_finder(scripts))
        sys.path.insert(0, scripts)
    known = sys.modules.get(function)
    if getattr(known, "__file__", None) == path:  # another tool has imported it
        host.modules[script] = known
        return known
    # A tool named like a module that is loaded already does not replace it.
    name = function if known is None else "tool_" + function
    spec = spec_from_loader(name, UncachedLoader(name, path))
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)  # half a module is none
        raise
    host.modules[script] = module
    return module


class UncachedLoader(SourceFileLoader):
    """Reads the source every time. Compiled files are not part of a skill's digest and may be older than their source."""

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
        text = host.encode(data).encode("utf-8")
    except UnicodeEncodeError:
        return host.failure("not-json", message="a string has half of a surrogate pair")
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
                    return "not-json", "%s has a key that is not a string: %s" % (pointer or "it", type(key).__name__)
                waiting.append((member, pointer + "/" + str(key)[:64], depth + 1))
        elif isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                return "not-json", "%s is %s" % (pointer, value)
        elif isinstance(value, int):
            if value.bit_length() > 1024:
                return "not-json", "%s is an integer of %d bits" % (pointer, value.bit_length())
        elif value is not None and not isinstance(value, str):
            return "not-json", "%s is a value of type %s" % (pointer, type(value).__name__)
    return None


if __name__ == "__main__":
    main()
