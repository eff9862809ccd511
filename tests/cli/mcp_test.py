#!/usr/bin/env python3
"""mcp_test.py ET_INSPECT: clients of `et-inspect mcp`, well-behaved and hostile."""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "evals"))

from mcp_client import PATIENCE, Client, ToolError  # noqa: E402

ET_INSPECT = sys.argv.pop(1) if len(sys.argv) > 1 else "et-inspect"
MODEL = "mobilenet_v2_small"


def kinds_of(schema):
    """Allowed types of a JSON schema."""
    kind = schema.get("type", [])
    return kind if isinstance(kind, list) else [kind]


TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": (int, float)}


def faults_of(value, schema, path="answer"):
    """Deviations from a JSON schema; only its keywords that the server uses."""
    if "anyOf" in schema:
        all_faults = [faults_of(value, each, path) for each in schema["anyOf"]]
        return [] if not all(all_faults) else min(all_faults, key=len)
    kinds = kinds_of(schema)
    if kinds and not any(isinstance(value, TYPES[each]) for each in kinds):
        return [f"{path}: expected {kinds}, got {value!r}"]
    faults = []
    if isinstance(value, dict) and "properties" in schema:
        faults += [f"{path}: no {each}" for each in schema.get("required", []) if each not in value]
        for name, member in value.items():
            if name not in schema["properties"]:
                faults.append(f"{path}.{name}: not in the schema")
            else:
                faults += faults_of(member, schema["properties"][name], f"{path}.{name}")
    if isinstance(value, list) and "items" in schema:
        for each in value:
            faults += faults_of(each, schema["items"], f"{path}[]")
    return faults


class McpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.outside = pathlib.Path(cls.scratch.name).resolve()
        cls.folder = cls.outside / "models"
        cls.folder.mkdir()
        for name in ("conv_net", MODEL):
            subprocess.run([ET_INSPECT, "sample", name, "-o", cls.folder], check=True, stdout=subprocess.DEVNULL)
        (cls.outside / "secret.pte").write_bytes((cls.folder / "conv_net.pte").read_bytes())
        (cls.folder / "link.pte").symlink_to(cls.outside / "secret.pte")
        (cls.folder / "link").symlink_to(cls.outside)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def client(self, *arguments, **settings):
        client = Client(ET_INSPECT, *(arguments or ("--root", str(self.folder))), **settings)
        self.addCleanup(lambda: self.assertEqual(client.close(), 0))
        return client

    def refused(self, client, tool, pattern, **arguments):
        with self.assertRaisesRegex(ToolError, pattern):
            client.call(tool, **arguments)


class Protocol(McpTest):
    def test_negotiates_the_version(self):
        for asked, agreed in (("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25")):
            client = self.client(handshake=False)
            welcome = client.request("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "t", "version": "1"})
            self.assertEqual(welcome["protocolVersion"], agreed)
            self.assertEqual(welcome["serverInfo"]["name"], "et-inspect")
            self.assertEqual(client.request("ping"), {})

    def test_serves_requests_without_a_handshake(self):
        client = self.client(modern=True)
        found = client.request("server/discover")
        self.assertEqual((found["resultType"], found["supportedVersions"][0]), ("complete", "2026-07-28"))
        listed = client.request("tools/list")
        self.assertGreater(listed["ttlMs"], 0)
        self.assertIn("io.modelcontextprotocol/serverInfo", listed["_meta"])
        self.assertEqual(client.call("open", files=["conv_net.pte"])["answers"][0]["result"]["files"][0]["kind"], "program")
        error = client.refusal("tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "1900-01-01"})
        self.assertEqual((error["code"], error["data"]["requested"]), (-32022, "1900-01-01"))
        error = client.refusal("tools/list", _meta={"io.modelcontextprotocol/clientCapabilities": 3})
        self.assertEqual(error["code"], -32602)

    def test_asks_modern_clients_for_their_roots(self):
        client = Client(ET_INSPECT, cwd="/", modern=True, roots=[])
        self.addCleanup(client.close)
        arguments = {"name": "open", "arguments": {"files": [str(self.folder / "conv_net.pte")]}}
        needed = client.request("tools/call", **arguments)
        self.assertEqual((needed["resultType"], needed["inputRequests"]), ("input_required", {"roots": {"method": "roots/list"}}))
        inside = client.request("tools/call", **arguments, inputResponses={"roots": {"roots": [{"uri": f"file://{self.folder}"}]}})
        self.assertNotIn("isError", inside)
        outside = client.request("tools/call", **arguments, inputResponses={"roots": {"roots": [{"uri": "file:///usr"}]}})
        self.assertTrue(outside["isError"])

    def test_answers_match_their_schemas_and_sizes(self):
        client = self.client()
        tools = {each["name"]: each for each in client.request("tools/list")["tools"]}
        self.assertEqual(len(tools), 12)
        trace, record, program = (f"{MODEL}.{each}" for each in ("etdp", "etrecord", "pte"))
        calls = [
            ("open", {"files": [program, record, trace, f"{MODEL}.bpte"]}), ("overview", {"files": [program, record, trace]}),
            ("time", {"files": [trace, record]}), ("time", {"files": [trace, record], "by": "module"}),
            ("memory", {"files": [program, record]}), ("size", {"files": [program]}),
            ("correctness", {"files": ["conv_net.bpte", "conv_net.etrecord"]}),
            ("compare", {"before": [program], "after": ["conv_net.pte"]}), ("compare", {"before": [trace], "after": [trace]}),
            ("delegation", {"files": [program, record, trace]}), ("run", {"files": [program], "iterations": 3}),
            ("run", {"files": [program], "iterations": 2, "trace": "new.etdp"}),
            ("shrink", {"files": ["conv_net.etrecord"], "how": "lower", "output": "lowered.pte"}),
            ("shrink", {"files": ["conv_net.etrecord"], "how": "quantize", "calibrate": "conv_net.bpte", "output": "quantized.pte"}),
            ("shrink", {"files": ["conv_net.pte"], "how": "replan", "output": "replanned.pte"}),
            ("explain_log", {"log": "0x14"}), ("explain_log", {"log": "Missing operator: [0] aten::foo.out", "files": ["conv_net.pte"]}),
            ("query", {"files": [program], "sql": "SELECT * FROM instructions"}),
        ]  # fmt: skip
        for tool, arguments in calls:
            answer = client.call(tool, **arguments)
            self.assertEqual(faults_of(answer, tools[tool]["outputSchema"]), [], (tool, arguments))
            self.assertLessEqual(len(json.dumps(answer, ensure_ascii=False).encode()), 4096, (tool, arguments))
            for each in answer["answers"]:
                self.assertTrue(each["command"].startswith("et-inspect "), each)

    def test_handles_lead_to_every_element(self):
        client = self.client()
        answer = client.call("query", files=[f"{MODEL}.pte"], sql="SELECT instruction, operator FROM instructions ORDER BY 1")["answers"][0]
        rows, pages = answer["result"]["answers"][0]["rows"], 0
        while answer.get("more"):
            answer = client.call("open", more=answer["more"][0]["handle"])["answers"][0]
            rows, pages = rows + answer["result"]["items"], pages + 1
        self.assertEqual([each["instruction"] for each in rows], list(range(152)))
        self.assertGreater(pages, 0)

    def test_lists_and_reads_resources(self):
        client = self.client()
        client.call("memory", files=["conv_net.pte"])
        uris = [each["uri"] for each in client.request("resources/list")["resources"]]
        self.assertEqual(uris, ["et-inspect://reference", "et-inspect://results/r1"])
        text = client.request("resources/read", uri=uris[1])["contents"][0]["text"]
        self.assertEqual(json.loads(text)["methods"][0]["method"], "forward")
        page = client.request("resources/read", uri=uris[0])["contents"][0]["text"]
        self.assertIn("methods[].planned_bytes", page)
        self.assertEqual(client.refusal("resources/read", uri="file:///etc/passwd")["code"], -32002)

    def test_prompts_are_the_guides(self):
        client = self.client()
        names = [each["name"] for each in client.request("prompts/list")["prompts"]]
        self.assertEqual(
            names, ["profile-model", "find-numeric-divergence", "shrink-model", "quantize-within-budget", "triage-failure-log"]
        )
        tools = {each["name"] for each in client.request("tools/list")["tools"]}
        for name in names:
            text = client.request("prompts/get", name=name, arguments={"files": "a.pte"})["messages"][0]["content"]["text"]
            self.assertIn("Files: a.pte", text)
            self.assertTrue(any(f"`{each} {{" in text for each in tools), name)

    def test_reports_progress(self):
        client = self.client()
        result = client.request(
            "tools/call", name="correctness", arguments={"files": ["conv_net.bpte", "conv_net.etrecord"]}, _meta={"progressToken": "p"}
        )
        self.assertNotIn("isError", result)
        steps = [each["params"] for each in client.notifications if each["method"] == "notifications/progress"]
        self.assertTrue(steps and all(each["progressToken"] == "p" for each in steps))
        values = [each["progress"] for each in steps]
        self.assertEqual(values, sorted(set(values)))

    def test_finishes_calls_after_the_end_of_input(self):
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "memory", "arguments": {"files": ["conv_net.pte"]}}}
        done = subprocess.run([ET_INSPECT, "mcp", "--root", self.folder], input=json.dumps(request).encode() + b"\n", capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0)
        self.assertIn("structuredContent", json.loads(done.stdout)["result"])


class Files(McpTest):
    def test_refuses_files_outside_of_the_roots(self):
        client = self.client()
        for path in ("/etc/passwd", "../secret.pte", str(self.outside / "secret.pte"), "link.pte", "link/secret.pte", "file:///etc/passwd",
                     "file:///%65tc/passwd", "../../../../../../etc/passwd", "/etc/no such file", "/proc/self/root/etc/passwd"):  # fmt: skip
            self.refused(client, "open", "outside of the allowed folders", files=[path])
            self.refused(client, "shrink", "outside|new file|exists", files=["conv_net.pte"], how="replan", output=path)
        for path in ("", "a" * 5000, "no\0name"):
            self.refused(client, "open", "expected", files=[path])
        self.refused(client, "open", "no such file", files=["missing.pte"])
        self.refused(client, "open", "expected a file", files=["."])
        self.refused(client, "size", "outside", files=["conv_net.pte"], against="../secret.pte")

    def test_roots_are_folders(self):
        done = subprocess.run([ET_INSPECT, "mcp", "--root", self.folder / "conv_net.pte"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("expected a folder", done.stderr)

    def test_replaces_no_file(self):
        client = self.client()
        before = (self.folder / "conv_net.pte").read_bytes()
        (self.folder / "dangling.pte").symlink_to(self.folder / "nowhere.pte")
        for output in ("conv_net.pte", "link.pte", "dangling.pte"):
            self.refused(client, "shrink", "exists", files=["conv_net.etrecord"], how="lower", output=output)
            self.refused(client, "run", "exists", files=["conv_net.pte"], trace=output)
        self.assertEqual((self.folder / "conv_net.pte").read_bytes(), before)
        self.refused(client, "query", "not allowed", files=["conv_net.pte"], sql="CREATE TABLE x (a)")
        self.refused(client, "query", "not allowed|no such", files=["conv_net.pte"], sql="ATTACH '/etc/passwd' AS x")

    def test_limits_files_to_the_roots_of_the_client(self):
        for given in ((), ("--root", str(self.outside))):
            client = Client(ET_INSPECT, *given, cwd="/", roots=[self.folder])
            self.addCleanup(client.close)
            self.assertTrue(client.call("open", files=[str(self.folder / "conv_net.pte")])["answers"])
            self.refused(client, "open", "outside", files=[str(self.outside / "secret.pte")])
        client = Client(ET_INSPECT, cwd="/", roots=[])
        self.addCleanup(client.close)
        self.refused(client, "open", "outside", files=[str(self.folder / "conv_net.pte")])
        self.refused(client, "open", "--root", files=["conv_net.pte"])
        client = Client(ET_INSPECT, cwd="/")
        self.addCleanup(client.close)
        self.refused(client, "open", "outside", files=["/etc/passwd"])


class Hostile(McpTest):
    def test_answers_wrong_messages_with_errors(self):
        client = self.client()
        wrong = [
            (b"nonsense", -32700), (b"\xff\xfe", -32700), (b'{"a":', -32700), (b"[" * 100000, -32700), (b"[]", -32600), (b"3", -32600),
            (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32700),
            (b'{"jsonrpc":"2.0","id":"a","method":"no/such"}', -32601), (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[1]}', -32602),
            (b'{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":{}}}', -32602),
            (b'{"jsonrpc":"2.0","id":"a","method":"prompts/get","params":{"name":7}}', -32602),
        ]  # fmt: skip
        for line, code in wrong:
            client.write(line + b"\n")
            self.assertEqual(client.next()["error"]["code"], code, line[:80])
        self.assertEqual(client.request("ping"), {})

    def test_answers_wrong_arguments_with_errors(self):
        client = self.client()
        for arguments, pattern in [
            ({"files": 3}, "files: expected a list"), ({"files": [3]}, "files: expected"), ({"files": ["conv_net.pte"] * 17}, "at most 16"),
            ({"files": ["conv_net.pte"], "iterations": "5"}, "iterations: expected an integer from 1 to 100000"),
            ({"files": ["conv_net.pte"], "iterations": 10**18}, "iterations"), ({"files": ["conv_net.pte"], "iterations": 1.5}, "iterations"),
            ({"files": ["conv_net.pte"], "iterations": -1}, "iterations"), ({"files": ["conv_net.pte"], "threads": 10**30}, "threads"),
            ({"files": ["conv_net.pte"], "frob": 1}, 'no argument "frob"'), ({}, "files: missing"), ([], "expected an object"),
            ({"files": ["conv_net.pte"], "method": "x" * 1000}, "method: expected a text"),
            ({"files": ["conv_net.pte"], "method": "--output=x"}, "."), ({"files": ["conv_net.etdp"]}, "needs a program"),
        ]:  # fmt: skip
            result = client.request("tools/call", name="run", arguments=arguments)
            self.assertTrue(result.get("isError"), arguments)
            self.assertRegex(result["content"][0]["text"], pattern)
        for handle in ("", "r1", "r999:rows@0", "r1:@-1", "r1:a/b@99999999999999999999", "@:"):
            self.refused(client, "open", "expected|no result|files", more=handle)
        self.refused(client, "time", ".", files=["conv_net.etdp"], filter="(((((")
        self.assertEqual(client.request("ping"), {})

    def test_skips_a_line_without_end(self):
        client = self.client()
        for _ in range(96):
            client.write(b"x" * (1 << 20))
        client.write(b"\n")
        self.assertIn("4194304 bytes", client.next()["error"]["message"])
        self.assertEqual(client.request("ping"), {})
        status = pathlib.Path(f"/proc/{client.server.pid}/status").read_text()
        peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
        if "asan" not in ET_INSPECT:
            self.assertLess(peak, 120_000)

    def test_limits_waiting_calls(self):
        client = self.client()
        numbers = [client.send("tools/call", {"name": "memory", "arguments": {"files": ["conv_net.pte"]}}) for _ in range(300)]
        answers = [client.response(number) for number in numbers]
        failed = [each["error"]["message"] for each in answers if "error" in each]
        self.assertTrue(all("calls are waiting" in each for each in failed))
        self.assertGreaterEqual(len(answers) - len(failed), 64)
        self.assertTrue(all("isError" not in each["result"] for each in answers if "result" in each))

    def test_cancels_long_work(self):
        client = self.client()
        arguments = {"files": [f"{MODEL}.pte"], "iterations": 100000, "max_seconds": 600}
        running = client.send("tools/call", {"name": "run", "arguments": arguments, "_meta": {"progressToken": 1}})
        queued = client.send("tools/call", {"name": "run", "arguments": arguments})
        while not client.notifications:  # the command runs
            message = client.next()
            client.notifications += [message] if message.get("method") == "notifications/progress" else []
        client.notify("notifications/cancelled", requestId=queued)
        client.notify("notifications/cancelled", requestId=running)
        client.notify("notifications/cancelled", requestId={"a": 1})
        self.assertTrue(client.call("memory", files=["conv_net.pte"])["answers"])
        self.assertNotIn(running, client.early)
        self.assertNotIn(queued, client.early)
        children = pathlib.Path(f"/proc/{client.server.pid}/task/{client.server.pid}/children").read_text()
        self.assertEqual(children, "")

    def test_stops_at_the_time_limit(self):
        client = self.client()
        self.refused(client, "run", "not finished after 1 s", files=[f"{MODEL}.pte"], iterations=100000, max_seconds=1)

    def test_ends_when_the_client_is_gone(self):
        client = Client(ET_INSPECT, "--root", str(self.folder))
        client.send("tools/call", {"name": "run", "arguments": {"files": [f"{MODEL}.pte"], "iterations": 100000, "max_seconds": 600}})
        client.server.send_signal(signal.SIGTERM)
        self.assertIn(client.server.wait(PATIENCE), (0, 143))
        for pipe in (client.server.stdin, client.server.stdout, client.server.stderr):
            pipe.close()

    def test_damaged_files_are_errors(self):
        client = self.client()
        for at in (0, 8, 100, 5000):
            data = bytearray((self.folder / "conv_net.pte").read_bytes())
            data[at : at + 16] = b"\xff" * 16
            name = f"damaged_{at}.pte"
            (self.folder / name).write_bytes(data)
            for tool in ("overview", "memory", "run"):
                try:
                    client.call(tool, files=[name])
                except ToolError as error:
                    self.assertNotIn("\n", str(error))
        self.assertEqual(client.request("ping"), {})


if __name__ == "__main__":
    unittest.main()
