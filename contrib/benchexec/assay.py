"""BenchExec's description of Assay. Put it into benchexec/tools/, or use `--tool-directory`.

Try it with `python3 -m benchexec.test_tool_info assay --tool-directory <folder of the binary>`.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64

VERDICT = re.compile(r"^verdict: (true|false|unknown)(?:\((.*)\))?\s*$")


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["assay"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("assay")

    def name(self):
        return "Assay"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, arg="version", line_prefix="assay")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model:
            command += ["--data-model", model]
        if task.property_file:
            command += ["--property", task.property_file]
        if rlimits.cputime:
            command += ["--time-limit", f"{rlimits.cputime}s"]
        if rlimits.memory:
            command += ["--memory-limit", f"{rlimits.memory}B"]
        if rlimits.cpu_cores:
            command += ["--threads", str(rlimits.cpu_cores)]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        for line in run.output:
            match = VERDICT.match(line.strip())
            if not match:
                continue
            verdict, detail = match.groups()
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict == "false":
                kind = "" if detail == "unreach-call" else f"({detail})"
                return result.RESULT_FALSE_REACH if not kind else f"{result.RESULT_FALSE_PROP}{kind}"
            if "time limit" in (detail or ""):
                return "TIMEOUT"
            if "memory limit" in (detail or ""):
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN}({detail})" if detail else result.RESULT_UNKNOWN
        return result.RESULT_ERROR
