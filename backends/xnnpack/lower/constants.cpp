#include "backends/xnnpack/lower/constants.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/permute_elements.h"
#include "backends/xnnpack/lower/dim_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Node;
using reference::ReferenceTensor;

namespace {

/// Operators that keep the elements in their row-major order and give them other sizes.
constexpr std::array<std::string_view, 6> reshaping{"aten.view_copy.default",  "aten.unsqueeze_copy.default",
                                                    "aten.squeeze_copy.dims",  "aten.squeeze_copy.default",
                                                    "aten.alias_copy.default", "aten._unsafe_view.default"};

constexpr int maxFoldedNodes = 64;  ///< behind one another

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

bool Constants::has(std::string_view value) const {
    for (int depth = 0; depth < maxFoldedNodes; ++depth) {
        if (method.isConstant(value)) {
            return true;
        }
        const auto producer = method.producer(value);
        if (!producer || !isMoving(method.node(*producer))) {
            return false;
        }
        value = lowering::valueName(lowering::findArgument(method.node(*producer), "self"));
    }
    return false;
}

bool Constants::isFolded(const Node& node) const {
    return isMoving(node) && has(lowering::firstResult(node));
}

Result<ReferenceTensor> Constants::get(std::string_view value) {
    const auto found = known.find(value);
    if (found != known.end()) {
        return found->second;
    }
    ET_ASSIGN(ReferenceTensor made, make(value));
    known.emplace(value, made);
    return made;
}

Result<ReferenceTensor> Constants::make(std::string_view value) {
    if (!has(value)) {
        return fail(ErrorCode::InvalidArgument, fmt::format("\"{}\" is no constant", core::printable(value)));
    }
    if (method.isConstant(value)) {
        return method.tensor(value);
    }
    const Node& node = method.node(*method.producer(value));
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
                    fmt::format("\"{}\" has not as many elements as the tensor that it is a view of",
                                core::printable(value)));
    }
    ET_ASSIGN(core::Tensor view, core::Tensor::make(from.view.dtype(), sizes, from.view.raw()));
    return ReferenceTensor{.view = view, .owner = from.owner};
}

}  // namespace et::backends::xnnpack
