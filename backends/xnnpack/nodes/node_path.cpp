#include "backends/xnnpack/nodes/node_path.h"

#include "backends/xnnpack/nodes/byte_nodes.h"

#include <algorithm>

namespace et::backends::xnnpack {
namespace {

bool touchesHalf(const Payload& payload, const PayloadNode& node) {
    const auto ofHalf = [&](ValueIndex value) {
        return value != noValue && payload.value(value).datatype == Datatype::Fp16;
    };
    return std::ranges::any_of(node.inputs, ofHalf) || std::ranges::any_of(node.outputs, ofHalf);
}

bool isHalf(Datatype type) {
    return type == Datatype::Fp16 || type == Datatype::BFloat16;
}

/// A matrix product that a custom kernel supports.
bool isProductOfRows(const Payload& payload, const PayloadNode& node) {
    if (node.traits->form() != NodeForm::FullyConnected || node.flags != 0) {
        return false;
    }
    const PayloadValue& weights = payload.value(node.inputs[1]);
    switch (payload.value(node.inputs[0]).datatype) {
        case Datatype::QDInt8:
            return weights.datatype == Datatype::QCInt8 || weights.datatype == Datatype::QCInt4 ||
                   weights.datatype == Datatype::QBInt4;
        case Datatype::Fp16:
            return weights.datatype == Datatype::Fp16 && weights.constant != 0;
        default:
            return false;
    }
}

/// Properties of a dynamically quantized value.
struct Quantized {
    const PayloadNode* writer = nullptr;
    bool isRead = false;
    bool onlyByProducts = true;  ///< only read by products that a custom kernel supports
    bool onlyAsWhole = true;     ///< only read by products for which, by their handles, PyTorch quantized the
                                 ///< whole input
};

class Paths {
  public:
    Paths(const Payload& from, bool widen) : payload(from), widenHalf(widen), quantized(from.values.size()) {}

    std::vector<NodePath> find() {
        for (const PayloadNode& node : payload.nodes) {
            note(node);
        }
        std::vector<NodePath> paths;
        paths.reserve(payload.nodes.size());
        for (const PayloadNode& node : payload.nodes) {
            paths.push_back(pathOf(node));
        }
        return paths;
    }

  private:
    void note(const PayloadNode& node) {
        const bool isProduct = isProductOfRows(payload, node);
        for (const ValueIndex input : node.inputs) {
            if (input == noValue || quantized[input].writer == nullptr) {
                continue;
            }
            Quantized& read = quantized[input];
            read.isRead = true;
            read.onlyByProducts = read.onlyByProducts && isProduct;
            read.onlyAsWhole = read.onlyAsWhole && isProduct && isOfWhole(*read.writer, node);
        }
        if (payload.value(node.outputs[0]).datatype == Datatype::QDInt8) {
            quantized[node.outputs[0]].writer = &node;
        }
    }

    [[nodiscard]] bool isOfWhole(const PayloadNode& quantization, const PayloadNode& product) const {
        const std::uint32_t handle = quantization.debugHandle;
        return handle != noDebugHandle && payload.value(product.inputs[1]).datatype == Datatype::QCInt4 &&
               (product.debugHandle == handle + 1 || product.debugHandle == noDebugHandle);
    }

    /// Path of the node that quantizes a value and of its readers.
    [[nodiscard]] NodePath pathOfQuantized(const Quantized& value) const {
        if (value.writer == nullptr || !value.isRead || !value.onlyByProducts) {
            return NodePath::Library;
        }
        if (value.onlyAsWhole) {
            return NodePath::CustomWhole;
        }
        return isHalf(payload.value(value.writer->inputs[0]).datatype) ? NodePath::Own : NodePath::Library;
    }

    [[nodiscard]] NodePath pathOf(const PayloadNode& node) const {
        if (isSumOfDistantScales(payload, node)) {
            return NodePath::Own;
        }
        NodePath path = pathOfQuantized(quantized[node.outputs[0]]);
        if (path == NodePath::Library && node.inputs[0] != noValue) {
            path = pathOfQuantized(quantized[node.inputs[0]]);
        }
        if (path != NodePath::Library || widenHalf || node.traits->isExactInHalf ||
            !touchesHalf(payload, node)) {
            return path;
        }
        // Values that the library quantizes can only be read by the library.
        const bool isQuantized = payload.value(node.inputs[0]).datatype == Datatype::QDInt8;
        return isProductOfRows(payload, node) && !isQuantized ? NodePath::Own : NodePath::LibraryInFloat;
    }

    const Payload& payload;
    bool widenHalf;
    std::vector<Quantized> quantized;  ///< by ValueIndex
};

}  // namespace

std::vector<NodePath> pathsOf(const Payload& payload, bool widenHalf) {
    return Paths(payload, widenHalf).find();
}

}  // namespace et::backends::xnnpack
