#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

// Operators of MLX delegates that ATen lacks, by the definitions of MLX (mlx/ops.cpp, mlx/fast.cpp,
// mlx/random.cpp, https://github.com/ml-explore/mlx). Payloads are converted to them by backends/mlx/lower.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using Sizes = std::vector<std::int64_t>;

Result<std::size_t> axisIn(const ReferenceValue& axis, const ReferenceTensor& tensor) {
    ET_ASSIGN(const std::int64_t number, integerOf(axis));
    return dimensionOf(number, tensor.view.dim());
}

/// The elements as `T`, row-major; `keep` owns them.
template <class T>
Result<std::span<const T>> elementsAs(Calls& calls, const ReferenceTensor& tensor, ScalarType dtype,
                                      ReferenceTensor& keep) {
    ET_ASSIGN(keep, calls.converted(tensor, dtype));
    ET_ASSIGN(keep, calls.rowMajor(keep));
    return std::span(keep.view.data<T>(), static_cast<std::size_t>(keep.view.numel()));
}

/// Result of an operator that writes `T`, in the dtype of the result.
template <class T>
Composed filledWith(Calls& calls, ScalarType from, ScalarType to, const Sizes& sizes,
                    const std::function<Result<>(std::span<T>)>& fill) {
    ET_ASSIGN(ResultTensor made, calls.empty(from, sizes));
    ET_TRY(fill(std::span(made.tensor.mutableData<T>(), static_cast<std::size_t>(made.tensor.numel()))));
    const ReferenceTensor finished = std::move(made).finish();
    return gives(calls.converted(finished, to));
}

Result<ReferenceTensor> indexed(Calls& calls, const ReferenceTensor& self, std::size_t axis,
                                std::span<const std::int64_t> rows) {
    const Sizes count{static_cast<std::int64_t>(rows.size())};
    ET_ASSIGN(ResultTensor index, calls.empty(ScalarType::Long, count));
    std::ranges::copy(rows, index.tensor.mutableData<std::int64_t>());
    return calls.tensor("aten.index_select.default",
                        {{self}, whole(static_cast<std::int64_t>(axis)), {std::move(index).finish()}},
                        self.view.dtype());
}

/// self axis start stop step: steps may be negative
Composed sliceBySteps(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const ReferenceTensor self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::size_t axis, axisIn(arguments[1], self));
    ET_ASSIGN(const std::int64_t start, integerOf(arguments[2]));
    ET_ASSIGN(const std::int64_t stop, integerOf(arguments[3]));
    ET_ASSIGN(const std::int64_t step, integerOf(arguments[4]));
    if (step == 0) {
        return fail(ErrorCode::InvalidArgument, "a slice's step is 0");
    }
    const std::int64_t size = self.view.size(axis);
    if (step > 0) {
        return gives(calls.tensor("aten.slice_copy.Tensor",
                                  {{self}, whole(static_cast<std::int64_t>(axis)), {start}, {stop}, {step}},
                                  self.view.dtype()));
    }
    const std::int64_t first = std::min(start < 0 ? start + size : start, size - 1);
    const std::int64_t last = std::max<std::int64_t>(stop < 0 ? stop + size : stop, -1);
    Sizes rows;
    for (std::int64_t row = first; row > last && row >= 0; row += std::max(step, -size - 1)) {
        rows.push_back(row);
    }
    return gives(indexed(calls, self, axis, rows));
}

/// self widths: repeats the outermost elements; widths before and behind each dimension
Composed padEdges(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(ReferenceTensor self, tensorOf(arguments[0]));
    ET_ASSIGN(const auto widths, integersOf(arguments[1]));
    for (std::size_t axis = 0; axis < self.view.dim() && 2 * axis + 1 < widths.size(); ++axis) {
        const std::int64_t size = self.view.size(axis);
        constexpr std::int64_t mostRows = std::int64_t{1} << 32U;
        const std::int64_t before = widths[2 * axis];
        const std::int64_t behind = widths[2 * axis + 1];
        if (before < 0 || behind < 0 || before > mostRows || behind > mostRows || size == 0) {
            return fail(ErrorCode::InvalidArgument, "cannot pad by these widths");
        }
        Sizes rows(static_cast<std::size_t>(size + before + behind));
        std::iota(rows.begin(), rows.end(), -before);
        std::ranges::transform(rows, rows.begin(),
                               [&](std::int64_t row) { return std::clamp<std::int64_t>(row, 0, size - 1); });
        ET_ASSIGN(self, indexed(calls, self, axis, rows));
    }
    return gives(self);
}

Sizes broadcastSizes(const Sizes& left, const Sizes& right) {
    const Sizes& longer = left.size() >= right.size() ? left : right;
    const Sizes& shorter = left.size() >= right.size() ? right : left;
    Sizes sizes = longer;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& to = sizes[longer.size() - shorter.size() + i];
        to = to == 1 ? shorter[i] : to;
    }
    return sizes;
}

/// Indices that count from the front; negative ones count from the end.
Result<ReferenceTensor> wrappedIndices(Calls& calls, const ReferenceTensor& indices, std::int64_t size) {
    ReferenceTensor keep;
    ET_ASSIGN(const auto numbers, elementsAs<std::int64_t>(calls, indices, ScalarType::Long, keep));
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Long, indices.view.sizes()));
    std::ranges::transform(numbers, made.tensor.mutableData<std::int64_t>(),
                           [&](std::int64_t index) { return index < 0 ? index + size : index; });
    return std::move(made).finish();
}

/// self indices axis: other dimensions are broadcast
Composed takeAlongAxis(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(ReferenceTensor self, tensorOf(arguments[0]));
    ET_ASSIGN(ReferenceTensor indices, tensorOf(arguments[1]));
    ET_ASSIGN(const std::size_t axis, axisIn(arguments[2], self));
    if (indices.view.dim() != self.view.dim()) {
        return fail(ErrorCode::InvalidArgument, "expected indices of the same rank");
    }
    ET_ASSIGN(indices, wrappedIndices(calls, indices, self.view.size(axis)));
    Sizes from = sizesOf(self);
    Sizes to = sizesOf(indices);
    Sizes sizes = broadcastSizes(from, to);
    sizes[axis] = from[axis];
    ET_ASSIGN(self, calls.tensor("aten.expand_copy.default", {{self}, listOf(sizes)}, self.view.dtype()));
    sizes[axis] = to[axis];
    ET_ASSIGN(indices,
              calls.tensor("aten.expand_copy.default", {{indices}, listOf(sizes)}, ScalarType::Long));
    return gives(calls.tensor("aten.gather.default",
                              {{self}, whole(static_cast<std::int64_t>(axis)), {indices}},
                              self.view.dtype()));
}

/// Copies slices of a tensor that start at given positions.
struct SliceCopy {
    const core::Tensor& from;
    const Sizes& sizes;
    std::byte* to;

    /// Appends the slice that starts at `start`.
    void append(const Sizes& start) {
        Sizes at(sizes.size(), 0);
        const std::size_t width = from.elementSize();
        const bool isEmpty = std::ranges::contains(sizes, 0);
        for (bool goesOn = !isEmpty; goesOn;) {
            std::int64_t offset = 0;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                offset += (start[i] + at[i]) * from.stride(i);
            }
            std::memcpy(to, from.raw() + static_cast<std::size_t>(offset) * width, width);
            to += width;
            goesOn = false;
            for (std::size_t i = sizes.size(); i-- > 0 && !goesOn;) {
                goesOn = ++at[i] < sizes[i];
                at[i] = goesOn ? at[i] : 0;
            }
        }
    }
};

/// self indices axes slice_sizes: a slice for each position of the broadcast indices
Composed gatherSlices(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(ReferenceTensor self, tensorOf(arguments[0]));
    ET_ASSIGN(self, calls.rowMajor(self));
    const auto* list = arguments[1].as<ReferenceValue::List>();
    ET_ASSIGN(const auto axes, integersOf(arguments[2]));
    ET_ASSIGN(const auto slices, integersOf(arguments[3]));
    if (list == nullptr || list->size() != axes.size() || slices.size() != self.view.dim()) {
        return fail(ErrorCode::InvalidArgument,
                    "expected an index for each axis, and a size for each dimension");
    }
    Sizes batch;
    for (const ReferenceValue& each : *list) {
        ET_ASSIGN(const ReferenceTensor index, tensorOf(each));
        batch = broadcastSizes(batch, sizesOf(index));
    }
    std::vector<ReferenceTensor> indices;
    std::vector<std::size_t> dims;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        ET_ASSIGN(const std::size_t dim, dimensionOf(axes[i], self.view.dim()));
        ET_ASSIGN(ReferenceTensor index, tensorOf((*list)[i]));
        ET_ASSIGN(index, wrappedIndices(calls, index, self.view.size(dim)));
        ET_ASSIGN(index,
                  calls.tensor("aten.expand_copy.default", {{index}, listOf(batch)}, ScalarType::Long));
        indices.push_back(std::move(index));
        dims.push_back(dim);
    }
    Sizes sizes = batch;
    sizes.insert(sizes.end(), slices.begin(), slices.end());
    for (std::size_t i = 0; i < slices.size(); ++i) {
        if (slices[i] < 0 || slices[i] > self.view.size(i)) {
            return fail(ErrorCode::InvalidArgument, "a slice exceeds its dimension");
        }
    }
    ET_ASSIGN(ResultTensor made, calls.empty(self.view.dtype(), sizes));
    SliceCopy copy{self.view, slices, made.tensor.raw()};
    const std::int64_t count =
        std::accumulate(batch.begin(), batch.end(), std::int64_t{1}, std::multiplies());
    for (std::int64_t i = 0; i < count; ++i) {
        Sizes start(self.view.dim(), 0);
        for (std::size_t each = 0; each < indices.size(); ++each) {
            const std::size_t dim = dims[each];
            start[dim] = indices[each].view.data<std::int64_t>()[i];
            if (start[dim] < 0 || start[dim] > self.view.size(dim) - slices[dim]) {
                return fail(ErrorCode::InvalidArgument,
                            fmt::format("index {} is outside of dimension {} of {}", start[dim], dim,
                                        core::describe(self.view)));
            }
        }
        copy.append(start);
    }
    return gives(std::move(made).finish());
}

/// Sorted elements and their positions, ascending.
Result<Calls::Results> sortedBoth(Calls& calls, const ReferenceValue& self, const ReferenceValue& axis) {
    ET_ASSIGN(const ReferenceTensor tensor, tensorOf(self));
    ET_ASSIGN(const std::size_t dim, axisIn(axis, tensor));
    const std::array<ReferenceValue, 5> arguments{
        self, {tensor.view.size(dim)}, whole(static_cast<std::int64_t>(dim)), no, yes};
    const std::array kinds{ResultKind{ResultKind::Kind::Tensor, {tensor.view.dtype()}},
                           ResultKind{ResultKind::Kind::Tensor, {ScalarType::Long}}};
    return calls.several("aten.topk.default", arguments, kinds);
}

/// self axis
Composed sortAscending(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto both, sortedBoth(calls, arguments[0], arguments[1]));
    return Composed({both[0]});
}

Composed argsort(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto both, sortedBoth(calls, arguments[0], arguments[1]));
    return Composed({both[1]});
}

/// self axes keepdims: the mean of the two middle elements
Composed median(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(ReferenceTensor self, tensorOf(arguments[0]));
    ET_ASSIGN(self, calls.converted(self, dtype));
    ET_ASSIGN(Sizes axes, integersOf(arguments[1]));
    std::vector<bool> isReduced(self.view.dim(), axes.empty());
    for (const std::int64_t axis : axes) {
        ET_ASSIGN(const std::size_t dim, dimensionOf(axis, self.view.dim()));
        isReduced[dim] = true;
    }
    Sizes order;
    Sizes sizes;
    Sizes kept;
    for (std::size_t i = 0; i < isReduced.size(); ++i) {
        if (!isReduced[i]) {
            order.push_back(static_cast<std::int64_t>(i));
            sizes.push_back(self.view.size(i));
        }
        kept.push_back(isReduced[i] ? 1 : self.view.size(i));
    }
    const Sizes rest = sizes;
    for (std::size_t i = 0; i < isReduced.size(); ++i) {
        if (isReduced[i]) {
            order.push_back(static_cast<std::int64_t>(i));
        }
    }
    sizes.push_back(-1);
    ET_ASSIGN(self, calls.tensor("aten.permute_copy.default", {{self}, listOf(order)}, dtype));
    ET_ASSIGN(self, calls.tensor("aten.view_copy.default", {{self}, listOf(sizes)}, dtype));
    ET_ASSIGN(const auto both, sortedBoth(calls, {self}, whole(-1)));
    const std::int64_t count = self.view.size(self.view.dim() - 1);
    const auto at = [&](std::int64_t index) {
        return calls.tensor("aten.select_copy.int", {both[0], whole(-1), {index}}, dtype);
    };
    ET_ASSIGN(const auto low, at((count - 1) / 2));
    ET_ASSIGN(const auto high, at(count / 2));
    ET_ASSIGN(const auto sum, calls.tensor("aten.add.Tensor", {{low}, {high}}, dtype));
    ET_ASSIGN(const auto mean, calls.tensor("aten.mul.Scalar", {{sum}, {0.5}}, dtype));
    return gives(
        calls.tensor("aten.view_copy.default", {{mean}, listOf(isTrue(arguments[2]) ? kept : rest)}, dtype));
}

/// Cosine and sine of an element's angle.
struct Turn {
    double cosine = 1;
    double sine = 0;
};

/// Angles of rotary position embedding: position times inverse frequency.
class Turns {
  public:
    Turns(std::int64_t dims, double base, double scaled) : half(dims / 2), scale(scaled) {
        for (std::int64_t i = 0; i < half; ++i) {
            inverse.push_back(static_cast<float>(
                std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dims))));
        }
    }
    void setFrequencies(std::span<const double> frequencies) {
        std::ranges::transform(frequencies, inverse.begin(),
                               [](double each) { return static_cast<float>(1 / each); });
    }
    [[nodiscard]] std::vector<Turn> at(std::int64_t position) const {
        std::vector<Turn> turns;
        turns.reserve(inverse.size());
        const float scaled = static_cast<float>(position) * static_cast<float>(scale);
        for (const float each : inverse) {
            const auto angle = static_cast<double>(scaled * each);
            turns.push_back({std::cos(angle), std::sin(angle)});
        }
        return turns;
    }

    const std::int64_t half;

  private:
    double scale;
    std::vector<float> inverse;
};

/// Rotates the pairs of one row.
void rotate(std::span<double> row, std::span<const Turn> turns, bool isInterleaved) {
    const std::size_t half = turns.size();
    for (std::size_t i = 0; i < half; ++i) {
        double& first = row[isInterleaved ? 2 * i : i];
        double& second = row[isInterleaved ? 2 * i + 1 : half + i];
        const double before = first;
        first = before * turns[i].cosine - second * turns[i].sine;
        second = before * turns[i].sine + second * turns[i].cosine;
    }
}

/// Offsets of the positions, one or one per batch.
Result<Sizes> offsetsOf(Calls& calls, const ReferenceValue& offset, std::int64_t batch) {
    const auto* tensor = offset.as<ReferenceTensor>();
    if (tensor == nullptr) {
        ET_ASSIGN(const std::int64_t number, integerOf(offset));
        return Sizes{number};
    }
    ReferenceTensor keep;
    ET_ASSIGN(const auto numbers, elementsAs<std::int64_t>(calls, *tensor, ScalarType::Long, keep));
    if (numbers.size() != 1 && std::cmp_not_equal(numbers.size(), batch)) {
        return fail(ErrorCode::InvalidArgument, "expected one offset, or one per batch");
    }
    return Sizes(numbers.begin(), numbers.end());
}

/// x dims offset freqs traditional base scale: rotary position embedding along the last two dimensions
Composed rotaryEmbedding(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const ReferenceTensor x, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t dims, integerOf(arguments[1]));
    ET_ASSIGN(const double base, numberOf(arguments[5]));
    ET_ASSIGN(const double scale, numberOf(arguments[6]));
    const std::size_t rank = x.view.dim();
    if (rank < 3 || dims <= 0 || dims % 2 != 0 || dims > x.view.size(rank - 1)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("cannot rotate {} elements of {}", dims, core::describe(x.view)));
    }
    ET_ASSIGN(const Sizes offsets, offsetsOf(calls, arguments[2], x.view.size(0)));
    Turns turns(dims, base, scale);
    if (const auto* freqs = arguments[3].as<ReferenceTensor>()) {
        ReferenceTensor keep;
        ET_ASSIGN(const auto numbers, elementsAs<double>(calls, *freqs, ScalarType::Double, keep));
        if (std::cmp_not_equal(numbers.size(), dims / 2)) {
            return fail(ErrorCode::InvalidArgument, fmt::format("expected {} frequencies", dims / 2));
        }
        turns.setFrequencies(numbers);
    }
    ReferenceTensor keep;
    ET_ASSIGN(const auto from, elementsAs<double>(calls, x, ScalarType::Double, keep));
    const auto fill = [&](std::span<double> to) -> Result<> {
        std::ranges::copy(from, to.begin());
        const auto length = static_cast<std::size_t>(x.view.size(rank - 2));
        const auto width = static_cast<std::size_t>(x.view.size(rank - 1));
        const std::size_t rows = to.empty() ? 0 : to.size() / width;
        const std::size_t perBatch =
            rows / std::max<std::size_t>(1, static_cast<std::size_t>(x.view.size(0)));
        for (std::size_t step = 0; step < length && rows > 0; ++step) {
            for (std::size_t batch = 0; batch < offsets.size(); ++batch) {
                const auto turn = turns.at(offsets[batch] + static_cast<std::int64_t>(step));
                const std::size_t first = batch * perBatch;
                const std::size_t end = offsets.size() == 1 ? rows : first + perBatch;
                for (std::size_t row = first + step; row < end; row += length) {
                    rotate(to.subspan(row * width, width), turn, isTrue(arguments[4]));
                }
            }
        }
        return {};
    };
    return filledWith<double>(calls, ScalarType::Double, x.view.dtype(), sizesOf(x), fill);
}

/// query key value mask scale is_causal: heads of keys may be shared, causal masks end at the last key
Composed attendToLast(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const ReferenceTensor query, tensorOf(arguments[0]));
    ET_ASSIGN(const ReferenceTensor key, tensorOf(arguments[1]));
    ReferenceValue mask = arguments[3];
    if (query.view.dim() < 2 || key.view.dim() != query.view.dim()) {
        return fail(ErrorCode::InvalidArgument, "expected queries and keys of the same rank");
    }
    if (isNone(mask) && isTrue(arguments[5])) {
        const std::int64_t queries = query.view.size(query.view.dim() - 2);
        const std::int64_t keys = key.view.size(key.view.dim() - 2);
        const ReferenceValue sizes{ReferenceValue::List{{queries}, {keys}}};
        ET_ASSIGN(auto ones, calls.tensor("aten.ones.default", {sizes}, ScalarType::Bool));
        ET_ASSIGN(ones, calls.tensor("aten.tril.default", {{ones}, whole(keys - queries)}, ScalarType::Bool));
        mask = {std::move(ones)};
    }
    return gives(calls.tensor("aten.scaled_dot_product_attention.default",
                              {arguments[0], arguments[1], arguments[2], mask, {0.0}, no, arguments[4], yes},
                              dtype));
}

/// x dims pos traditional base scale freqs: as exported, before lowering
Composed exportedRotary(Calls& calls, Arguments arguments, Kinds results) {
    if (!isNone(arguments[6])) {
        return fail(ErrorCode::Unsupported, "rotary embedding with frequencies");
    }
    const std::array reordered{arguments[0], arguments[1], arguments[2], arguments[6],
                               arguments[3], arguments[4], arguments[5]};
    return rotaryEmbedding(calls, reordered, results);
}

/// query key value start_pos attn_mask dropout_p is_causal scale: attention to the filled part of a cache
Composed attendToCache(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const ReferenceTensor query, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t start, integerOf(arguments[3]));
    if (query.view.dim() != 4 || start < 0) {
        return fail(ErrorCode::InvalidArgument, "expected queries of 4 dimensions and a position");
    }
    const std::int64_t end = start + query.view.size(2);
    std::array<ReferenceValue, 2> filled;
    for (std::size_t i = 0; i < filled.size(); ++i) {
        ET_ASSIGN(const ReferenceTensor cache, tensorOf(arguments[i + 1]));
        if (cache.view.dim() != 4 || cache.view.size(2) < end) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("position {} is outside the cache {}", end, core::describe(cache.view)));
        }
        ET_ASSIGN(auto part,
                  calls.tensor("aten.slice_copy.Tensor", {{cache}, whole(2), whole(0), {end}, whole(1)},
                               cache.view.dtype()));
        filled[i] = {std::move(part)};
    }
    const std::array attended{arguments[0], filled[0],
                              filled[1],    isTrue(arguments[6]) ? ReferenceValue{} : arguments[4],
                              arguments[7], arguments[6]};
    return attendToLast(calls, attended, results);
}

constexpr Operator composedMlxRows[] = {
    {"mlx.rope.default", "x dims pos traditional=False base=500000.0 scale=1.0 freqs=None", "",
     exportedRotary},
    {"mlx.custom_sdpa.default",
     "query key value start_pos attn_mask=None dropout_p=0.0 is_causal=False scale=None", "", attendToCache},
    {"mlx_node.slice.default", "self axis start stop step", "", sliceBySteps},
    {"mlx_node.pad_edges.default", "self widths", "", padEdges},
    {"mlx_node.take_along_axis.default", "self indices axis", "", takeAlongAxis},
    {"mlx_node.gather.default", "self indices axes slice_sizes", "", gatherSlices},
    {"mlx_node.sort.default", "self axis", "", sortAscending},
    {"mlx_node.argsort.default", "self axis", "", argsort},
    {"mlx_node.median.default", "self axes keepdims", "", median},
    {"mlx_node.rope.default", "x dims offset freqs=None traditional=False base=10000.0 scale=1.0", "",
     rotaryEmbedding},
    {"mlx_node.sdpa.default", "query key value mask=None scale=None is_causal=False", "", attendToLast},
};

}  // namespace

std::span<const Operator> composedMlx() {
    return composedMlxRows;
}

}  // namespace et::backends::reference
