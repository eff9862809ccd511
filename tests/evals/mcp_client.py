"""A client of `et-inspect mcp` with the standard library only."""

import json
import queue
import subprocess
import threading

PATIENCE = 120  # seconds


class ToolError(Exception):
    """A tool's answer with isError."""


class Client:
    """A connection. The handshake is that of 2025-11-25, unless `modern`."""

    def __init__(self, program, *arguments, cwd=None, roots=None, handshake=True, modern=False):
        self.server = subprocess.Popen(
            [program, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd
        )
        self.messages = queue.Queue()
        self.notifications = []
        self.early = {}
        self.sent = 0
        self.roots = roots
        self.modern = modern
        threading.Thread(target=self._read, daemon=True).start()
        if handshake and not modern:
            capabilities = {} if roots is None else {"roots": {}}
            client = {"name": "test", "version": "1"}
            self.welcome = self.request("initialize", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo=client)
            self.notify("notifications/initialized")

    def _read(self):
        for line in self.server.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def notify(self, method, **params):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode() + b"\n")

    def send(self, method, params):
        self.sent += 1
        if self.modern:
            capabilities = {} if self.roots is None else {"roots": {}}
            meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities}
            params = {**params, "_meta": {**meta, **params.get("_meta", {})}}
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}).encode() + b"\n")
        return self.sent

    def next(self):
        message = self.messages.get(timeout=PATIENCE)
        assert message is not None, f"the server ended: {self.server.stderr.read().decode()}"
        return message

    def response(self, number):
        """The response to a request; answers requests for roots."""
        while number not in self.early:
            message = self.next()
            if message.get("method") == "roots/list":
                roots = [{"uri": f"file://{each}"} for each in self.roots]
                reply = {"jsonrpc": "2.0", "id": message["id"], "result": {"roots": roots}}
                self.write(json.dumps(reply).encode() + b"\n")
            elif "method" in message:
                self.notifications.append(message)
            else:
                self.early[message.get("id")] = message
        return self.early.pop(number)

    def request(self, method, **params):
        """The result of a request, which must succeed."""
        response = self.response(self.send(method, params))
        assert "result" in response, response
        return response["result"]

    def refusal(self, method, **params):
        response = self.response(self.send(method, params))
        assert "error" in response, response
        return response["error"]

    def call(self, tool, **arguments):
        """The structured content of a tool's answer. Raises ToolError."""
        result = self.request("tools/call", name=tool, arguments=arguments)
        if result.get("isError"):
            raise ToolError(result["content"][0]["text"])
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def close(self):
        """The exit code."""
        self.server.stdin.close()
        code = self.server.wait(PATIENCE)
        self.server.stdout.close()
        self.server.stderr.close()
        return code
