#pragma once

#include "inspector/graph/graph_numbers.h"
#include "runtime/core/graph.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Files for Google's Model Explorer (https://github.com/google-ai-edge/model-explorer): a graph collection,
// and node data that colour its nodes. Both use the same node ids.
namespace et::inspector {

/// The layers in which Model Explorer groups nodes.
enum class ExplorerLayers : std::uint8_t {
    Groups,   ///< modules, delegates and subgraphs; inputs and constants in "inputs"
    Clusters  ///< "partition 0 (name of the backend)", in it "cluster (0)", as visualize_with_clusters()
              ///< of ExecuTorch
};

/// The written part of a graph. Borrowed.
struct ExplorerView {
    const core::ModelGraph& graph;
    const std::vector<bool>& shown;  ///< by node; empty: all
    std::string label;               ///< of the collection: the file's name
    ExplorerLayers layers = ExplorerLayers::Groups;
};

/// A graph collection with one graph, whose id is the graph's name.
[[nodiscard]] std::string explorerGraph(const ExplorerView& view);

/// A file of node data.
struct ExplorerData {
    std::string name;  ///< "time", "gap", "partition", "quantization"
    std::string json;
};

/// Node data that exist: numbers without parts are skipped, and words that no node has. A time measured for
/// several nodes belongs to the last one, so that sums of layers are correct; an error belongs to each of
/// them.
[[nodiscard]] std::vector<ExplorerData> explorerData(const ExplorerView& view, const GraphNumbers& times,
                                                     const GraphNumbers& gap);

/// The file next to a graph collection for its node data: "model.time.json" for "model.json".
[[nodiscard]] std::filesystem::path explorerDataPath(const std::filesystem::path& graph,
                                                     const ExplorerData& data);

}  // namespace et::inspector
