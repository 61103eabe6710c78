#!/usr/bin/env python3
"""Several workers and a server on the loopback: what faults do to them, and whether verdicts are those of local runs.

    benches/cluster.py faults BINARY     60 kills of workers, 20 partitions (stopped for longer than the server waits), 10 kills of the
                                         coordinator and 5 of the server, at random moments, while batches run
    benches/cluster.py equal BINARY      60 tasks, three analyses, 1, 2 and 4 workers against local runs; overhead; bytes
    benches/cluster.py blocks BINARY     blocks of memoization: tasks for the parallel experiment, by one process with one and with two threads
                                         and by one thread with one and with two workers, in turn; bytes; costs of messages
    benches/cluster.py block-faults BINARY  the faults of the first line while blocks of memoization run; a partition is a worker whose
                                         connections carry nothing for a while
    benches/cluster.py verdicts BINARY   small tasks with bam presets, all blocks sent, against local runs
    benches/cluster.py sample BINARY     the sample of score.py over two workers, one kill of everything in the middle

Needs nats-server. Tables go to the standard output; with --output also to a file.
"""
import argparse
import csv
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SAFE = "extern void reach_error(void);\nint main(void) { int x = 1; if (x != 1) reach_error(); return 0; }\n"
UNSAFE = ("extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
          "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n")
LONG = ("extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n"
        "  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), s = 0;\n"
        "  for (unsigned i = 0; i < n; i++) { s = s * a + b; b ^= s * s; }\n"
        "  if (s * s * s == 2862933555u * (a | 1u) && n > 77) reach_error();\n  return 0;\n}\n")
LOOP = ("extern void reach_error(void);\nextern unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n"
        "  unsigned n = __VERIFIER_nondet_uint() %% 40, s = 0;\n  for (unsigned i = 0; i < n; i++) s += 2;\n"
        "  if (s %% 2 == 1 || s > %d) reach_error();\n  return 0;\n}\n")
KINDS = [("true", SAFE), ("false", UNSAFE), ("unknown", LONG), ("true", LOOP % 78), ("false", LOOP % 60)]


STARTED = []
FOLDERS = []


def clean_up():
    """Whatever was started ends, and its folders go, however the bench ends."""
    for process in STARTED:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
    # What they had started ends with them or a moment later; nobody else works below these folders.
    for folder in FOLDERS:
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "cwd").startswith(str(folder)):
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(folder, ignore_errors=True)


def run(words, limit=600):
    """A process that is waited for; it ends with the bench."""
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    STARTED.append(process)
    try:
        output, errors = process.communicate(timeout=limit)
    finally:
        if process.poll() is None:
            process.kill()
        STARTED.remove(process)
    return output, errors


class Site:
    """A server, its workers, and a folder; everything ends with it."""

    def __init__(self, binary):
        self.binary = str(pathlib.Path(binary).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-site-"))
        FOLDERS.append(self.folder)
        (self.folder / "tmp").mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.workers, self.server = [], None
        self.start_server()

    def start_server(self):
        program = shutil.which("nats-server") or "/usr/sbin/nats-server"
        self.server = subprocess.Popen([program, "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", str(self.folder / "store")],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        STARTED.append(self.server)
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.02)

    def kill_server(self):
        self.server.kill()
        self.server.wait()

    def start(self, words):
        environment = dict(os.environ, TMPDIR=str(self.folder / "tmp"))
        process = subprocess.Popen([self.binary, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=open(self.folder / "log", "a"), env=environment, cwd=self.folder)
        STARTED.append(process)
        return process

    def worker(self, url=None):
        self.workers.append(self.start(["worker", "--cluster", url or self.url, "--jobs", "1", "--quiet"]))
        return self.workers[-1]

    def status(self):
        return json.loads(run([self.binary, "cluster", "status", self.url, "--json"])[0])

    def stream(self, name):
        """Messages and bytes of a stream, by the server's own protocol."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            lines = connection.makefile("rb")
            lines.readline()
            connection.sendall(f'CONNECT {{"verbose":false}}\r\nSUB _INBOX.x 1\r\nPUB $JS.API.STREAM.INFO.{name} _INBOX.x 0\r\n\r\n'.encode())
            while not (line := lines.readline()).startswith(b"MSG"):
                pass
            state = json.loads(lines.read(int(line.split()[-1])))["state"]
            return state["messages"], state["bytes"]

    def task_of(self, worker):
        """The file that a worker is at work on."""
        try:
            found = list((self.folder / "tmp").glob(f"assay-worker-{worker.pid}-*/root/**/*.c"))
        except FileNotFoundError:  # it has just ended
            found = []
        return found[0].name if found else None

    def left_behind(self):
        """Processes and folders of workers that have ended."""
        processes = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if os.readlink(entry / "cwd").startswith(str(self.folder)):
                        processes.append(entry.name)
                except OSError:
                    pass
        return len(processes), len(list((self.folder / "tmp").iterdir()))

    def close(self):
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.terminate()
        for worker in self.workers:
            worker.wait()
        self.workers = []
        # Those that were killed are listed until the server forgets them.
        end = time.monotonic() + 15
        while (status := self.status())["workers"] and time.monotonic() < end:
            time.sleep(0.5)
        left = self.left_behind()
        self.kill_server()
        shutil.rmtree(self.folder, ignore_errors=True)
        jobs = sum(queue["waiting"] + queue["running"] for queue in status["queues"])
        return {"jobs in the queue": jobs, "workers listed": len(status["workers"]), "processes": left[0], "folders": left[1]}


class Way:
    """A way to the server that can be cut: connections stay open and carry nothing."""

    def __init__(self, port):
        self.port, self.is_open = port, threading.Event()
        self.is_open.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"nats://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                near.close()
                continue
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, target), daemon=True).start()

    def carry(self, source, target):
        try:
            while data := source.recv(1 << 16):
                self.is_open.wait()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


def read_table(folder, name="results.tsv"):
    with open(folder / name, newline="") as handle:
        return {row["id"]: row for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)}


def faults(args, say):
    """Batches run until all faults have happened; a fault hits whoever is there, but no task more than twice, because a third time means that it
    is given up."""
    chance = random.Random(args.seed)
    site = Site(args.binary)
    todo = ["worker"] * args.kills + ["partition"] * args.partitions + ["coordinator"] * args.coordinators + ["server"] * args.servers
    chance.shuffle(todo)
    happened = {kind: 0 for kind in ("worker", "partition", "coordinator", "server")}
    busy, hits, stopped, rounds, wrong, finished, expected_total, given_up = 0, {}, [], 0, [], 0, 0, 0
    for _ in range(4):
        site.worker()
    begin = time.monotonic()
    while todo or rounds == 0:
        rounds += 1
        tasks = site.folder / f"r{rounds}"
        tasks.mkdir()
        expected = {}
        for number in range(40):
            verdict, text = KINDS[number % len(KINDS)]
            (tasks / f"r{rounds}t{number}.c").write_text(f"// {rounds} {number}\n{text}")
            expected[f"r{rounds}/r{rounds}t{number}.c"] = verdict
        words = ["batch", tasks.name, "--property", "unreach-call", "--time-limit", "1s", "--output", f"o{rounds}", "--cluster", site.url, "--quiet"]
        coordinator = site.start(words)
        deadline = time.monotonic() + 240
        next_fault = time.monotonic() + 1
        while coordinator.poll() is None or coordinator.returncode < 0:
            if coordinator.poll() is not None:
                coordinator = site.start(words)
            if time.monotonic() > deadline:
                wrong.append("a batch does not end")
                break
            time.sleep(0.02)
            for worker, until in list(stopped):
                if time.monotonic() > until:
                    worker.send_signal(signal.SIGCONT)
                    stopped.remove((worker, until))
            if not todo or time.monotonic() < next_fault:
                continue
            kind = todo[-1]
            if kind in ("worker", "partition"):
                free = [worker for worker in site.workers if all(worker is not other for other, _ in stopped)]
                free = [worker for worker in free if hits.get(site.task_of(worker), 0) < 2]
                if len(free) < 2:
                    continue
                at_work = [worker for worker in free if site.task_of(worker)]
                victim = chance.choice(at_work or free)
                name = site.task_of(victim)
                if name:
                    busy += 1
                    hits[name] = hits.get(name, 0) + 1
                if kind == "worker":
                    victim.kill()
                    victim.wait()
                    site.workers.remove(victim)
                    site.worker()
                else:
                    victim.send_signal(signal.SIGSTOP)
                    stopped.append((victim, time.monotonic() + 8))
            elif kind == "coordinator":
                coordinator.kill()
                coordinator.wait()
            else:
                site.kill_server()
                time.sleep(chance.uniform(0, 1))
                site.start_server()
            todo.pop()
            happened[kind] += 1
            next_fault = time.monotonic() + chance.uniform(0.2, 1.6)
        coordinator.wait()
        if not (site.folder / f"o{rounds}" / "results.tsv").exists():
            raise SystemExit(f"no results: status {coordinator.returncode}, see {site.folder}/log")
        table = read_table(site.folder / f"o{rounds}")
        expected_total += len(expected)
        finished += len(table)
        for name, verdict in expected.items():
            found = table.get(name, {"verdict": "missing", "detail": ""})
            given_up += found["detail"].startswith("given up")
            if found["verdict"] != verdict:
                wrong.append(f"{name}: {found['verdict']} ({found['detail']}) instead of {verdict}")
    for worker, _ in stopped:
        worker.send_signal(signal.SIGCONT)
    time.sleep(2)
    left = site.close()
    say(f"faults: {happened}; {busy} of the kills and partitions hit a worker with a job in hand")
    say(f"batches: {rounds} of 40 tasks, {time.monotonic() - begin:.0f} s; results {finished} of {expected_total}; given up {given_up}")
    say(f"other verdicts than without faults: {len(wrong)}" + "".join(f"\n  {line}" for line in wrong[:10]))
    say(f"left behind: {left}")
    return 1 if wrong or any(left.values()) or finished != expected_total else 0


def branches(count, rounds, wrong):
    """Many blocks that do not wait for each other; with `wrong`, a violation behind one of them."""
    cases = "\n".join(f"  case {number}: check(work({number}, &p), &p); break;" for number in range(count))
    last = f"  if (p.first >= 0 && choice == {count // 2}) reach_error();\n" if wrong else "  if (p.first >= 1000) reach_error();\n"
    return ("extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nstruct pair { int first; int *second; };\n"
            f"int work(int seed, struct pair *p) {{\n  int x = seed;\n  for (int i = 0; i < {rounds}; i++) x = (x * 3 + i) % 1000;\n"
            "  p->first = x;\n  *p->second += 1;\n  return x;\n}\n"
            "void check(int x, struct pair *p) { if (x >= 1000 || p->first != x || *p->second != 1) reach_error(); }\n"
            "int main(void) {\n  int count = 0, choice = __VERIFIER_nondet_int();\n  struct pair p = {0, &count};\n"
            f"  switch (choice) {{\n{cases}\n  default: break;\n  }}\n{last}  return 0;\n}}\n")


def block_faults(args, say):
    """Runs over blocks, one after the other, until all faults have happened."""
    chance = random.Random(args.seed)
    site = Site(args.binary)
    todo = ["worker"] * args.kills + ["partition"] * args.partitions + ["coordinator"] * args.coordinators + ["server"] * args.servers
    chance.shuffle(todo)
    happened = {kind: 0 for kind in ("worker", "partition", "coordinator", "server")}
    ways, cut, wrong, with_session, runs, begin = {}, [], [], 0, 0, time.monotonic()
    totals = {}

    def add_worker():
        way = Way(site.port)
        ways[site.worker(way.url)] = way

    for _ in range(3):
        add_worker()
    programs = []
    for config in args.analyses.split(","):
        for bad in (False, True):
            file = site.folder / f"{config}-{'false' if bad else 'true'}.c"
            file.write_text(branches(400, 4000, bad))
            words = ["verify", "--json", "--property", "unreach-call", "--config", config, "--time-limit", "300s", str(file)]
            document = json.loads(run([site.binary, *words, "--threads", "1"])[0])
            say(f"{config}: {document['verdict']} without a cluster, {document['seconds']['total (CPU)']:.1f} s of CPU time")
            programs.append((words, document["verdict"]))
    next_fault = time.monotonic() + args.every
    while todo:
        words, expected = programs[runs % len(programs)]
        runs += 1
        words = [*words, "--threads", "1", "--cluster", site.url]
        output = site.folder / f"run{runs}.json"

        def start():
            process = subprocess.Popen([site.binary, *words], stdin=subprocess.DEVNULL, stdout=open(output, "w"),
                                       stderr=open(site.folder / "log", "a"), cwd=site.folder)
            STARTED.append(process)
            return process

        coordinator, deadline = start(), time.monotonic() + 240
        while coordinator.poll() is None or coordinator.returncode < 0 or coordinator.returncode == 6:
            if coordinator.poll() is not None:
                time.sleep(0.1)
                coordinator = start()
            if time.monotonic() > deadline:
                coordinator.kill()
                wrong.append(f"run {runs} does not end")
                break
            time.sleep(0.02)
            for way, until in list(cut):
                if time.monotonic() > until:
                    way.is_open.set()
                    cut.remove((way, until))
            if not todo or time.monotonic() < next_fault:
                continue
            kind = todo[-1]
            if kind in ("worker", "partition"):
                free = [worker for worker in site.workers if ways[worker].is_open.is_set()]
                at_work = [worker for worker in free if site.task_of(worker)]
                if len(free) < 2:
                    continue
                victim = chance.choice(at_work or free)
                with_session += bool(at_work)
                if kind == "worker":
                    victim.kill()
                    victim.wait()
                    site.workers.remove(victim)
                    ways.pop(victim).listener.close()
                    add_worker()
                else:
                    ways[victim].is_open.clear()
                    cut.append((ways[victim], time.monotonic() + chance.uniform(2, 9)))
            elif kind == "coordinator":
                coordinator.kill()
                coordinator.wait()
            else:
                site.kill_server()
                time.sleep(chance.uniform(0, 1))
                site.start_server()
            todo.pop()
            happened[kind] += 1
            next_fault = time.monotonic() + chance.uniform(0.2, 2 * args.every)
        coordinator.wait()
        try:
            document = json.loads(output.read_text())
        except ValueError:
            wrong.append(f"run {runs} says nothing: status {coordinator.returncode}")
            continue
        if document["verdict"] != expected:
            wrong.append(f"run {runs}: {document['verdict']} ({document.get('reason')}) instead of {expected}")
        count = lambda key: document["counters"].get(key, 0)
        fates = ["summaries from workers", "blocks without an answer from workers", "blocks without a summary from workers", "damaged answers from workers"]
        if count("blocks sent to workers") != sum(map(count, fates)):
            wrong.append(f"run {runs}: blocks are lost: {[count(key) for key in ['blocks sent to workers', *fates]]}")
        for key in ["blocks sent to workers", *fates, "summaries checked by workers at the end", "summaries of workers that were gone at the end"]:
            totals[key] = totals.get(key, 0) + count(key)
    for way, _ in cut:
        way.is_open.set()
    # The sessions of coordinators that were killed end some seconds after them.
    end = time.monotonic() + 30
    while time.monotonic() < end and any(queue["waiting"] + queue["running"] for queue in site.status()["queues"]):
        time.sleep(0.5)
    left = site.close()
    say(f"faults: {happened}; {with_session} of the kills and partitions hit a worker with a session")
    say(f"runs: {runs}, {time.monotonic() - begin:.0f} s; blocks: " + "; ".join(f"{key} {value}" for key, value in totals.items()))
    say(f"other verdicts than without faults, or blocks lost: {len(wrong)}" + "".join(f"\n  {line}" for line in wrong[:10]))
    say(f"left behind: {left}")
    return 1 if wrong or any(left.values()) else 0


def sampled(count, seed):
    """Lines of the task list, those that score.py takes."""
    shared = pathlib.Path(__file__).resolve().parent.parent.parent / "shared"
    sys.path.insert(0, str(shared / "tools"))
    import score
    root = shared / "tasks"
    chosen = {task["id"] for task in score.sample(score.load_tasks(root, root / "tasks.tsv", [], []), count, seed)}
    lines = (root / "tasks.tsv").read_text().splitlines()
    head = lines[0].split("\t")
    rows = [dict(zip(head, line.split("\t"))) for line in lines[1:]]
    return root, head, [row for row in rows if f"{row['task']}:{row['property']}" in chosen]


def write_list(folder, count, seed):
    root, head, rows = sampled(count, seed)
    (folder / "properties").symlink_to(root / "c" / "properties")
    lines = ["\t".join(head)] + ["\t".join(dict(row, task=str(root / row["task"]))[key] for key in head) for row in rows]
    (folder / "list.tsv").write_text("\n".join(lines) + "\n")
    return len(rows)


def equal(args, say):
    site = Site(args.binary)
    count = write_list(site.folder, args.tasks, args.seed)
    contradictions = 0
    say("analysis\tworkers\ttasks\tthe same verdict\tone of them unknown\tcontradictions\twall s\tCPU s\tCPU of local")
    for analysis in args.analyses.split(","):
        words = ["batch", "list.tsv", "--config", analysis, "--time-limit", args.time, "--memory-limit", "3GiB", "--quiet"]
        begin = time.monotonic()
        site.start([*words, "--output", f"{analysis}-local", "--jobs", "1"]).wait()
        local_wall = time.monotonic() - begin
        local = read_table(site.folder / f"{analysis}-local")
        cpu = lambda table: sum(float(row["cpu_s"]) for row in table.values())
        say(f"{analysis}\tlocal\t{len(local)}\t\t\t\t{local_wall:.1f}\t{cpu(local):.1f}\t")
        for workers in (1, 2, 4):
            for _ in range(workers):
                site.worker()
            # Another memory limit is another question: nothing is taken from the results of before.
            words[words.index("--memory-limit") + 1] = f"{3000 + workers}MB"
            begin = time.monotonic()
            site.start([*words, "--output", f"{analysis}-{workers}", "--cluster", site.url]).wait()
            wall = time.monotonic() - begin
            table = read_table(site.folder / f"{analysis}-{workers}")
            same = sum(table[name]["verdict"] == row["verdict"] for name, row in local.items())
            against = sum({table[name]["verdict"], row["verdict"]} == {"true", "false"} for name, row in local.items())
            contradictions += against
            say(f"{analysis}\t{workers}\t{len(table)}\t{same}\t{len(local) - same - against}\t{against}\t{wall:.1f}\t{cpu(table):.1f}\t{cpu(table) / cpu(local):.2f}")
            for worker in site.workers:
                worker.terminate()
            for worker in site.workers:
                worker.wait()
            site.workers = []
    messages, size = site.stream("KV_assay-results")
    say(f"bytes a result: {size // max(1, messages)} ({messages} results)")
    # Jobs alone, with nobody to take them.
    waiting = site.start(["batch", "list.tsv", "--time-limit", "9s", "--output", "none", "--cluster", site.url, "--quiet"])
    while site.stream("ASSAY_JOBS")[0] < count:
        time.sleep(0.2)
    messages, size = site.stream("ASSAY_JOBS")
    _, content = site.stream("OBJ_assay-content")
    say(f"bytes a job: {size // messages} ({messages} jobs); content of all programs: {content} bytes")
    waiting.terminate()
    waiting.wait()
    say(f"left behind: {site.close()}")
    return 1 if contradictions else 0


def verify(site, words, file):
    """One run; its document, wall seconds and CPU seconds, those of workers included."""
    begin = time.monotonic()
    command = [site.binary, "verify", "--json", "--property", "unreach-call", *words, str(file)]
    document = json.loads(run(command)[0])
    return document, time.monotonic() - begin, document["seconds"]["total (CPU)"]


def blocks(args, say):
    root = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "tasks-parallel" / "c"
    site = Site(args.binary)
    ways = [("1 thread", 0, ["--threads", "1"]), ("2 threads", 0, ["--threads", "2"]), ("1 worker", 1, ["--threads", "1", "--cluster", site.url]),
            ("2 workers", 2, ["--threads", "1", "--cluster", site.url])]
    say("task\tconfig\tway\tverdict\twall s\tCPU s\tstates\tof workers\tstates a CPU s\tstates a wall s\tblocks sent\tbytes a block"
        "\tbytes an answer\tblocks a message\tms a message\tus a block here\tload")
    sums = {}
    for task in args.names.split(","):
        name, config = task.split("@")
        for _ in range(args.repeat):
            for way, workers, words in ways:
                while len(site.workers) < workers:
                    site.worker()
                while len(site.workers) > workers:
                    gone = site.workers.pop()
                    gone.terminate()
                    gone.wait()
                while len(site.status()["workers"]) != workers:
                    time.sleep(0.2)
                options = ["--data-model", "ILP32", "--config", config, "--time-limit", args.time, "--memory-limit", "6GiB"]
                document, wall, cpu = verify(site, [*options, *words], root / name)
                counters, seconds = document["counters"], document["seconds"]
                count = lambda key: counters.get(key, 0)
                remote, sent, messages = count("states explored by workers"), count("blocks sent to workers"), count("messages to workers")
                states = count("states explored") + remote
                waited = seconds.get("waiting for workers", 0) - seconds.get("work of workers", 0)
                own = seconds.get("writing and reading for workers", 0)
                share = lambda part, whole: part / whole if whole else 0
                say(f"{name}\t{config}\t{way}\t{document['verdict']}\t{wall:.1f}\t{cpu:.1f}\t{states}\t{remote}\t{share(states, cpu):.0f}"
                    f"\t{share(states, wall):.0f}\t{sent}\t{share(count('bytes of blocks sent'), sent):.0f}"
                    f"\t{share(count('bytes of answers from workers'), sent):.0f}\t{share(sent, messages):.1f}\t{share(waited, messages) * 1e3:.2f}"
                    f"\t{share(own, sent) * 1e6:.0f}\t{os.getloadavg()[0]:.1f}")
                sums.setdefault(way, []).append((states, cpu, wall))
    say("all: " + "; ".join(f"{way}: {sum(s for s, _, _ in rows) / sum(c for _, c, _ in rows):.0f} states a CPU s, "
                            f"{sum(s for s, _, _ in rows) / sum(w for _, _, w in rows):.0f} a wall s" for way, rows in sums.items()))
    say(f"left behind: {site.close()}")
    return 0


def verdicts(args, say):
    """Tasks that a local run decides, all blocks sent, against the local verdict: those for the parallel experiment and a sample. Three servers
    with 1, 2 and 4 workers are there all the time."""
    begin = time.monotonic()
    sites = {count: Site(args.binary) for count in (1, 2, 4)}
    for count, site in sites.items():
        for _ in range(count):
            site.worker()
        while len(site.status()["workers"]) != count:
            time.sleep(0.2)
    shared = pathlib.Path(__file__).resolve().parent.parent.parent / "shared"
    with open(shared / "tasks-parallel" / "tasks.tsv", newline="") as handle:
        tasks = [(shared / "tasks-parallel", row) for row in csv.DictReader(handle, delimiter="\t")]
    root, _, rows = sampled(400, args.seed)
    tasks = [(root, row) for root, row in tasks + [(root, row) for row in rows] if row["property"] == "unreach-call"]
    # An order that does not depend on categories.
    random.Random(args.seed).shuffle(tasks)
    configs = args.analyses.split(",")
    say("task\tconfig\tlocal\t1 worker\t2 workers\t4 workers\tsummaries from workers")
    against, same, runs, received, undecided, at = 0, 0, 0, 0, 0, args.skip
    while at < len(tasks) and runs < args.tasks * len(configs) and time.monotonic() - begin < args.budget:
        root, row = tasks[at]
        at += 1
        for config in configs:
            file = next((root / row["task"]).parent.glob(pathlib.Path(row["task"]).stem + ".[ci]"))
            model = "ILP32" if row["architecture"].startswith("32") else "LP64"
            words = ["--data-model", model, "--config", config, "--memory-limit", "3GiB", "--threads", "1"]
            found = [(verify(sites[1], [*words, "--time-limit", args.time], file)[0]["verdict"], 0)]
            if found[0][0] == "unknown":
                undecided += 1
                continue
            for site in sites.values():
                # Sessions need time of their own.
                more = ["--time-limit", f"{6 * int(args.time.rstrip('s'))}s", "--cluster", site.url, "--set", "send-blocks=all"]
                document = verify(site, [*words, *more], file)[0]
                found.append((document["verdict"], document.get("counters", {}).get("summaries from workers", 0)))
            answers = [verdict for verdict, _ in found]
            against += {"true", "false"} <= set(answers)
            same += len(set(answers)) == 1
            runs += 1
            received += sum(count for _, count in found)
            say(f"{row['task']}\t{config}\t" + "\t".join(answers) + f"\t{sum(count for _, count in found)}")
    say(f"tasks {args.skip} to {at - 1}; {runs} tasks and presets that a local run decides within {args.time} ({undecided} others were tried): the "
        f"same verdict with 1, 2 and 4 workers {same}, contradictions {against}; summaries from workers {received}")
    for site in sites.values():
        say(f"left behind: {site.close()}")
    return 1 if against or same != runs else 0


def sample(args, say):
    """Two workers, everything killed once in the middle."""
    site = Site(args.binary)
    count = write_list(site.folder, args.tasks, args.seed)
    words = ["batch", "list.tsv", "--time-limit", args.time, "--memory-limit", "3GiB", "--output", "out", "--cluster", site.url, "--quiet"]
    journal = site.folder / "out" / "journal.jsonl"
    finished = lambda: [json.loads(line)["key"] for line in journal.read_text().splitlines()] if journal.exists() else []
    for _ in range(2):
        site.worker()
    coordinator = site.start(words)
    while len(finished()) < count // 2:
        time.sleep(0.1)
    for process in [coordinator, *site.workers, site.server]:
        process.kill()
    for process in [coordinator, *site.workers, site.server]:
        process.wait()
    before = finished()
    site.workers = []
    site.start_server()
    for _ in range(2):
        site.worker()
    restarted = time.monotonic() - 2
    site.start(words).wait()
    # Workers say every 1.5 s what they have done.
    time.sleep(3)
    after = finished()
    # Neither twice in the journal, nor run again by a worker: what these did since is what was missing.
    done = sum(worker["done"] for worker in site.status()["workers"] if worker["up_seconds"] <= time.monotonic() - restarted)
    repeated = len(after) - len(set(after)) + max(0, done - (count - len(before)))
    shared = pathlib.Path(__file__).resolve().parent.parent.parent / "shared"
    words = [sys.executable, str(shared / "tools" / "score.py"), site.binary, "--sample", str(args.tasks), "--seed", args.seed, "--jobs", "1",
             "--threads", "1", "--time", args.time.rstrip("s"), "--memory", "3", "--out", str(site.folder / "score.tsv")]
    if not args.score:
        run(words, limit=1200)
    remote = {name.removeprefix(f"{shared / 'tasks'}/"): row for name, row in read_table(site.folder / "out").items()}
    here = read_table(args.score.parent, args.score.name) if args.score else read_table(site.folder, "score.tsv")
    if set(remote) != set(here):
        raise SystemExit(f"the tables have other tasks: {sorted(set(remote) ^ set(here))[:5]}")
    plain = lambda row: row["verdict"].split("(")[0]
    same = sum(plain(remote[name]) == plain(row) for name, row in here.items())
    against = sum({plain(remote[name]), plain(row)} == {"true", "false"} for name, row in here.items())
    for name, row in here.items():
        if plain(remote[name]) != plain(row):
            say(f"{name}: {plain(row)} by score.py ({row['detail']}, {row['cpu_s']} s), {plain(remote[name])} here ({remote[name]['detail']}, "
                f"{remote[name]['cpu_s']} s)")
    wrong = sum(row["result"].startswith("wrong") for row in remote.values())
    say(f"{count} tasks; {len(before)} finished before everything was killed; tasks that ran after it: {done}; finished tasks that ran again: "
        f"{repeated}; results {len(remote)}")
    say(f"the same verdict as score.py: {same}; contradictions: {against}; wrong: {wrong}")
    say(f"left behind: {site.close()}")
    return 1 if repeated or against or len(remote) != count else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["faults", "equal", "blocks", "block-faults", "verdicts", "sample"])
    parser.add_argument("binary")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--time", default="1s")
    parser.add_argument("--analyses", default="auto,symbolic,predicate")
    parser.add_argument("--names", default="eca-rers2012/Problem12_label56.c@bam-value", help="for blocks: FILE@PRESET, with commas")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--partitions", type=int, default=20)
    parser.add_argument("--coordinators", type=int, default=10)
    parser.add_argument("--servers", type=int, default=5)
    parser.add_argument("--skip", type=int, default=0, help="for verdicts: begin with this task")
    parser.add_argument("--budget", type=float, default=450, help="for verdicts: no further task after so many seconds")
    parser.add_argument("--score", type=pathlib.Path, help="for sample: a table of score.py for the same tasks and limits")
    parser.add_argument("--every", type=float, default=2, help="for block-faults: seconds between faults, on average")
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()
    lines = ["$ benches/cluster.py " + " ".join(sys.argv[1:])]

    def say(line):
        print(line, flush=True)
        lines.append(line)

    # Also where it is asked to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        status = {"faults": faults, "equal": equal, "blocks": blocks, "block-faults": block_faults, "verdicts": verdicts, "sample": sample}[args.command](args, say)
    finally:
        clean_up()
    if args.output:
        args.output.write_text("\n".join(lines) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
