#!/usr/bin/env python3
"""dap_test.py ET_INSPECT: a client of `et-inspect debug --dap` that debugs the sample programs."""

import json
import queue
import subprocess
import sys
import tempfile
import threading
import unittest

ET_INSPECT = sys.argv.pop(1) if len(sys.argv) > 1 else "et-inspect"
PATIENCE = 60  # seconds


class Client:
    """A session with the adapter."""

    def __init__(self):
        self.adapter = subprocess.Popen(
            [ET_INSPECT, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.messages = queue.Queue()
        self.events = []
        self.sent = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.adapter.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            assert out.readline() == b"\r\n"
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def send(self, command, **arguments):
        self.sent += 1
        text = json.dumps({"seq": self.sent, "type": "request", "command": command, "arguments": arguments})
        self.adapter.stdin.write(f"Content-Length: {len(text.encode())}\r\n\r\n{text}".encode())
        self.adapter.stdin.flush()
        return self.sent

    def next(self):
        message = self.messages.get(timeout=PATIENCE)
        assert message is not None, f"the adapter ended: {self.adapter.stderr.read().decode()}"
        return message

    def response(self, number):
        while True:
            message = self.next()
            if message["type"] == "response" and message["request_seq"] == number:
                return message
            self.events.append(message)

    def request(self, command, **arguments):
        """The body of the response to a request, which must succeed."""
        response = self.response(self.send(command, **arguments))
        assert response["success"], response
        return response.get("body", {})

    def refusal(self, command, **arguments):
        response = self.response(self.send(command, **arguments))
        assert not response["success"], response
        return response["message"]

    def event(self, name):
        """The next event of this name."""
        for at, message in enumerate(self.events):
            if message["event"] == name:
                del self.events[: at + 1]
                return message["body"]
        while True:
            message = self.next()
            if message["type"] == "event" and message["event"] == name:
                return message["body"]

    def launch(self, folder, name, stopOnEntry=True, **arguments):
        self.request("initialize", adapterID="et-inspect", linesStartAt1=True)
        program, record = f"{folder}/{name}.pte", f"{folder}/{name}.etrecord"
        self.request("launch", program=program, record=record, stopOnEntry=stopOnEntry, **arguments)
        self.event("initialized")

    def start(self):
        self.request("configurationDone")
        return self.event("stopped")

    def move(self, command, **arguments):
        self.request(command, threadId=1, **arguments)
        return self.event("stopped")

    def frames(self):
        return self.request("stackTrace", threadId=1)["stackFrames"]

    def close(self):
        if self.adapter.poll() is None:
            self.request("disconnect")
        code = self.adapter.wait(PATIENCE)
        for pipe in (self.adapter.stdin, self.adapter.stdout, self.adapter.stderr):
            pipe.close()
        return code


class DapTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        for name in ("conv_net", "faults", "add_mul"):
            subprocess.run([ET_INSPECT, "sample", name, "-o", cls.folder], check=True, stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def setUp(self):
        self.client = Client()

    def tearDown(self):
        self.assertEqual(self.client.close(), 0)

    def line(self, position):
        """The number of a line of conv_net.py with instructions, by its position among them."""
        places = self.client.request(
            "breakpointLocations", source={"path": "/home/me/conv_net.py"}, line=1, endLine=1000
        )["breakpoints"]
        self.assertTrue(places)
        return places[position]["line"]

    def test_stops_at_a_line_and_steps_by_line(self):
        client = self.client
        client.launch(self.folder, "conv_net")
        first, second = self.line(0), self.line(1)
        answer = client.request(
            "setBreakpoints", source={"path": "/home/me/conv_net.py"}, breakpoints=[{"line": second}, {"line": 1}]
        )["breakpoints"]
        self.assertTrue(answer[0]["verified"])
        self.assertFalse(answer[1]["verified"])
        self.assertIn("1", answer[1]["message"])
        self.assertEqual(client.start()["reason"], "entry")
        self.assertEqual(client.frames()[0]["line"], first)
        stopped = client.move("continue")
        self.assertEqual((stopped["reason"], stopped["hitBreakpointIds"]), ("breakpoint", [answer[0]["id"]]))
        frame = client.frames()[0]
        self.assertEqual((frame["line"], frame["source"]["path"]), (second, "/home/me/conv_net.py"))
        client.move("next")
        third = client.frames()[0]["line"]
        self.assertNotEqual(third, second)
        client.move("stepBack")
        self.assertEqual(client.frames()[0]["line"], second)
        client.move("stepBack")
        self.assertEqual(client.frames()[0]["line"], first)
        self.assertIn("instruction 0", client.frames()[0]["name"])

    def test_shows_the_python_call_stack(self):
        self.client.launch(self.folder, "conv_net")
        self.client.start()
        names = [frame["name"] for frame in self.client.frames()]
        self.assertGreaterEqual(len(names), 3)  # instruction, Stem.forward, ConvNet.forward
        self.assertIn("convolution", names[0])

    def test_expands_values(self):
        client = self.client
        client.launch(self.folder, "add_mul", inputs=["1", "2", "3"])
        client.start()
        client.move("next", granularity="instruction")
        scopes = {scope["name"]: scope["variablesReference"] for scope in client.request("scopes", frameId=0)["scopes"]}
        inputs = client.request("variables", variablesReference=scopes["Inputs"])["variables"]
        self.assertEqual(len(inputs), 3)
        self.assertIn("float32 [4, 4]", inputs[0]["value"])
        rows = client.request(
            "variables", variablesReference=inputs[1]["variablesReference"], filter="indexed", start=1, count=2
        )["variables"]
        self.assertEqual([row["name"] for row in rows], ["[1]", "[2]"])
        row = client.request("variables", variablesReference=rows[0]["variablesReference"], filter="indexed")["variables"]
        self.assertEqual([each["value"] for each in row], ["2.0"] * 4)
        named = client.request("variables", variablesReference=inputs[1]["variablesReference"], filter="named")["variables"]
        self.assertIn("max", [each["name"] for each in named])
        self.assertEqual(client.request("evaluate", expression="max(in0)", context="watch")["result"], "3.0")
        self.assertIn("expired", client.refusal("variables", variablesReference=99999))

    def test_sets_elements(self):
        client = self.client
        client.launch(self.folder, "add_mul", inputs=["1", "2", "3"])
        client.start()
        scopes = {scope["name"]: scope["variablesReference"] for scope in client.request("scopes", frameId=0)["scopes"]}
        name = client.request("variables", variablesReference=scopes["Inputs"])["variables"][0]["name"]
        client.request("setVariable", variablesReference=scopes["Inputs"], name=name, value="0")
        self.assertIn("end", client.move("continue")["description"])
        result = client.request("evaluate", expression="max(output:0)", context="watch")
        self.assertEqual(result["result"], "6.0")

    def test_stops_at_nan_and_shows_why(self):
        client = self.client
        client.launch(self.folder, "nan_mask")
        client.request("setExceptionBreakpoints", filters=["nan"])
        client.request("configurationDone")
        client.event("stopped")
        stopped = client.move("continue")
        self.assertEqual(stopped["reason"], "exception")
        self.assertIn("nan", stopped["text"])
        self.assertIn("softmax", client.frames()[0]["name"])
        self.assertIn("nan", client.request("exceptionInfo", threadId=1)["description"])

    def test_data_breakpoints_stop_at_changes(self):
        client = self.client
        client.launch(self.folder, "add_mul")
        client.start()
        info = client.request("dataBreakpointInfo", name="output:0")
        self.assertEqual(info["accessTypes"], ["write"])
        answer = client.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])
        self.assertTrue(answer["breakpoints"][0]["verified"], answer)
        stopped = client.move("continue")
        self.assertEqual(stopped["reason"], "data breakpoint")
        self.assertIn("add", client.frames()[0]["name"])

    def test_function_breakpoints_have_conditions_and_hit_counts(self):
        client = self.client
        client.launch(self.folder, "conv_net", stopOnEntry=False)
        answer = client.request(
            "setFunctionBreakpoints",
            breakpoints=[{"name": "*convolution*", "hitCondition": "2"}, {"name": "aten.none.out"}],
        )["breakpoints"]
        self.assertEqual([each["verified"] for each in answer], [True, False])
        self.assertEqual(client.start()["reason"], "function breakpoint")
        self.assertNotIn("instruction 0", client.frames()[0]["name"])

    def test_jumps_restarts_and_ends(self):
        client = self.client
        client.launch(self.folder, "add_mul")
        client.start()
        client.move("continue")
        client.move("reverseContinue")
        self.assertIn("instruction 0", client.frames()[0]["name"])
        client.move("goto", targetId=2)
        self.assertIn("instruction 2", client.frames()[0]["name"])
        client.move("restart")
        self.assertIn("instruction 0", client.frames()[0]["name"])
        client.move("continue")
        client.request("continue", threadId=1)
        client.event("terminated")

    def test_the_console_takes_commands(self):
        client = self.client
        client.launch(self.folder, "add_mul", inputs=["ones"])
        client.start()
        client.request("evaluate", expression="next", context="repl")
        client.event("stopped")
        self.assertIn("instruction 1", client.frames()[0]["name"])
        self.assertEqual(client.request("evaluate", expression="max(in0) + 1", context="repl")["result"], "2.0")
        self.assertIn("reverse-continue", client.request("evaluate", expression="help", context="repl")["result"])

    def test_reports_files_that_cannot_be_opened(self):
        self.client.request("initialize")
        message = self.client.refusal("launch", program=f"{self.folder}/none.pte")
        self.assertIn("none.pte", message)
        self.assertIn("program", self.client.refusal("launch"))

    def test_ends_with_its_client(self):
        client = Client()
        client.launch(self.folder, "add_mul")
        client.start()
        client.adapter.stdin.close()
        self.assertEqual(client.adapter.wait(PATIENCE), 0)
        for pipe in (client.adapter.stdout, client.adapter.stderr):
            pipe.close()

    def test_rejects_what_is_no_message(self):
        for text in (b"hello\r\n\r\n", b"Content-Length: 5\r\n\r\nhello", b"Content-Length: 99999999999\r\n\r\n"):
            done = subprocess.run([ET_INSPECT, "debug", "--dap"], input=text, capture_output=True, timeout=PATIENCE)
            self.assertNotEqual(done.returncode, 0, text)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
