"""Shared code of the device tests: each test gets an isolated environment, and must leave nothing behind."""

import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

ET_INSPECT = os.environ.get("ET_INSPECT", "et-inspect")
DATA = pathlib.Path(os.environ.get("ET_SHARED_DATA", "")) / "programs"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def children(pid):
    """Returns all descendants of a process."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
            except OSError:
                pass
    found, waiting = [], [pid]
    while waiting:
        more = parents.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


def executions(trace):
    """Returns the number of runs of the method in a trace."""
    table = subprocess.run([ET_INSPECT, trace, "--format", "json"], capture_output=True, text=True, check=True)
    events = [event for block in json.loads(table.stdout)["blocks"] for event in block["events"]]
    return sum(len(event["raw"]) for event in events if event["name"] == "Method::execute")


class DeviceTest(unittest.TestCase):
    """Base class with a separate folder, home and configuration per test."""

    def setUp(self):
        if not DATA.is_dir():
            self.skipTest("no sample data")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="et-devices-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.device = self.folder / "device"
        self.environment = dict(os.environ, HOME=str(self.folder / "home"), XDG_CONFIG_HOME=str(self.folder / "config"))
        self.environment.pop("XDG_CACHE_HOME", None)
        (self.folder / "home").mkdir()

    def inspect_command(self, *arguments):
        return [ET_INSPECT, *map(str, arguments)]

    def run_inspect(self, *arguments, code=0, **options):
        done = subprocess.run(self.inspect_command(*arguments), env=self.environment, capture_output=True, text=True,
                              timeout=240, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(done.returncode, code, f"{arguments}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
        return done

    def add_target(self, name, address, *options):
        self.run_inspect("target", "add", name, address, "--folder", self.device, *options)

    def assert_clean(self):
        """Waits until only cached files of a session remain; an agent whose connection was killed needs a moment to exit."""
        work = self.device / "work"
        ends = time.monotonic() + 30
        while work.exists() and list(work.iterdir()) and time.monotonic() < ends:
            time.sleep(0.1)
        self.assertEqual(list(work.iterdir()) if work.exists() else [], [])
        self.assertEqual([each for each in self.device.rglob("*.part")], [])

    def assert_as_here(self, target):
        """Checks that a run on the target gives the same outputs as a local run."""
        model = DATA / "mobilenet_v2_small" / "xnnpack.bpte"
        outputs = []
        for place in (["--on", target], []):
            trace, debug = self.folder / "a.etdp", self.folder / "a.bin"
            said = self.run_inspect("run", model, "--iterations", 3, "--etdump", trace, "--debug-buffer", debug,
                                    "--format", "json", *place)
            outputs.append((json.loads(said.stdout)["outputs"], debug.read_bytes()))
            self.assertEqual(executions(trace), 3)
        self.assertEqual(outputs[0], outputs[1])


class Killer(threading.Thread):
    """Kills child processes of a process at random times, until the given number of kills is reached."""

    # On a busy machine, recovery may take longer than the time to the next kill; then the next kill waits for a run to end.
    MOST_WITHOUT_PROGRESS = 3

    def __init__(self, process, kills, random, names, pause, log):
        super().__init__(daemon=True)
        self.process, self.wanted, self.random, self.names, self.pause, self.kills = process, kills, random, names, pause, 0
        self.log, self.seen, self.fruitless = log, 0, 0

    def made_progress(self):
        size = self.log.stat().st_size if self.log.exists() else 0
        grown, self.seen = size > self.seen, size
        return grown

    def run(self):
        while self.process.poll() is None and self.kills < self.wanted:
            time.sleep(self.random.uniform(0.01, self.pause))
            self.fruitless = 0 if self.made_progress() else self.fruitless
            if self.fruitless >= self.MOST_WITHOUT_PROGRESS:
                continue
            for pid in children(self.process.pid):
                try:
                    name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
                    if name in self.names:
                        os.kill(pid, signal.SIGKILL)
                        self.kills += 1
                        self.fruitless += 1
                        break
                except OSError:
                    pass


def kill_transfers(test, target, names, kills, runs, pause):
    """Kills connections during runs; checks that no completed run is lost or counted twice."""
    import random

    seed = int(os.environ.get("ET_SEED", "1"))
    chance = random.Random(seed)
    model = DATA / "mobilenet_v2_small" / "xnnpack.bpte"
    killed = 0
    rounds = 0
    while killed < kills:
        rounds += 1
        trace, log = test.folder / "killed.etdp", test.folder / "log.jsonl"
        log.unlink(missing_ok=True)
        process = subprocess.Popen(
            [ET_INSPECT, "run", str(model), "--on", target, "--iterations", str(runs), "--max-time", "0", "--etdump", str(trace),
             "--device-log", str(log), "--debug-buffer", str(test.folder / "killed.bin"), "--debug-level",
             "intermediates", "--format", "json"], env=test.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(process.kill)
        killer = Killer(process, kills - killed, chance, names, pause, log)
        killer.start()
        out, err = process.communicate(timeout=900)
        killer.join()
        killed += killer.kills
        test.assertEqual(process.returncode, 0, f"seed {seed}, {killed} killed: {err[-2000:]}")
        test.assertEqual(json.loads(out)["executions"], runs)
        test.assertEqual(executions(trace), runs)
        numbers = [json.loads(line)["run"] for line in log.read_text().splitlines()]
        test.assertEqual(numbers, list(range(1, runs + 1)))
    print(f"{killed} connections killed in {rounds} launches of {runs} runs")


class Sshd:
    """The system's sshd on a loopback port, with temporary keys."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        for key in ("host", "client", "stranger"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
        (folder / "authorized").write_text((folder / "client.pub").read_text())
        self.user = pwd.getpwuid(os.getuid()).pw_name
        (folder / "sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nPasswordAuthentication no\n"
            "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nMaxStartups 100\n")
        self.know("host")
        self.process = subprocess.Popen(self.command(), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
                if self.process.poll() is not None:
                    break
        self.stop()
        raise unittest.SkipTest(f"sshd does not start here: {self.process.stderr.read()[-500:]}")

    def command(self):
        server = ["/usr/sbin/sshd", "-D", "-e", "-f", str(self.folder / "sshd_config")]
        if os.getuid() != 0:
            return server
        # As root, sshd needs a user and a folder for privilege separation: both are created in a private mount namespace.
        users = pathlib.Path("/etc/passwd").read_text()
        if "\nsshd:" not in users:
            users += "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n"
        (self.folder / "passwd").write_text(users)
        script = 'mount --bind "$1" /etc/passwd && mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && shift && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", script, "sh", str(self.folder / "passwd"), *server]

    def know(self, key):
        """Sets the host key that the client expects."""
        kind, text = (self.folder / f"{key}.pub").read_text().split()[:2]
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {kind} {text}\n")
        (self.folder / "ssh_config").write_text(
            f"Host *\n  IdentityFile {self.folder}/client\n  IdentitiesOnly yes\n"
            f"  UserKnownHostsFile {self.folder}/known\n  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking no\n")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.process.stderr.close()
