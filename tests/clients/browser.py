"""Headless Chromium, driven over its own debugging protocol."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import pytest

PATIENCE = 30


class Browser:
    """One page; it notes every error that the page's console tells of."""

    def __init__(self, *flags):
        websocket = pytest.importorskip("websocket")
        program = shutil.which("chromium")
        if program is None:
            pytest.skip("Chromium is not installed: apt-get install chromium")
        self.folder = tempfile.mkdtemp(prefix="querent-browser.")
        self.process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                # It asks nobody but the console.
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                f"--user-data-dir={self.folder}",
                *flags,
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.errors, self.calls = [], 0
        self.socket = websocket.create_connection(self.find(), timeout=PATIENCE)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.show()

    def find(self):
        """The address of the page, once the browser has written its port down."""
        port = pathlib.Path(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if port.exists() and len(lines := port.read_text().splitlines()) == 2:
                with urllib.request.urlopen(f"http://127.0.0.1:{lines[0]}/json") as pages:
                    for page in json.load(pages):
                        if page["type"] == "page":
                            return page["webSocketDebuggerUrl"]
            time.sleep(0.05)
        raise TimeoutError("the browser does not start")

    def call(self, method, **parameters):
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            self.note(message)
            if message.get("id") == self.calls:
                assert "error" not in message, message
                return message["result"]

    def note(self, message):
        told = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(told["exceptionDetails"])
        elif message.get("method") == "Log.entryAdded" and told["entry"]["level"] == "error":
            self.errors.append(told["entry"])
        elif message.get("method") == "Runtime.consoleAPICalled" and told["type"] == "error":
            self.errors.append(told["args"])

    def show(self, *, width=1280, height=860, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script):
        told = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait(self, script, *, patience=PATIENCE):
        """Until it is true; a page that is just being left cannot say yet."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            try:
                if self.run(script):
                    return
            except AssertionError:
                pass
            time.sleep(0.05)
        raise TimeoutError(f"never so: {script}\n{self.run('document.body.innerText')}")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def picture(self, file):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        pathlib.Path(file).write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
