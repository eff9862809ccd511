#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

// Operators of the ATen dialect that only rearrange, convert or join elements.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Numbers = std::vector<std::int64_t>;

/// Converts the tensor to the dtype of the graph; returns it unchanged if it has that dtype.
Composed convert(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    return gives(calls.converted(self, resultTypeOf(results, arguments)));
}

Composed same(Calls&, Arguments arguments, Kinds) {
    return gives(tensorOf(arguments[0]));
}

Composed dropout(Calls&, Arguments arguments, Kinds) {
    if (isTrue(arguments[2])) {
        return core::fail(ErrorCode::Unsupported, "dropout in training mode uses PyTorch's random numbers");
    }
    return gives(tensorOf(arguments[0]));
}

Result<ReferenceTensor> reshaped(Calls& calls, const ReferenceTensor& tensor, const Numbers& sizes) {
    return calls.tensor("aten.view_copy.default", {{tensor}, listOf(sizes)}, tensor.view.dtype());
}

Composed reshape(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const Numbers sizes, integersOf(arguments[1]));
    return gives(reshaped(calls, self, sizes));
}

Composed viewAs(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const auto other, tensorOf(arguments[1]));
    return gives(reshaped(calls, self, sizesOf(other)));
}

Composed expandAs(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const auto other, tensorOf(arguments[1]));
    return gives(
        calls.tensor("aten.expand_copy.default", {{self}, listOf(sizesOf(other))}, self.view.dtype()));
}

Composed flatten(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t start, integerOf(arguments[1]));
    ET_ASSIGN(const std::int64_t end, integerOf(arguments[2]));
    ET_ASSIGN(const std::size_t first, dimensionOf(start, self.view.dim()));
    ET_ASSIGN(const std::size_t last, dimensionOf(end, self.view.dim()));
    if (first > last) {
        return core::fail(ErrorCode::InvalidArgument, "expected end_dim not before start_dim");
    }
    const Numbers old = sizesOf(self);
    if (old.empty()) {
        return gives(reshaped(calls, self, {1}));
    }
    const auto at = [&](std::size_t index) { return old.begin() + static_cast<std::ptrdiff_t>(index); };
    Numbers sizes(old.begin(), at(first));
    sizes.push_back(std::accumulate(at(first), at(last + 1), std::int64_t{1}, std::multiplies<>()));
    sizes.insert(sizes.end(), at(last + 1), old.end());
    return gives(reshaped(calls, self, sizes));
}

Composed unflatten(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[1]));
    ET_ASSIGN(const Numbers parts, integersOf(arguments[2]));
    ET_ASSIGN(const std::size_t at, dimensionOf(dim, self.view.dim()));
    Numbers sizes = sizesOf(self);
    if (sizes.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "expected a tensor with dimensions");
    }
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at));
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), parts.begin(), parts.end());
    return gives(reshaped(calls, self, sizes));
}

/// Dimensions in reverse order: tensor.T
Composed reversed(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    Numbers dims(self.view.dim());
    std::ranges::generate(dims, [next = std::ssize(dims)]() mutable { return --next; });
    return gives(calls.tensor("aten.permute_copy.default", {{self}, listOf(dims)}, self.view.dtype()));
}

/// The last two dimensions swapped: tensor.mT
Composed matrixTransposed(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    return gives(calls.tensor("aten.transpose_copy.int", {{self}, {std::int64_t{-2}}, {std::int64_t{-1}}},
                              self.view.dtype()));
}

Composed movedim(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t source, integerOf(arguments[1]));
    ET_ASSIGN(const std::int64_t destination, integerOf(arguments[2]));
    ET_ASSIGN(const std::size_t from, dimensionOf(source, self.view.dim()));
    ET_ASSIGN(const std::size_t to, dimensionOf(destination, self.view.dim()));
    Numbers dims(self.view.dim());
    std::iota(dims.begin(), dims.end(), 0);
    if (dims.size() > 1) {
        dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(from));
        dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(to), static_cast<std::int64_t>(from));
    }
    return gives(calls.tensor("aten.permute_copy.default", {{self}, listOf(dims)}, self.view.dtype()));
}

/// Swaps two dimensions.
Composed swapped(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    return gives(
        calls.tensor("aten.transpose_copy.int", {{self}, arguments[1], arguments[2]}, self.view.dtype()));
}

Composed broadcast(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    return gives(calls.tensor("aten.expand_copy.default", {{self}, arguments[1]}, self.view.dtype()));
}

Composed ravel(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    return gives(reshaped(calls, self, {-1}));
}

/// Splits into equal chunks; the last one may be smaller.
Composed chunk(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t chunks, integerOf(arguments[1]));
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[2]));
    ET_ASSIGN(const std::size_t at, dimensionOf(dim, self.view.dim()));
    if (chunks < 1 || self.view.dim() == 0) {
        return core::fail(ErrorCode::InvalidArgument,
                          "expected at least one part of a tensor with dimensions");
    }
    const std::int64_t size = self.view.size(at);
    const std::int64_t part = std::max<std::int64_t>(size / chunks + (size % chunks == 0 ? 0 : 1), 1);
    const std::array<ReferenceValue, 3> inner{arguments[0], {part}, arguments[2]};
    return calls.several("aten.split_copy.Tensor", inner, results);
}

Composed splitBySizes(Calls& calls, Arguments arguments, Kinds results) {
    return calls.several("aten.split_with_sizes_copy.default", arguments, results);
}

/// Repeats every element `repeats` times consecutively along `dim`.
Composed repeatInterleave(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t repeats, integerOf(arguments[1]));
    if (isNone(arguments[2])) {
        ET_ASSIGN(self, reshaped(calls, self, {-1}));
    }
    ET_ASSIGN(const std::int64_t dim,
              isNone(arguments[2]) ? Result<std::int64_t>(0) : integerOf(arguments[2]));
    ET_ASSIGN(const std::size_t at, dimensionOf(dim, self.view.dim()));
    Numbers sizes = sizesOf(self);
    std::int64_t whole = 0;
    if (repeats < 0 || sizes.empty() || __builtin_mul_overflow(sizes[at], repeats, &whole)) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("cannot repeat elements {} times", repeats));
    }
    const ScalarType dtype = self.view.dtype();
    const auto next = static_cast<std::int64_t>(at) + 1;
    ET_ASSIGN(auto apart, calls.tensor("aten.unsqueeze_copy.default", {{self}, {next}}, dtype));
    Numbers wide = sizes;
    wide.insert(wide.begin() + next, repeats);
    ET_ASSIGN(auto repeated, calls.tensor("aten.expand_copy.default", {{apart}, listOf(wide)}, dtype));
    sizes[at] = whole;
    return gives(reshaped(calls, repeated, sizes));
}

/// Padding with a constant; other modes are separate operators.
Composed pad(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const Numbers padding, integersOf(arguments[1]));
    const auto* mode = arguments[2].as<std::string>();
    const ScalarType dtype = resultTypeOf(results, arguments);
    if (mode == nullptr || *mode == "constant") {
        const ReferenceValue value = isNone(arguments[3]) ? ReferenceValue{0.0} : arguments[3];
        return gives(calls.tensor("aten.constant_pad_nd.default", {{self}, arguments[1], value}, dtype));
    }
    const std::string_view kind = *mode == "reflect"     ? "reflection"
                                  : *mode == "replicate" ? "replication"
                                                         : "";
    if (kind.empty()) {
        return core::fail(ErrorCode::Unsupported, fmt::format("padding mode \"{}\"", core::printable(*mode)));
    }
    return gives(calls.tensor(fmt::format("aten.{}_pad{}d.default", kind, padding.size() / 2),
                              {{self}, arguments[1]}, dtype));
}

constexpr Operator composedShapesRows[] = {
    {"aten.to.dtype", "self dtype non_blocking=False copy=False", "", convert, true},
    {"aten.to.dtype_layout", "self non_blocking=False copy=False", "", convert, true},
    {"aten.to.device", "self non_blocking=False copy=False", "", convert, true},
    {"aten.to.other", "self other non_blocking=False copy=False", "", convert, true},
    {"aten.type_as.default", "self other", "", convert, true},
    {"aten.contiguous.default", "self", "", same, true},
    {"aten.dropout.default", "input p train", "", dropout, true},
    {"aten.feature_dropout.default", "input p train", "", dropout, true},
    {"aten.alpha_dropout.default", "input p train", "", dropout, true},
    {"aten.reshape.default", "self shape", "", reshape, true},
    {"aten.view_as.default", "self other", "", viewAs, true},
    {"aten.expand_as.default", "self other", "", expandAs, true},
    {"aten.flatten.using_ints", "self start_dim=0 end_dim=-1", "", flatten, true},
    {"aten.unflatten.int", "self dim sizes", "", unflatten, true},
    {"aten.numpy_T.default", "self", "", reversed, true},
    {"aten.mT.default", "self", "", matrixTransposed, true},
    {"aten.movedim.int", "self source destination", "", movedim, true},
    {"aten.moveaxis.int", "self source destination", "", movedim, true},
    {"aten.swapaxes.default", "self axis0 axis1", "", swapped, true},
    {"aten.swapdims.default", "self dim0 dim1", "", swapped, true},
    {"aten.broadcast_to.default", "self size", "", broadcast, true},
    {"aten.ravel.default", "self", "", ravel, true},
    {"aten.positive.default", "self", "", same, true},
    {"aten.chunk.default", "self chunks dim=0", "", chunk, true},
    {"aten.unsafe_chunk.default", "self chunks dim=0", "", chunk},
    {"aten.split.sizes", "self split_size dim=0", "", splitBySizes, true},
    {"aten.repeat_interleave.self_int", "self repeats dim=None output_size=None", "", repeatInterleave},
    {"aten.pad.default", "self pad mode=constant value=None", "", pad},
};

}  // namespace

std::span<const Operator> composedShapes() {
    return composedShapesRows;
}

}  // namespace et::backends::reference
