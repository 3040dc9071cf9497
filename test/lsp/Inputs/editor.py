# Part of xf, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: editor.py xf-lsp-server

An editor that opens programs, edits them, hovers and jumps, and prints what the server says.
"""

import json
import subprocess
import sys

WINDOW = """func.func @attend(%q: tensor<1x2x256x64xf32>, %k: tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32> {
  %o = xf.attention %q, %k, %k pattern(#xf.window<left = 31>) : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  %twice = xf.add %o, %o : (tensor<1x2x256x64xf32>, tensor<1x2x256x64xf32>) -> tensor<1x2x256x64xf32>
  return %twice : tensor<1x2x256x64xf32>
}
"""
EMPTY_ROWS = WINDOW.replace("#xf.window<left = 31>", "#xf.difference<[#xf.causal, #xf.window<left = 3>]>")


class Editor:
    def __init__(self, server):
        self.process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number, self.notified = 0, []

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, text):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length)) if length else None

    def ask(self, method, **params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while (message := self.receive()).get("id") != self.number:
            self.notified.append(message)
        return message.get("result", message.get("error"))

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def place(self, line, character, name="a"):
        return {"textDocument": {"uri": f"file:///{name}.mlir"}, "position": {"line": line, "character": character}}

    def open(self, text, name="a"):
        self.tell("textDocument/didOpen", textDocument={"uri": f"file:///{name}.mlir", "languageId": "mlir", "version": 1, "text": text})
        self.show()

    def change(self, text, version):
        self.tell("textDocument/didChange", textDocument={"uri": "file:///a.mlir", "version": version},
                  contentChanges=[{"text": text}])
        self.show()

    def show(self):
        message = self.receive()
        assert message["method"] == "textDocument/publishDiagnostics", message
        print(f"version {message['params'].get('version')}: {len(message['params']['diagnostics'])} diagnostics")
        for diagnostic in message["params"]["diagnostics"]:
            start = diagnostic["range"]["start"]
            severity = {1: "error", 2: "warning", 3: "information"}[diagnostic["severity"]]
            print(f"  {start['line']}:{start['character']}: {severity}: {diagnostic['message']}")


editor = Editor(sys.argv[1])
print(json.dumps(editor.ask("initialize", capabilities={}, processId=None, rootUri=None)["capabilities"], sort_keys=True))
editor.tell("initialized")
editor.open(WINDOW)
print(editor.ask("textDocument/hover", **editor.place(1, 10))["contents"]["value"])
print(editor.ask("textDocument/hover", **editor.place(2, 14))["contents"]["value"])
print(editor.ask("textDocument/hover", **editor.place(2, 4))["contents"]["value"])
print("nowhere:", editor.ask("textDocument/hover", **editor.place(99, 0)))
for place in ((2, 19), (1, 20), (2, 12)):
    print("definition:", [location["range"]["start"] for location in editor.ask("textDocument/definition", **editor.place(*place))])
print([symbol["name"] for symbol in editor.ask("textDocument/documentSymbol", textDocument={"uri": "file:///a.mlir"})])
editor.change(WINDOW.replace("xf.add", "xf.addd"), 2)
print("hover in a text with an error:", editor.ask("textDocument/hover", **editor.place(1, 10)))
editor.change(WINDOW.replace("left = 31", "left = -1"), 3)
editor.change(EMPTY_ROWS, 4)
editor.change("(" * 100000, 5)
editor.change("", 6)
editor.open(WINDOW, "b")
print(editor.ask("textDocument/hover", **editor.place(1, 10, "b"))["contents"]["value"].splitlines()[0])
editor.tell("textDocument/didClose", textDocument={"uri": "file:///b.mlir"})
editor.show()
print("closed:", editor.ask("textDocument/hover", **editor.place(1, 10, "b")))
print("unknown method:", editor.ask("textDocument/dance")["message"])
editor.write(b"[" * 200000)  # no answer, and no end of the server
editor.write(b'{"a":' * 100000)
print("shutdown:", editor.ask("shutdown"))
editor.tell("exit")
print("exit code", editor.process.wait(timeout=20))
