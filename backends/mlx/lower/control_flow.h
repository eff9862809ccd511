#pragma once

#include "backends/mlx/lower/graph_maker.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace et::backends::mlx {

/// Tensors and values that a chain reads before it writes them, and those that it writes, with its inner
/// chains.
struct ChainUses {
    std::set<TensorNumber> readTensors;
    std::set<TensorNumber> writtenTensors;
    std::set<ValueNumber> readValues;
    std::set<ValueNumber> writtenValues;
};

/// Converts a node that runs chains: a branch to higher_order.cond, a loop to higher_order.scan.
class ControlFlow {
  public:
    ControlFlow(GraphMaker& graphMaker, const Node& ofNode) : maker(graphMaker), node(ofNode) {}

    /// Errors: those of GraphMaker::addChain().
    [[nodiscard]] core::Result<> add();

  private:
    /// Inputs or results of the chains.
    struct Numbers {
        std::vector<TensorNumber> tensors;
        std::vector<ValueNumber> values;
    };

    core::Result<> addBranch();
    core::Result<> addLoop();
    [[nodiscard]] Numbers inputsOf(const ChainUses& uses) const;
    core::Result<etrecord::Argument> body(std::uint32_t chain, const Numbers& inputs, const Numbers& results);
    core::Result<etrecord::Argument> listOf(const Numbers& numbers) const;
    void defineResults(const Numbers& numbers, etrecord::Node& made);

    /// Moves an axis.
    MadeTensor moved(const MadeTensor& tensor, std::int64_t from, std::int64_t to);

    GraphMaker& maker;
    const Node& node;
    std::map<TensorNumber, core::ScalarType> resultTypes;
};

}  // namespace et::backends::mlx
