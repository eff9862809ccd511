#include "backends/native/lower/kept_quantization.h"

#include "runtime/core/element_types.h"
#include "runtime/core/gguf_blocks.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace et::backends::native {
namespace {

namespace source = et::native;
using core::Result;
using core::ScalarType;

constexpr std::string_view scaleEnding = ".scale_by_group";
constexpr std::string_view zeroEnding = ".zero_point_by_group";

/// Whether a value is only the weight of linear layers.
bool isLinearWeight(const source::Graph& graph, const std::string& name) {
    bool isRead = false;
    for (const source::Node& node : graph.nodes) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const auto* tensor = std::get_if<source::TensorName>(&node.inputs[i].value);
            const auto* list = std::get_if<source::TensorNames>(&node.inputs[i].value);
            const bool reads = (tensor != nullptr && tensor->name == name) ||
                               (list != nullptr && std::ranges::contains(list->names, name));
            if (reads && (node.target != "torch.ops.aten.linear.default" || i != 1)) {
                return false;
            }
            isRead = isRead || reads;
        }
    }
    return isRead;
}

source::TensorMeta metaOf(ScalarType type, std::vector<std::size_t> sizes) {
    source::TensorMeta meta{.scalarType = static_cast<std::int8_t>(type)};
    for (const std::size_t size : sizes) {
        meta.sizes.push_back(
            {.minimum = static_cast<std::int64_t>(size), .maximum = static_cast<std::int64_t>(size)});
    }
    return meta;
}

/// A name that the method does not have yet.
std::string newName(const source::Method& method, std::string name) {
    while (method.tensor(name) != nullptr) {
        name += '_';
    }
    return name;
}

/// Rows and columns of a matrix of fixed sizes.
std::optional<std::pair<std::size_t, std::size_t>> matrixSizes(const source::TensorMeta& meta) {
    const auto sizes = source::fixedSizes(meta);
    if (!sizes || sizes->size() != 2 || sizes->front() < 1 || sizes->back() < 1) {
        return std::nullopt;
    }
    return std::pair(static_cast<std::size_t>(sizes->front()), static_cast<std::size_t>(sizes->back()));
}

/// Rows of `perRow` elements as columns.
std::vector<std::byte> transposed(core::Bytes data, std::size_t rows, std::size_t perRow, std::size_t width) {
    std::vector<std::byte> turned(data.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < perRow; ++i) {
            std::memcpy(turned.data() + ((i * rows) + row) * width,
                        data.data() + ((row * perRow) + i) * width, width);
        }
    }
    return turned;
}

/// Adds an operator that computes the constant's values, and replaces the constant by its operands.
class Replacement {
  public:
    Replacement(source::Method& in, std::size_t at) : method(in), constant(in.constants[at]), index(at) {}

    void add(const std::string& parameter, const std::string& key, source::TensorMeta meta) {
        source::Constant operand{.name = newName(method, fmt::format("{}_{}", constant.name, parameter)),
                                 .key = key,
                                 .meta = std::move(meta),
                                 .kind = source::Constant::Kind::Buffer};
        node.inputs.push_back({.name = parameter, .value = source::TensorName{operand.name}});
        operands.push_back(std::move(operand));
    }
    void add(source::Argument argument) { node.inputs.push_back(std::move(argument)); }

    void finish(std::string_view target, ScalarType dtype, std::size_t rows, std::size_t columns) {
        node.inputs.push_back(
            {.name = "output_dtype", .value = source::ScalarTypeCode{static_cast<std::int8_t>(dtype)}});
        node.name = newName(method, constant.name + "_values");
        node.target = target;
        node.outputs = {{.kind = source::Output::Kind::Tensor, .name = constant.name}};
        method.graph.tensors.insert_or_assign(constant.name, metaOf(dtype, {rows, columns}));
        method.graph.nodes.insert(method.graph.nodes.begin(), std::move(node));
        operands.front().kind = constant.kind;
        method.constants.erase(method.constants.begin() + static_cast<std::ptrdiff_t>(index));
        method.constants.insert(method.constants.begin() + static_cast<std::ptrdiff_t>(index),
                                std::make_move_iterator(operands.begin()),
                                std::make_move_iterator(operands.end()));
    }

  private:
    source::Method& method;
    const source::Constant constant;  // a copy: the list changes
    std::size_t index;
    source::Node node;
    std::vector<source::Constant> operands;
};

/// The dtype of the layer that reads the weight.
ScalarType computedTypeOf(const source::Graph& graph, const std::string& name) {
    for (const source::Node& node : graph.nodes) {
        const auto* weight =
            node.inputs.size() > 1 ? std::get_if<source::TensorName>(&node.inputs[1].value) : nullptr;
        if (weight != nullptr && weight->name == name && !node.outputs.empty()) {
            const auto found = graph.tensors.find(node.outputs.front().name);
            if (found != graph.tensors.end()) {
                return static_cast<ScalarType>(found->second.scalarType);
            }
        }
    }
    return ScalarType::Float;
}

}  // namespace

std::optional<source::StoredTensor> KeptQuantization::stored(std::string_view key) const {
    const auto own = made.find(key);
    return own == made.end() ? find(key) : std::optional(source::StoredTensor{.data = own->second});
}

/// The operator wants parameters by group and unsigned integers. False: zero points that are no small
/// integers.
Result<bool> KeptQuantization::addParameters(const source::AffineGroups& groups, std::size_t rows,
                                             std::size_t perRow, const std::string& key) {
    const auto scales = find(groups.scaleKey);
    const std::size_t width = core::elementBytes(static_cast<ScalarType>(groups.scaleType));
    if (!scales || scales->data.size() != rows * perRow * width) {
        return core::fail(core::ErrorCode::NotFound, "its scales are missing");
    }
    std::vector<double> zeros(rows * perRow);
    if (!groups.zeroPointKey.empty()) {
        const auto points = find(groups.zeroPointKey);
        zeros = points ? source::firstNumbers(groups.zeroPointType, points->data, rows * perRow)
                       : std::vector<double>();
        if (zeros.size() != rows * perRow) {
            return core::fail(core::ErrorCode::NotFound, "its zero points are missing");
        }
    }
    std::vector<std::byte> offsets;
    for (const double zero : zeros) {
        const double offset = zero - groups.minimum;
        if (offset != std::floor(offset) || offset < 0 || offset > std::numeric_limits<std::int8_t>::max()) {
            return false;
        }
        offsets.push_back(static_cast<std::byte>(offset));
    }
    made[key + std::string(scaleEnding)] = transposed(scales->data, rows, perRow, width);
    made[key + std::string(zeroEnding)] = transposed(offsets, rows, perRow, 1);
    return true;
}

Result<> KeptQuantization::keep(source::Method& method, std::size_t index) {
    const source::Constant constant = method.constants[index];
    const auto sizes = matrixSizes(constant.meta);
    if (!sizes || constant.isMutable || !isLinearWeight(method.graph, constant.name)) {
        return {};
    }
    const auto [rows, columns] = *sizes;
    const ScalarType dtype = computedTypeOf(method.graph, constant.name);
    Replacement replacement(method, index);
    if (const auto* packed = std::get_if<source::PackedCodec>(&constant.meta.quantization)) {
        constexpr std::string_view prefix = "gguf:";
        const auto* layout = packed->codec.starts_with(prefix)
                                 ? core::ggufLayout(std::string_view(packed->codec).substr(prefix.size()))
                                 : nullptr;
        if (layout == nullptr || columns % layout->elements != 0) {
            return {};
        }
        const std::size_t bytes = columns / layout->elements * layout->bytes;
        replacement.add("weight", constant.key, metaOf(ScalarType::Byte, {rows, bytes}));
        replacement.add({.name = "ggml_type", .value = std::string(layout->name)});
        replacement.finish("torch.ops.torchao.dequantize_gguf.default", dtype, rows, columns);
        return {};
    }
    const auto& groups = std::get<source::AffineGroups>(constant.meta.quantization);
    constexpr unsigned bits = 4;
    const std::size_t group = groups.groupSize == 0 ? columns : static_cast<std::size_t>(groups.groupSize);
    if (source::bitsOf(groups) != bits || columns % 2 != 0 || columns % group != 0) {
        return {};
    }
    const std::size_t perRow = columns / group;
    ET_ASSIGN(const bool isAdded, addParameters(groups, rows, perRow, constant.key));
    if (!isAdded) {
        return {};
    }
    replacement.add("qdata", constant.key, metaOf(ScalarType::Byte, {rows, columns / 2}));
    replacement.add("scale", constant.key + std::string(scaleEnding),
                    metaOf(static_cast<ScalarType>(groups.scaleType), {perRow, rows}));
    replacement.add("zero_point", constant.key + std::string(zeroEnding),
                    metaOf(ScalarType::Char, {perRow, rows}));
    replacement.add(
        {.name = "group_size", .value = source::IntOrName{.value = static_cast<std::int64_t>(group)}});
    replacement.finish("torch.ops.torchao.dequantize_int4_tensor.default", dtype, rows, columns);
    return {};
}

Result<source::Program> KeptQuantization::changed(const source::Program& program) {
    source::Program copy = program;
    for (source::Method& method : copy.methods) {
        for (std::size_t i = method.constants.size(); i-- > 0;) {
            if (method.constants[i].meta.isQuantized()) {
                ET_TRY(keep(method, i));
            }
        }
    }
    return copy;
}

}  // namespace et::backends::native
