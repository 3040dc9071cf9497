"""Drives a headless Chromium by the DevTools protocol over a pipe, without a network.

with Browser(width, height) as page: page.open(path); page.run("expression"). page.problems lists errors of the console.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, width=1280, height=900, dark=False):
        self.width, self.height, self.dark = width, height, dark
        self.number, self.waiting, self.problems, self.requests = 0, b"", [], []

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        high = [os.dup2(end, number) for end, number in ((to_read, 103), (from_write, 104))]  # 3 and 4 may be pipes of ours

        def place():
            os.dup2(103, 3)
            os.dup2(104, 4)

        arguments = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                     "--user-data-dir=" + self.profile, "about:blank"]
        self.log = open(os.path.join(self.profile, "stderr"), "w")
        self.process = subprocess.Popen([shutil.which("chromium"), *arguments], pass_fds=(3, 4, 103, 104), preexec_fn=place,
                                        stdout=self.log, stderr=self.log, start_new_session=True)
        for end in (to_read, from_write, *high):
            os.close(end)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(self.width, self.height)
        self.set_dark(self.dark)
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(timeout=20)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self):
        while b"\0" not in self.waiting:
            more = os.read(self.from_read, 1 << 16)
            if not more:
                raise EOFError("expected an answer of Chromium, got the end")
            self.waiting += more
        message, self.waiting = self.waiting.split(b"\0", 1)
        message = json.loads(message)
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(str([argument.get("value") for argument in parameters["args"]]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"][:200])
        return message

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while (message := self.receive()).get("id") != number:
            pass
        assert "error" not in message, (method, message)
        return message["result"]

    def open(self, path):
        """Opens a file, and returns the seconds until it was drawn."""
        begin = time.monotonic()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while self.receive().get("method") != "Page.loadEventFired":
            pass
        self.draw()
        return time.monotonic() - begin

    def run(self, expression):
        """Evaluates JavaScript, whose value must be JSON or a promise of it."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def draw(self):
        """Waits until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, key, modifiers=0):
        text = {"text": key} if len(key) == 1 else {}
        codes = {"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Tab": 9, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34}
        if key == "Enter":
            text = {"text": "\r"}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes.get(key, 0), modifiers=modifiers,
                      **(text if kind == "keyDown" else {}))
        self.draw()

    def click(self, selector, right=0.5, down=0.5):
        """Clicks into the element, at these shares of its box."""
        x, y, width, height = self.run("(box => [box.x, box.y, box.width, box.height])((element => { element.scrollIntoView({block: 'center'}); "
                                       "return element.getBoundingClientRect(); })(document.querySelector(%s)))" % json.dumps(selector))
        assert width > 0 and height > 0, selector
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x + right * width, y=y + down * height, button="left", clickCount=1)
        self.draw()

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def set_dark(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path, whole=True):
        import base64

        result = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))
