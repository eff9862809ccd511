"""Graphs for Google's Model Explorer, with the API of ``executorch.devtools.visualization``."""

from .visualization_utils import (
    ModelExplorerServer as ModelExplorerServer,
    SingletonModelExplorerServer as SingletonModelExplorerServer,
    visualize as visualize,
    visualize_graph as visualize_graph,
    visualize_with_clusters as visualize_with_clusters,
)
