#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::test {

using Bytes = std::vector<std::uint8_t>;
using Sizes = std::vector<std::uint32_t>;
using Quantized = backends::xnnpack::PerTensorQuantization;

/// A graph on bytes, computed by XNNPACK and by custom nodes.
class ByteGraph {
  public:
    using Datatype = backends::xnnpack::Datatype;
    using NodeKind = backends::xnnpack::NodeKind;
    using ValueIndex = backends::xnnpack::ValueIndex;

    ByteGraph() { payload.constants.resize(1); }

    ValueIndex add(Datatype type, Sizes sizes, Quantized quantization);
    ValueIndex addFloats(Sizes sizes);
    ValueIndex addInput(Datatype type, Sizes sizes, Quantized quantization);
    backends::xnnpack::PayloadNode& addNode(NodeKind kind, std::vector<ValueIndex> from, ValueIndex to);
    void end(ValueIndex output);
    [[nodiscard]] std::size_t bytesOf(ValueIndex value) const;

    /// Runs these inputs with one custom node.
    Bytes runOwn(const std::vector<Bytes>& inputs, std::size_t threadCount = 1);
    Bytes runLibrary(const std::vector<Bytes>& inputs);
    /// Runs the graph as the delegate does. Also returns the names of the operators.
    std::pair<Bytes, std::vector<std::string>> runGraph(const std::vector<Bytes>& inputs,
                                                        std::size_t threadCount);

    backends::xnnpack::Payload payload;
    backends::xnnpack::Shapes shapes;

  private:
    Bytes run(std::vector<Bytes> inputs, const std::function<void(std::span<void* const>)>& runner) const;

    std::optional<backends::xnnpack::ConstantData> constants;
};

[[nodiscard]] Bytes randomBytes(std::size_t count, unsigned seed);

}  // namespace et::test
