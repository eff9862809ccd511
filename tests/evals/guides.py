"""The paths of integrations/skills as a program: each returns the claims that a reader of the answers would make."""

from mcp_client import ToolError


def results(answer):
    return [each["result"] for each in answer["answers"] if "result" in each]


def profile(client, program=None, record=None, trace=None, before=None):
    """profile-model: cause, module and Python line of the costliest finding."""
    record_of = [record] if record else []
    if before:
        compared = results(client.call("compare", before=[before, *record_of], after=[trace, *record_of]))[0]
        if not compared["regression"]:
            return {"cause": "none"}
        slower = [each for each in compared["methods"][0]["operators"] if each["verdict"] == "slower"]
        return {"cause": "slower", "module": slower[0]["module"], "operator": slower[0]["name"]}
    found = results(client.call("overview", files=[each for each in (program, record, trace) if each]))[0]["findings"]
    costly = [each for each in found if each["rule"] not in ("peak-tensor", "logged-values")]
    if not costly:
        return {"cause": "none"}
    first = costly[0]
    if first["rule"] == "hot-operator":
        row = results(client.call("time", files=[trace, record]))[0]["rows"][0]
        return {"cause": "hot-operator", "module": row["module"], "line": row["source"][0]}
    if first["rule"] in ("no-delegate", "split-partition"):
        total = results(client.call("delegation", files=[program, record]))[0]["methods"][0]["operators_total"]
        return {"cause": first["rule"], "undelegated": total["undelegated"]}
    return {"cause": first["rule"]}


def diverge(client, program, record, right=None):
    """find-numeric-divergence: module, operator and Python line of the first wrong operator."""
    answer = client.call("correctness", files=[program, record])
    verified = next((each["summary"] for each in results(answer) if "summary" in each), None)
    gap = next((each for each in results(answer) if "rows" in each), None)
    first = gap and gap["first_divergence"]
    if first:
        line = next(iter(first["stacktraces"].values()), None)
        return {"cause": "diverges", "module": first["module"], "operators": first["aot_ops"], "stack": line, "place": first["place"]}
    messages = [text for each in answer["answers"] for text in each.get("messages", [])]
    nan = next((text for text in messages if "NaN" in text), None)
    if nan:
        return {"cause": "nan", "message": nan}
    if verified and verified["fail"] and right:
        changed = results(client.call("compare", before=[right], after=[program]))[0]["methods"][0]["constants"]
        return {"cause": "weights", "weights": [each["name"] for each in changed]}
    return {"cause": "none" if not verified or not verified["fail"] else "unknown"}


def shrink(client, program, record=None, against=None):
    """shrink-model: what takes bytes or memory."""
    files = [each for each in (program, record) if each]
    if against:
        compared = results(client.call("compare", before=[against], after=[program]))[0]
        return {"cause": "growth", "bytes": compared["file_bytes"]["after"] - compared["file_bytes"]["before"]}
    size = results(client.call("size", files=files))[0]
    if size["duplicates"] or size["equal_values"]:
        return {"cause": "duplicates"}
    memory = results(client.call("memory", files=files))[0]["methods"][0]
    if memory["overlaps"]:
        return {"cause": "overlap"}
    largest = memory["tensors"][0]
    if 2 * largest["bytes"] >= memory["peak_bytes"]:
        return {"cause": "peak-tensor", "module": largest.get("module"), "bytes": largest["bytes"]}
    return {"cause": "none"}


def triage(client, log, program=None):
    """triage-failure-log: the first cause, if the failure is known."""
    found = results(client.call("explain_log", log=log, files=[program] if program else []))[0]
    if not found["known"]:
        return {"cause": "none"}
    return {"cause": found["failure"], "confidence": found["causes"][0]["confidence"]}


def refused(client, tool, **arguments):
    try:
        client.call(tool, **arguments)
    except ToolError as error:
        return str(error)
    return None
