"""A headless browser, driven by the WebDriver protocol: needs chromedriver and only the standard library."""

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Control": "\ue009", "Backspace": "\ue003",
    "ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "End": "\ue010", "Home": "\ue011",
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(happens, what, seconds=15):
    """Waits until something is true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        value = happens()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s until {what}")
        time.sleep(0.02)


class Program:
    """A program with an inspector, on a free port."""

    def __init__(self, command, port=None):
        self.port = port or free_port()
        self.log = tempfile.TemporaryFile()
        environment = {**os.environ, "ECS_INSPECTOR": f"127.0.0.1:{self.port}"}
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        wait_until(self.answers, f"{command[0]} answers", 30)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def answers(self):
        if self.process.poll() is not None:
            self.log.seek(0)
            raise AssertionError(f"the program has ended: {self.log.read().decode()}")
        try:
            return self.get("world")
        except (urllib.error.URLError, ConnectionError):
            return None

    def get(self, query):
        with urllib.request.urlopen(f"{self.url}api/{query}", timeout=10) as answer:
            return json.load(answer)

    def post(self, command, params):
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}api/{command}", json.dumps(params).encode(), headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def file(self, name):
        with urllib.request.urlopen(f"{self.url}{name}", timeout=10) as answer:
            return answer.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Browser:
    """Chromium with one session, in a window of a size. Leaving it ends it and all its windows."""

    def __init__(self, width=1360, height=850, dark=False, flags=()):
        self.profile = tempfile.mkdtemp()
        self.port = free_port()
        driver = shutil.which("chromedriver") or "/usr/bin/chromedriver"
        self.process = subprocess.Popen([driver, f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        wait_until(self.is_ready, "chromedriver is ready")
        self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": self.wishes(width, height, dark, flags)}})["sessionId"]

    def wishes(self, width, height, dark, flags):
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", f"--window-size={width},{height}", f"--user-data-dir={self.profile}",
        ] + (["--force-dark-mode"] if dark else []) + list(flags)
        return {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}

    def is_ready(self):
        try:
            return self.call("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def call(self, method, path, body=None):
        base = f"/session/{self.session}" if self.session else ""
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{base}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            failed = json.load(error)["value"]
            raise AssertionError(f"{failed['error']}: {failed['message'].splitlines()[0]}") from None

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """Runs a function body in the page, and returns its result."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, what, seconds=15):
        """Waits until an expression of the page is true, and returns it."""
        return wait_until(lambda: self.run(f"return {script}"), what, seconds)

    def find(self, selector):
        """Returns the first visible element that matches."""
        script = "return [...document.querySelectorAll(arguments[0])].find((it) => it.checkVisibility()) ?? null"
        return wait_until(lambda: self.run(script, selector), f"there is `{selector}`")[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click")

    def type(self, selector, text, clears=True):
        element = self.find(selector)
        self.run("arguments[0].focus(); if (arguments[1]) arguments[0].select()", {ELEMENT: element}, clears)
        self.keys(text)

    def keys(self, text):
        """Presses keys: names in braces are those of `KEYS`, as in `12{Enter}`."""
        parts = re.findall(r"\{(\w+)\}|(.)", text, re.S)
        pressed = [KEYS[name] if name else letter for name, letter in parts]
        actions = [{"type": kind, "value": key} for key in pressed for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def new_window(self):
        handle = self.call("POST", "/window/new", {"type": "window"})["handle"]
        self.switch_to(handle)
        return handle

    def window(self):
        return self.call("GET", "/window")

    def switch_to(self, handle):
        self.call("POST", "/window", {"handle": handle})

    def resize(self, width, height):
        """Sets the size of the page, which can be smaller than any window."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)

    def command(self, name, **params):
        """Sends a command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": params})

    def console(self):
        """Returns what the pages have written to the console since the last call."""
        return [entry for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def picture(self):
        return base64.b64decode(self.call("GET", "/screenshot"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", "")
        finally:
            self.process.terminate()
            self.process.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
