#include "backends/xnnpack/delegate/describe.h"

#include "backends/payload_data.h"
#include "backends/xnnpack/format/payload_parts.h"
#include "backends/xnnpack/format/read_payload.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::GraphAttribute;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using Attributes = std::vector<GraphAttribute>;

std::string listText(const PayloadDims& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string pairText(const HeightWidth& pair) {
    return fmt::format("[{}, {}]", pair.height, pair.width);
}

std::string paddingText(const ImagePadding& padding) {
    return fmt::format("top {}, right {}, bottom {}, left {}", padding.top, padding.right, padding.bottom,
                       padding.left);
}

/// Formats the fields of a node as attributes, by the alternative of its form.
struct FieldsText {
    Attributes operator()(std::monostate) const { return {}; }
    Attributes operator()(const ConvolutionFields& fields) const {
        return {{"kernel", pairText(fields.kernel)},
                {"stride", pairText(fields.stride)},
                {"padding", paddingText(fields.padding)},
                {"dilation", pairText(fields.dilation)},
                {"output padding", pairText(fields.adjustment)},
                {"groups", fmt::to_string(fields.groups)},
                {"input channels a group", fmt::to_string(fields.groupInputChannels)},
                {"output channels a group", fmt::to_string(fields.groupOutputChannels)}};
    }
    Attributes operator()(const PoolingFields& fields) const {
        return {{"window", pairText(fields.window)},
                {"stride", pairText(fields.stride)},
                {"padding", paddingText(fields.padding)},
                {"dilation", pairText(fields.dilation)}};
    }
    Attributes operator()(const TransposeFields& fields) const { return {{"order", listText(fields.order)}}; }
    Attributes operator()(const ReshapeFields& fields) const { return {{"sizes", listText(fields.sizes)}}; }
    Attributes operator()(const SliceFields& fields) const {
        return {{"offsets", listText(fields.offsets)}, {"sizes", listText(fields.sizes)}};
    }
    Attributes operator()(const PadFields& fields) const {
        return {{"before", listText(fields.before)},
                {"after", listText(fields.after)},
                {"value", fmt::to_string(fields.value)}};
    }
    Attributes operator()(const ResizeFields& fields) const { return {{"size", pairText(fields.size)}}; }
    Attributes operator()(const ConcatenateFields& fields) const {
        return {{"axis", fmt::to_string(fields.axis)}};
    }
    Attributes operator()(const NumberFields& fields) const {
        return {{"value", fmt::to_string(fields.value)}};
    }
};

template <class T>
std::string scalesText(const std::vector<T>& scales, std::uint32_t count) {
    if (scales.empty()) {
        return fmt::format("{}, in a constant", count);
    }
    const auto [min, max] = std::ranges::minmax(scales);
    return fmt::format("{} from {} to {}", count, min, max);
}

/// A bfloat16 is the upper half of a float.
std::vector<float> toFloats(const std::vector<std::uint16_t>& halves) {
    std::vector<float> floats;
    floats.reserve(halves.size());
    for (const std::uint16_t half : halves) {
        floats.push_back(std::bit_cast<float>(std::uint32_t{half} << 16U));
    }
    return floats;
}

struct QuantizationText {
    Attributes operator()(std::monostate) const { return {}; }
    Attributes operator()(const PerTensorQuantization& how) const {
        return {{"quantization", "per tensor"},
                {"scale", fmt::to_string(how.scale)},
                {"zero point", fmt::to_string(how.zeroPoint)}};
    }
    Attributes operator()(const PerChannelQuantization& how) const {
        return {{"quantization", fmt::format("per channel of dimension {}", how.channelDim)},
                {"scales", scalesText(how.scales, how.scaleCount)}};
    }
    Attributes operator()(const PerTokenQuantization& how) const {
        return {{"quantization", fmt::format("at run time, over the last {} dimensions", how.nonbatchDims)}};
    }
    Attributes operator()(const BlockwiseQuantization& how) const {
        return {{"quantization",
                 fmt::format("blocks of {} along channels of dimension {}", how.blockSize, how.channelDim)},
                {"scales", scalesText(toFloats(how.scales), how.scaleCount)}};
    }
};

/// Returns 0 if the datatype is not stored as elements.
std::uint64_t bytesOf(const PayloadValue& value) {
    const DatatypeInfo* traits = datatypeInfo(value.datatype);
    return traits == nullptr ? 0 : denseBytes(traits->bits, value.sizes);
}

GraphValue::Role roleOf(const PayloadValue& value) {
    if (value.constant != 0) {
        return GraphValue::Role::Constant;
    }
    if (value.isInput) {
        return GraphValue::Role::Input;
    }
    return value.isOutput ? GraphValue::Role::Output : GraphValue::Role::Intermediate;
}

class Describer {
  public:
    Describer(const Payload& from, const executor::NamedDataSource& source)
        : payload(from), namedData(source) {}

    core::ModelGraph describe() {
        for (const PayloadValue& value : payload.values) {
            graph.addValue(describeValue(value));
        }
        for (std::size_t i = 0; i < payload.nodes.size(); ++i) {
            graph.addNode(describeNode(payload.nodes[i], i));
        }
        return std::move(graph);
    }

  private:
    [[nodiscard]] GraphValue describeValue(const PayloadValue& value) const {
        GraphValue out{.name = fmt::format("v{}", value.id),
                       .type = fmt::format("{} {}", datatypeName(value.datatype), listText(value.sizes)),
                       .role = roleOf(value),
                       .bytes = bytesOf(value),
                       .attributes = std::visit(QuantizationText{}, value.quantization)};
        if (value.externalId) {
            out.attributes.push_back({"argument", fmt::to_string(*value.externalId)});
        }
        if (value.constant != 0 && value.constant < payload.constants.size()) {
            describeConstant(payload.constants[value.constant], out);
        }
        return out;
    }

    void describeConstant(const PayloadConstant& constant, GraphValue& out) const {
        if (constant.name.empty()) {
            out.bytes = constant.data.empty() ? out.bytes : constant.data.size();
            out.data = constant.data;
            return;
        }
        describeNamedConstant(constant.name, namedData, out);
    }

    [[nodiscard]] static std::vector<GraphValueId> ids(const NodeValues& values) {
        std::vector<GraphValueId> out;
        for (const ValueIndex value : values) {
            if (value != noValue) {
                out.emplace_back(value);
            }
        }
        return out;
    }

    [[nodiscard]] static GraphNode describeNode(const PayloadNode& node, std::size_t position) {
        GraphNode out{.name = fmt::format("n{}", position),
                      .kind = std::string(node.traits->name),
                      .cost = node.traits->functions->cost,
                      .inputs = ids(node.inputs),
                      .outputs = ids(node.outputs),
                      .inputNames = node.traits->functions->inputNames,
                      .attributes = std::visit(FieldsText{}, node.fields)};
        if (node.debugHandle != noDebugHandle) {
            out.debugHandles.emplace_back(std::int64_t{node.debugHandle});
        }
        if (node.range) {
            out.attributes.push_back({"range", fmt::format("[{}, {}]", node.range->min, node.range->max)});
        }
        if (std::ranges::contains(node.inputs, noValue)) {
            out.attributes.push_back({"bias", "none"});
        }
        std::vector<std::string_view> flags;
        for (const NodeFlag& flag : node.traits->functions->flags) {
            if ((node.flags & flag.bit) != 0) {
                flags.push_back(flag.name);
            }
        }
        if (!flags.empty()) {
            out.attributes.push_back({"flags", fmt::format("{}", fmt::join(flags, ", "))});
        }
        return out;
    }

    const Payload& payload;
    const executor::NamedDataSource& namedData;
    core::ModelGraph graph;
};

}  // namespace

core::ModelGraph describe(const Payload& payload, const executor::NamedDataSource& namedData) {
    return Describer(payload, namedData).describe();
}

core::Result<core::ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& namedData) {
    return readPayload(payload).transform([&](const Payload& read) { return describe(read, namedData); });
}

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& namedData,
                            PayloadContents& contents) {
    ET_ASSIGN(const Payload payload, readPayload(delegate.payload));
    ET_TRY(addDescribed(delegate.payload, contents.described));
    contents.addConstants(describe(payload, namedData));
    return {};
}

}  // namespace et::backends::xnnpack
