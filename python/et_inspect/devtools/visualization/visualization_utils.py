"""Graphs as files for Google's Model Explorer, with the API of ``executorch.devtools.visualization.visualization_utils``.

The functions write a file, which ``model-explorer FILE`` or its web page opens, and return its path. Model Explorer need not be
installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from typing import Any

from ... import errors
from ..._reading import GraphResult, graph
from .._given import program_file
from ..etrecord._etrecord import ETRecord, Graph

NodeName = Callable[[Any], "str | None"]

# Parameters of et_inspect.graph() that select the graph and its numbers.
_SELECTION = ("etrecord", "etdump", "gap", "data", "method", "source", "source_time_scale", "delegate_time_scale")


class ModelExplorerServer:
    """Runs ``model-explorer`` while the context is open."""

    def __init__(self, open_in_browser: bool = True, port: int | None = None) -> None:
        """
        Args:
            open_in_browser: open a page.
            port: the port to listen on.

        Raises:
            et_inspect.errors.NotFoundError: Model Explorer is not installed.
        """
        command = ["model-explorer"] + ([] if open_in_browser else ["--no_open_in_browser"])
        command += [] if port is None else ["--port", str(port)]
        try:
            self.server = subprocess.Popen(command)
        except FileNotFoundError as error:
            raise errors.NotFoundError("model-explorer is not installed: pip install ai-edge-model-explorer") from error

    def __enter__(self) -> ModelExplorerServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.server.terminate()
        self.server.wait()


class SingletonModelExplorerServer:
    """Runs one ``model-explorer`` for all nested contexts."""

    _server: ModelExplorerServer | None = None
    _open = 0

    def __init__(self, open_in_browser: bool = True, port: int | None = None) -> None:
        """As ModelExplorerServer; ignored if a server runs."""
        if SingletonModelExplorerServer._server is None:
            SingletonModelExplorerServer._server = ModelExplorerServer(open_in_browser, port)

    def __enter__(self) -> SingletonModelExplorerServer:
        SingletonModelExplorerServer._open += 1
        return self

    def __exit__(self, *error: object) -> None:
        SingletonModelExplorerServer._open -= 1
        server = SingletonModelExplorerServer._server
        if SingletonModelExplorerServer._open == 0 and server is not None:
            SingletonModelExplorerServer._server = None
            server.__exit__()


def visualize(
    visualizable: Any,
    reuse_server: bool = True,
    no_open_in_browser: bool = False,
    *,
    json_file_name: str | os.PathLike[str] | None = None,
    **kwargs: Any,
) -> str:
    """Writes a graph for Model Explorer, grouped by modules, with node data in files next to it.

    Args:
        visualizable: path of a program or an ETRecord, an ETRecord or one of its graphs, or the exporter's object.
        reuse_server, no_open_in_browser: accepted for compatibility.
        json_file_name: the file; default: a new temporary file.
        kwargs: ``etrecord``, ``etdump``, ``gap``, ``data``, ``method``, ``source``, ``source_time_scale`` and
            ``delegate_time_scale`` as for ``et_inspect.graph()``; others are ignored.

    Returns:
        The path of the file.
    """
    if _is_torch(visualizable):
        return _written(_torch_document(visualizable, _module_layer), {}, json_file_name)
    result = _graph_of(visualizable, kwargs)
    return _written(json.loads(result.to_model_explorer()), result.node_data(), json_file_name)


def visualize_with_clusters(
    exported_program: Any,
    json_file_name: str | os.PathLike[str] | None = None,
    no_open_in_browser: bool = False,
    reuse_server: bool = False,
    get_node_partition_name: NodeName | None = None,
    get_node_qdq_cluster_name: NodeName | None = None,
    **kwargs: Any,
) -> str:
    """Writes a graph for Model Explorer, grouped by partition, and within it by quantized cluster.

    Args:
        exported_program: as for visualize().
        json_file_name: the file; default: a new temporary file.
        no_open_in_browser, reuse_server: accepted for compatibility.
        get_node_partition_name: returns the partition of a node, or None; default: the delegate that runs it, or
            ``node.meta["delegation_tag"]`` of torch's nodes.
        get_node_qdq_cluster_name: returns the quantized cluster of a node, or None; default: found from quantize and dequantize
            nodes, or ``node.meta["cluster"]`` of torch's nodes.
        kwargs: as for visualize().

    Returns:
        The path of the file.
    """
    if _is_torch(exported_program):
        layer = _ClusterLayers(
            get_node_partition_name or (lambda node: node.meta.get("delegation_tag")),
            get_node_qdq_cluster_name or (lambda node: node.meta.get("cluster")),
        )
        return _written(_torch_document(exported_program, layer), {}, json_file_name)
    result = _graph_of(exported_program, kwargs)
    document = json.loads(result.to_model_explorer(clusters=True))
    if get_node_partition_name is not None or get_node_qdq_cluster_name is not None:
        if not isinstance(exported_program, Graph):
            raise errors.ArgumentError("functions that name partitions or clusters need a graph of an ETRecord")
        none: NodeName = lambda node: None  # noqa: E731
        layer = _ClusterLayers(get_node_partition_name or none, get_node_qdq_cluster_name or none)
        layers = {node.name: layer(node) for node in exported_program.nodes}
        for node in document["graphs"][0]["nodes"]:
            node["namespace"] = layers.get(node["id"], "")
    return _written(document, result.node_data(), json_file_name)


def visualize_graph(
    graph_module: Any,
    exported_program: Any,
    reuse_server: bool = True,
    no_open_in_browser: bool = False,
    *,
    json_file_name: str | os.PathLike[str] | None = None,
    **kwargs: Any,
) -> str:
    """Writes a graph module for Model Explorer, such as the result of a pass.

    Args:
        graph_module: the graph module of torch, or a graph of an ETRecord.
        exported_program: accepted for compatibility.
        reuse_server, no_open_in_browser, json_file_name, kwargs: as for visualize().

    Returns:
        The path of the file.
    """
    return visualize(graph_module, reuse_server, no_open_in_browser, json_file_name=json_file_name, **kwargs)


def _graph_of(source: Any, options: dict[str, Any]) -> GraphResult:
    selection = {name: value for name, value in options.items() if name in _SELECTION}
    if isinstance(source, Graph):
        if source._place is None:
            raise errors.ArgumentError(f"the file of the graph {source.name!r} is unknown")
        return graph(**{**source._place, **selection})
    if isinstance(source, ETRecord):
        return graph(source.path, **selection)
    with program_file(source) as path:
        return graph(path, **selection)


def _is_torch(source: Any) -> bool:
    """Returns whether an object has a graph of torch.fx, or is a manager of such objects."""
    return not isinstance(source, (Graph, ETRecord)) and (
        hasattr(getattr(source, "graph", None), "nodes") or callable(getattr(source, "exported_program", None))
    )


def _torch_document(source: Any, layer: NodeName) -> dict[str, Any]:
    program = source.exported_program() if callable(getattr(source, "exported_program", None)) else source
    nodes = [
        {
            "id": node.name,
            "label": str(getattr(node.target, "overloadpacket", node.target)),
            "namespace": layer(node) or "",
            "attrs": [{"key": "operator", "value": str(node.target)}],
            "incomingEdges": [
                {"sourceNodeId": each.name, "sourceNodeOutputId": "0", "targetNodeInputId": str(index)}
                for index, each in enumerate(node.all_input_nodes)
            ],
        }
        for node in program.graph.nodes
    ]
    label = "Executorch"
    return {"label": label, "graphs": [{"id": "graph", "collectionLabel": label, "nodes": nodes}]}


def _module_layer(node: Any) -> str:
    if node.op == "placeholder":
        return "inputs"
    stack = node.meta.get("nn_module_stack") or {}
    paths = [path for path, _ in stack.values()]
    return paths[-1].replace(".", "/") if paths else ""


class _ClusterLayers:
    """Names the layer of a node by partition and cluster, as ExecuTorch does."""

    def __init__(self, partition: NodeName, cluster: NodeName) -> None:
        self._partition = partition
        self._cluster = cluster
        self._numbers: dict[str, int] = {}

    def __call__(self, node: Any) -> str:
        layers = []
        partition = self._partition(node)
        if partition is not None:
            number = self._numbers.setdefault(partition, len(self._numbers))
            layers.append(f"partition {number} ({partition.replace('/', ':')})")
        cluster = self._cluster(node)
        if cluster is not None:
            layers.append(f"cluster ({cluster.replace('/', ':')})")
        return "/".join(layers)


def _written(document: dict[str, Any], data: dict[str, str], name: str | os.PathLike[str] | None) -> str:
    path = os.fspath(name) if name is not None else os.path.join(tempfile.mkdtemp(prefix="et-inspect-graph-"), "model.json")
    stem = os.path.splitext(path)[0]
    texts = {path: json.dumps(document), **{f"{stem}.{kind}.json": text for kind, text in data.items()}}
    for each, text in texts.items():
        with open(each, "w", encoding="utf-8") as file:
            file.write(text)
    return path
