#!/usr/bin/env python3
"""Libraries that nobody here wrote: fetches Debian's source packages (sqlite's amalgamation from a crate) and asks about small drivers in
benches/real_code/.

    benches/real_code.py [--assay target/ci/assay] [--time 60] [--memory 4GiB] [--only NAME] [--keep DIR]

Nothing is installed and nothing of the system's package lists is touched: `apt-get source` works in a folder of its own, which needs the
network and a Debian. Prints one line for each driver and property, as a table in Markdown.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
# Source package, driver, what it includes (found anywhere in the package), further files of the package that are linked.
TASKS = [
    ("lz4", "lz4_decompress.c", "lib/lz4.c"),
    ("cjson", "cjson_parse.c", "cJSON.c"),
    ("mbedtls", "mbedtls_base64.c", "library/base64.c"),
    ("jsmn", "jsmn_parse.c", "jsmn.h"),
    ("zlib", "zlib_adler32.c", "adler32.c"),
    ("utf8proc", "utf8proc_iterate.c", "utf8proc.c"),
    ("libb64", "libb64_decode.c", "src/cdecode.c"),
]
PROPERTIES = ["assert", "valid-memsafety", "no-overflow"]
# The amalgamation of sqlite, which Debian's source package does not have: a crate ships it. It only has to become an automaton.
SQLITE = "https://static.crates.io/crates/libsqlite3-sys/libsqlite3-sys-0.30.1.crate"


def apt(folder, *words):
    """apt-get with all of its state in the folder."""
    options = ["Dir::Etc::sourcelist=" + str(folder / "sources.list"), "Dir::Etc::sourceparts=-", "Dir::State=" + str(folder / "state"),
               "Dir::Cache=" + str(folder / "cache"), "APT::Sandbox::User=root", "Acquire::Retries=1", "Acquire::http::Timeout=30"]
    (folder / "state/lists/partial").mkdir(parents=True, exist_ok=True)
    (folder / "cache/archives/partial").mkdir(parents=True, exist_ok=True)
    command = ["apt-get", "-q"] + [word for option in options for word in ("-o", option)] + list(words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def fetch(folder, package):
    """The folder of a package's sources, and why there is none."""
    found = [path for path in folder.glob(package + "-*") if path.is_dir()]
    if not found:
        result = apt(folder, "source", "--only-source", package)
        found = [path for path in folder.glob(package + "-*") if path.is_dir()]
        # Debian's changes may be out of reach where the original is not.
        for archive in [] if found else folder.glob(package + "_*.orig.tar.*"):
            version = archive.name.split("_")[1].split(".orig")[0]
            (folder / f"{package}-{version}").mkdir()
            subprocess.run(["tar", "xf", archive.name, "-C", f"{package}-{version}"], cwd=folder, check=True)
            found = [folder / f"{package}-{version}"]
        if not found:
            return None, (result.stderr.strip().splitlines() or ["no output"])[-1]
    return found[0], ""


def sqlite(options, folder):
    """The amalgamation as an automaton: its size, or what went wrong."""
    archive, source = folder / "sqlite.crate", folder / "libsqlite3-sys-0.30.1"
    if not source.is_dir():
        try:
            with urllib.request.urlopen(SQLITE, timeout=60) as answer:
                archive.write_bytes(answer.read())
            subprocess.run(["tar", "xzf", archive.name], cwd=folder, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"| sqlite | sqlite_open.c | | not fetched: {error} | | |", flush=True)
            return
    command = [options.assay, "cfa", "--format", "summary", "-I", str(source / "sqlite3"), str(HERE / "real_code/sqlite_open.c")]
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    sizes = ", ".join(line.replace(":", "") for line in result.stdout.splitlines()[:3])
    said = sizes if result.returncode == 0 else f"status {result.returncode}: {result.stderr.strip().splitlines()[:1]}"
    print(f"| {source.name} | sqlite_open.c | automaton | {said} | {time.monotonic() - start:.1f} | |", flush=True)


def verify(options, driver, include, property_name):
    command = [options.assay, "verify", "--json", "-p", property_name, "--time-limit", str(options.time), "--memory-limit", options.memory]
    for path in include:
        command += ["-I", str(path)]
    try:
        result = subprocess.run(command + [str(driver)], capture_output=True, text=True, timeout=options.time * 6 + 60)
        answer = json.loads(result.stdout)
    except subprocess.TimeoutExpired:
        return "no answer", 0, 0, ""
    except json.JSONDecodeError:
        return result.stderr.strip().splitlines()[0], 0, 0, ""
    what = "".join(f"{one['place']}: {one['what']}" for one in answer["violations"][:1]).replace(str(include[0]) + "/", "")
    reason = f" ({answer['reason']})" if answer["reason"] else ""
    return answer["verdict"] + reason, answer["seconds"]["total (CPU)"], answer["counters"]["memory at its peak (KiB)"] / 1024, what


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--assay", default="target/ci/assay")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--memory", default="4GiB")
    parser.add_argument("--only")
    parser.add_argument("--property", action="append")
    parser.add_argument("--keep", help="a folder for the sources, which later runs use again")
    options = parser.parse_args()
    options.assay = str(pathlib.Path(options.assay).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        release = re.search(r"VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text())
        release = release[1] if release else "stable"
        (folder / "sources.list").write_text(f"deb-src http://deb.debian.org/debian {release} main\n")
        if not any((folder / "state/lists").glob("*Sources*")):
            result = apt(folder, "update")
            if result.returncode:
                sys.exit(f"apt-get update: {result.stderr.strip()}")
        print("| package | driver | property | verdict | CPU s | MB |\n|---|---|---|---|---|---|", flush=True)
        if options.only in (None, "sqlite"):
            sqlite(options, folder)
        notes = []
        for package, driver, file in TASKS:
            if options.only and options.only != package:
                continue
            source, why = fetch(folder, package)
            found = [path for path in source.glob("**/" + file)] if source else []
            if not found:
                print(f"| {package} | {driver} | | not fetched: {why or 'no ' + file} | | |", flush=True)
                continue
            include = [found[0].parent, source / "include", found[0].parent.parent / "include"]
            for name in options.property or PROPERTIES:
                verdict, seconds, memory, what = verify(options, HERE / "real_code" / driver, include, name)
                print(f"| {source.name} | {driver} | {name} | {verdict} | {seconds:.1f} | {memory:.0f} |", flush=True)
                notes += [f"- {source.name}: {what}"] if what else []
        print("\n".join(["", *notes]))


if __name__ == "__main__":
    main()
