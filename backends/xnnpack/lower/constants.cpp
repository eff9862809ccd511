#include "backends/xnnpack/lower/constants.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/permute_elements.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Node;
using reference::ReferenceTensor;

namespace {

/// Operators that keep the row-major elements and change the sizes.
constexpr std::array<std::string_view, 6> reshaping{"aten.view_copy.default",  "aten.unsqueeze_copy.default",
                                                    "aten.squeeze_copy.dims",  "aten.squeeze_copy.default",
                                                    "aten.alias_copy.default", "aten._unsafe_view.default"};

constexpr int maxFoldedNodes = 64;  ///< in a chain

bool isMoving(const Node& node) {
    return std::ranges::contains(reshaping, node.op) || permutedDims(node, 0).has_value();
}

Result<ReferenceTensor> owned(const core::Tensor& like, std::span<const std::int64_t> sizes,
                              std::vector<std::byte> bytes) {
    const auto owner = std::make_shared<std::vector<std::byte>>(std::move(bytes));
    ET_ASSIGN(core::Tensor view, core::Tensor::make(like.dtype(), sizes, owner->data()));
    return ReferenceTensor{.view = view, .owner = owner};
}

}  // namespace

/// Whether a dequantizing node reads only constants.
bool Constants::isDequantized(const Node& node) const {
    const QuantizerKind kind = quantizerKind(method, node);
    if (kind != QuantizerKind::Dequantize && kind != QuantizerKind::DequantizeChannels &&
        kind != QuantizerKind::DequantizeBlocks) {
        return false;
    }
    return std::ranges::all_of(node.inputs, [&](const etrecord::Argument& argument) {
        const std::string_view name = lowering::valueName(&argument);
        return name.empty() || method.isConstant(name);
    });
}

/// Whether other operators compute the results from constants.
bool Constants::isComputed(const Node& node) const {
    return quantizerKind(method, node) == QuantizerKind::None &&
           computed.isSmall(static_cast<lowering::NodeIndex>(&node - method.graph().nodes.data()));
}

bool Constants::has(std::string_view value) const {
    for (int depth = 0; depth < maxFoldedNodes; ++depth) {
        if (method.isConstant(value)) {
            return true;
        }
        const auto producer = method.producer(value);
        if (!producer || !isMoving(method.node(*producer))) {
            return producer && (isDequantized(method.node(*producer)) || isComputed(method.node(*producer)));
        }
        value = lowering::valueName(lowering::findArgument(method.node(*producer), "self"));
    }
    return false;
}

bool Constants::isFolded(const Node& node) const {
    const std::string_view result = lowering::firstResult(node);
    return (isMoving(node) || isDequantized(node) || (isComputed(node) && !method.isOutput(result))) &&
           has(result);
}

Result<ReferenceTensor> Constants::get(std::string_view value) {
    const auto found = known.find(value);
    if (found != known.end()) {
        return found->second;
    }
    ET_ASSIGN(ReferenceTensor made, make(value));
    if (const auto* meta = method.meta(value); meta == nullptr || !lowering::describes(*meta, made.view)) {
        return fail(ErrorCode::Mismatch, fmt::format("the value \"{}\" is {}, which contradicts the graph",
                                                     core::printable(value), core::describe(made.view)));
    }
    keep(value, made);
    return made;
}

/// Together, the weights of a model are as large as its program, so only the last large ones stay in memory.
void Constants::keep(std::string_view value, const ReferenceTensor& tensor) {
    constexpr std::size_t smallBytes = std::size_t{64} * 1024;
    constexpr std::size_t maxLarge = 4;
    known.emplace(value, tensor);
    if (tensor.view.bytes() <= smallBytes) {
        return;
    }
    large.emplace_back(value);
    if (large.size() > maxLarge) {
        known.erase(large.front());
        large.pop_front();
    }
}

namespace {

/// Maps an element to the index of its scale.
class ScaleIndex {
  public:
    /// `block`: number of elements that share a scale, per dimension; it divides the sizes.
    ScaleIndex(std::span<const std::int64_t> of, std::vector<std::int64_t> block)
        : sizes(of.begin(), of.end()), blocks(std::move(block)) {}

    [[nodiscard]] std::size_t at(std::int64_t element) const {
        std::int64_t index = 0;
        std::int64_t factor = 1;
        for (std::size_t i = sizes.size(); i-- > 0;) {
            index += element % sizes[i] / blocks[i] * factor;
            element /= sizes[i];
            factor *= sizes[i] / blocks[i];
        }
        return static_cast<std::size_t>(index);
    }
    [[nodiscard]] std::size_t count() const {
        std::int64_t product = 1;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            product *= sizes[i] / blocks[i];
        }
        return static_cast<std::size_t>(product);
    }

  private:
    std::vector<std::int64_t> sizes, blocks;
};

/// Number of elements that share a scale, per dimension; nothing if unknown.
std::optional<std::vector<std::int64_t>> sharedBlock(const Node& node, QuantizerKind kind,
                                                     const core::Tensor& elements) {
    std::vector<std::int64_t> block(elements.sizes().begin(), elements.sizes().end());
    if (kind == QuantizerKind::DequantizeChannels) {
        const auto axis = frontDim(lowering::integerArgument(node, "axis").value_or(-1), block.size());
        if (!axis) {
            return std::nullopt;
        }
        block[*axis] = 1;
    } else if (kind == QuantizerKind::DequantizeBlocks) {
        auto given = lowering::integersArgument(node, "block_size");
        if (!given || given->size() != block.size()) {
            return std::nullopt;
        }
        block = *std::move(given);
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] < 1 || elements.size(i) % block[i] != 0) {
            return std::nullopt;
        }
    }
    return block;
}

/// Elements of a numeric tensor as doubles; nothing for an unsupported dtype.
std::optional<std::vector<double>> numbersOf(const core::Tensor& tensor) {
    return core::visitRealType(
        tensor.dtype(),
        [&]<class T>(std::type_identity<T>) -> std::optional<std::vector<double>> {
            const std::span<const T> elements(tensor.data<T>(), static_cast<std::size_t>(tensor.numel()));
            std::vector<double> numbers;
            numbers.reserve(elements.size());
            std::ranges::transform(elements, std::back_inserter(numbers),
                                   [](T element) { return static_cast<double>(element); });
            return numbers;
        },
        []() -> std::optional<std::vector<double>> { return std::nullopt; });
}

}  // namespace

/// A single number of the node, or the elements of the tensor that it names.
Result<std::vector<double>> Constants::numbers(const Node& node, std::string_view argument,
                                               std::size_t count) {
    const std::string_view name = lowering::valueName(lowering::findArgument(node, argument));
    if (name.empty()) {
        return std::vector<double>(count, lowering::numberArgument(node, argument).value_or(0));
    }
    ET_ASSIGN(const ReferenceTensor tensor, get(name));
    auto found = numbersOf(tensor.view);
    if (!found || found->size() != count) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("node {}: expected {} numbers in \"{}\", got {}", core::printable(node.name),
                                count, core::printable(name), core::describe(tensor.view)));
    }
    return *std::move(found);
}

Result<ReferenceTensor> Constants::dequantized(const Node& node) {
    const QuantizerKind kind = quantizerKind(method, node);
    ET_ASSIGN(const ReferenceTensor elements,
              get(lowering::valueName(lowering::findArgument(node, "input"))));
    const auto block = sharedBlock(node, kind, elements.view);
    const auto integers = numbersOf(elements.view);
    if (!block || !integers) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("node {}: it dequantizes {}{}", core::printable(node.name),
                                core::describe(elements.view), block ? "" : " in blocks that do not fit"));
    }
    const ScaleIndex index(elements.view.sizes(), *block);
    const bool channels = kind == QuantizerKind::DequantizeChannels;
    ET_ASSIGN(const auto scales, numbers(node, channels ? "scales" : "scale", index.count()));
    ET_ASSIGN(const auto zeros, numbers(node, channels ? "zero_points" : "zero_point", index.count()));
    const auto* meta = method.meta(lowering::firstResult(node));
    const auto declared = meta == nullptr ? core::ScalarType::Float : core::ScalarType{meta->scalarType};
    const auto dtype = core::isReducedFloat(declared) ? declared : core::ScalarType::Float;
    const auto bytes = core::visitRealType(
        dtype,
        [&]<class T>(std::type_identity<T>) {
            std::vector<std::byte> made(integers->size() * sizeof(T));
            for (std::size_t i = 0; i < integers->size(); ++i) {
                const std::size_t at = index.at(static_cast<std::int64_t>(i));
                const auto number =
                    static_cast<T>(static_cast<float>(((*integers)[i] - zeros[at]) * scales[at]));
                std::memcpy(made.data() + i * sizeof(T), &number, sizeof(T));
            }
            return made;
        },
        [] { return std::vector<std::byte>(); });
    ET_ASSIGN(const core::Tensor like, core::Tensor::make(dtype, elements.view.sizes(), nullptr));
    return owned(like, elements.view.sizes(), bytes);
}

Result<ReferenceTensor> Constants::evaluated(const Node& node, std::string_view value) {
    ET_ASSIGN(const auto made,
              computed.compute(static_cast<lowering::NodeIndex>(&node - method.graph().nodes.data())));
    const auto found = made.find(value);
    if (found == made.end()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is not a result of its node", core::printable(value)));
    }
    return *found->second.as<ReferenceTensor>();
}

Result<ReferenceTensor> Constants::make(std::string_view value) {
    if (!has(value)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is not a constant", core::printable(value)));
    }
    if (method.isConstant(value)) {
        return method.tensor(value);
    }
    const Node& node = method.node(*method.producer(value));
    if (!isMoving(node)) {
        return isDequantized(node) ? dequantized(node) : evaluated(node, value);
    }
    ET_ASSIGN(const ReferenceTensor from, get(lowering::valueName(lowering::findArgument(node, "self"))));
    if (const auto dims = permutedDims(node, from.view.dim())) {
        std::vector<std::int64_t> sizes;
        for (const std::uint8_t dim : *dims) {
            sizes.push_back(from.view.size(dim));
        }
        return owned(from.view, sizes,
                     lowering::permuteElements(from.view.rawBytes(), from.view.elementSize(),
                                               from.view.sizes(), *dims));
    }
    std::vector<std::int64_t> sizes;
    if (const auto* meta = method.meta(value)) {
        std::ranges::transform(meta->sizes, std::back_inserter(sizes), &etrecord::SymInt::value);
    }
    const auto bytes = core::tensorBytes(std::to_underlying(from.view.dtype()), sizes);
    if (!bytes || std::cmp_not_equal(*bytes, from.view.bytes())) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" does not have as many elements as the tensor that it views",
                                core::printable(value)));
    }
    ET_ASSIGN(core::Tensor view, core::Tensor::make(from.view.dtype(), sizes, from.view.raw()));
    return ReferenceTensor{.view = view, .owner = from.owner};
}

}  // namespace et::backends::xnnpack
