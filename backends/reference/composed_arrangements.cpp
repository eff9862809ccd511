#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

// Operators of the ATen dialect that export decomposes, and that move, repeat, join or create elements; see
// composed_shapes.cpp for views.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Numbers = std::vector<std::int64_t>;

Result<ReferenceTensor> viewed(Calls& calls, const ReferenceTensor& tensor, const Numbers& sizes) {
    return calls.tensor("aten.view_copy.default", {{tensor}, listOf(sizes)}, tensor.view.dtype());
}

/// Repeats each dimension as often as `dims` specifies; missing dimensions are added in front.
Composed tile(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(Numbers repeats, integersOf(arguments[1]));
    while (repeats.size() < self.view.dim()) {
        repeats.insert(repeats.begin(), 1);
    }
    return gives(calls.tensor("aten.repeat.default", {{self}, listOf(repeats)}, self.view.dtype()));
}

/// self source destination: lists of dimensions.
Composed movedims(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const Numbers sources, integersOf(arguments[1]));
    ET_ASSIGN(const Numbers destinations, integersOf(arguments[2]));
    const std::size_t rank = self.view.dim();
    Numbers order(rank, -1);
    std::vector<bool> moved(rank, false);
    for (std::size_t i = 0; i < sources.size() && sources.size() == destinations.size(); ++i) {
        ET_ASSIGN(const std::size_t from, dimensionOf(sources[i], rank));
        ET_ASSIGN(const std::size_t to, dimensionOf(destinations[i], rank));
        if (rank == 0 || moved[from] || order[to] >= 0) {
            return core::fail(ErrorCode::InvalidArgument, "expected each dimension once");
        }
        moved[from] = true;
        order[to] = static_cast<std::int64_t>(from);
    }
    std::int64_t next = 0;
    for (std::int64_t& each : order) {
        if (each < 0) {
            while (moved[static_cast<std::size_t>(next)]) {
                ++next;
            }
            each = next++;
        }
    }
    return gives(calls.tensor("aten.permute_copy.default", {{self}, listOf(order)}, self.view.dtype()));
}

/// Joins tensors with at least `rank` dimensions along `dim`; vectors become rows.
Composed joined(Calls& calls, const ReferenceValue& tensors, std::size_t rank, std::int64_t dim,
                ScalarType dtype) {
    const auto* list = tensors.as<ReferenceValue::List>();
    if (list == nullptr || list->empty()) {
        return core::fail(ErrorCode::InvalidArgument, "expected tensors to join");
    }
    ReferenceValue::List wide;
    bool areVectors = true;
    for (const ReferenceValue& each : *list) {
        ET_ASSIGN(auto one, tensorOf(each));
        while (one.view.dim() < rank) {
            Numbers sizes = sizesOf(one);
            sizes.insert(sizes.begin(), 1);
            ET_ASSIGN(one, viewed(calls, one, sizes));
        }
        areVectors = areVectors && one.view.dim() == 1;
        wide.emplace_back(std::move(one));
    }
    return gives(calls.tensor("aten.cat.default", {{std::move(wide)}, whole(areVectors ? 0 : dim)}, dtype));
}

ScalarType typeOfList(Kinds results, const ReferenceValue& tensors) {
    const auto* list = tensors.as<ReferenceValue::List>();
    return resultTypeOf(results, list == nullptr ? Arguments() : Arguments(*list));
}

Composed vstack(Calls& calls, Arguments arguments, Kinds results) {
    return joined(calls, arguments[0], 2, 0, typeOfList(results, arguments[0]));
}

Composed hstack(Calls& calls, Arguments arguments, Kinds results) {
    return joined(calls, arguments[0], 1, 1, typeOfList(results, arguments[0]));
}

/// self sections dim: the first sections are one larger if the size is not divisible.
Composed tensorSplit(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t sections, integerOf(arguments[1]));
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[2]));
    ET_ASSIGN(const std::size_t at, dimensionOf(dim, self.view.dim()));
    constexpr std::int64_t maxSections = 1 << 20;
    if (sections < 1 || sections > maxSections || self.view.dim() == 0) {
        return core::fail(ErrorCode::InvalidArgument,
                          "expected at least one part of a tensor with dimensions");
    }
    const std::int64_t size = self.view.size(at);
    Numbers sizes(static_cast<std::size_t>(sections), size / sections);
    std::for_each_n(sizes.begin(), size % sections, [](std::int64_t& each) { ++each; });
    const std::array<ReferenceValue, 3> inner{arguments[0], listOf(sizes), arguments[2]};
    return calls.several("aten.split_with_sizes_copy.default", inner, results);
}

/// self num_classes: one-hot vectors in a new last dimension.
Composed oneHot(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t classes, integerOf(arguments[1]));
    if (classes < 1) {
        return core::fail(ErrorCode::Unsupported, "the number of classes must be given");
    }
    constexpr auto integer = ScalarType::Long;
    ET_ASSIGN(auto numbers, calls.converted(self, integer));
    ET_ASSIGN(numbers, calls.tensor("aten.unsqueeze_copy.default", {{numbers}, whole(-1)}, integer));
    ET_ASSIGN(auto each, calls.tensor("aten.arange.default", {whole(classes)}, integer));
    ET_ASSIGN(auto isIt, calls.tensor("aten.eq.Tensor", {{numbers}, {each}}, ScalarType::Bool));
    return gives(calls.converted(isIt, integer));
}

/// self groups: interleaves the channels of the groups.
Composed channelShuffle(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(const auto self, tensorOf(arguments[0]));
    ET_ASSIGN(const std::int64_t groups, integerOf(arguments[1]));
    const Numbers sizes = sizesOf(self);
    if (sizes.size() < 3 || groups < 1 || sizes[1] % groups != 0) {
        return core::fail(ErrorCode::InvalidArgument,
                          "expected a number of channels that is divisible by the number of groups");
    }
    Numbers apart = sizes;
    apart[1] = groups;
    apart.insert(apart.begin() + 2, sizes[1] / groups);
    ET_ASSIGN(auto made, viewed(calls, self, apart));
    ET_ASSIGN(made, calls.tensor("aten.transpose_copy.int", {{made}, whole(1), whole(2)}, self.view.dtype()));
    return gives(viewed(calls, made, sizes));
}

/// start end steps: includes both ends; each half is computed from its own end.
Composed linspace(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const double start, numberOf(arguments[0]));
    ET_ASSIGN(const double end, numberOf(arguments[1]));
    ET_ASSIGN(const std::int64_t steps, integerOf(arguments[2]));
    constexpr std::int64_t maxSteps = std::int64_t{1} << 30;
    if (steps < 0 || steps > maxSteps) {
        return core::fail(ErrorCode::InvalidArgument, "expected a valid number of steps");
    }
    ET_ASSIGN(ResultTensor made, calls.empty(ScalarType::Double, std::array{steps}));
    const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
    for (std::int64_t i = 0; i < steps; ++i) {
        made.tensor.mutableData<double>()[i] = i < steps / 2 || steps == 1
                                                   ? start + step * static_cast<double>(i)
                                                   : end - step * static_cast<double>(steps - 1 - i);
    }
    return gives(calls.converted(std::move(made).finish(), dtype));
}

/// n m: ones on the diagonal.
Composed eye(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    constexpr auto integer = ScalarType::Long;
    const ReferenceValue& columns = arguments.size() > 1 ? arguments[1] : arguments[0];
    ET_ASSIGN(auto row, calls.tensor("aten.arange.default", {arguments[0]}, integer));
    ET_ASSIGN(row, calls.tensor("aten.unsqueeze_copy.default", {{row}, whole(1)}, integer));
    ET_ASSIGN(auto column, calls.tensor("aten.arange.default", {columns}, integer));
    ET_ASSIGN(auto isIt, calls.tensor("aten.eq.Tensor", {{row}, {column}}, ScalarType::Bool));
    return gives(calls.converted(isIt, dtype));
}

/// self kernel_size dilation padding stride: windows of an image as columns, [batch, channels * window,
/// positions]
Composed imageToColumns(Calls& calls, Arguments arguments, Kinds) {
    ET_ASSIGN(auto self, tensorOf(arguments[0]));
    const ScalarType dtype = self.view.dtype();
    std::array<Numbers, 4> pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        ET_ASSIGN(pairs[i], integersOf(arguments[i + 1]));
        pairs[i].resize(2, pairs[i].empty() ? 1 : pairs[i].front());
    }
    const auto& [kernel, dilation, padding, stride] = pairs;
    const bool isUnbatched = self.view.dim() == 3;
    if (isUnbatched) {
        ET_ASSIGN(self, calls.tensor("aten.unsqueeze_copy.default", {{self}, whole(0)}, dtype));
    }
    const Numbers around{padding[1], padding[1], padding[0], padding[0]};
    ET_ASSIGN(self, calls.tensor("aten.constant_pad_nd.default", {{self}, listOf(around)}, dtype));
    for (std::size_t i = 0; i < 2; ++i) {
        if (self.view.dim() < 4 || dilation[i] < 1 || kernel[i] < 1 || kernel[i] > self.view.size(2 + i)) {
            return core::fail(ErrorCode::InvalidArgument,
                              "expected an image that is at least as large as the window");
        }
        const std::int64_t reach = dilation[i] * (kernel[i] - 1) + 1;
        ET_ASSIGN(self, calls.tensor(
                            "aten.unfold_copy.default",
                            {{self}, whole(2 + static_cast<std::int64_t>(i)), whole(reach), whole(stride[i])},
                            dtype));
        ET_ASSIGN(self, calls.tensor("aten.slice_copy.Tensor",
                                     {{self}, whole(-1), whole(0), whole(reach), whole(dilation[i])}, dtype));
    }
    // [batch, channels, rows, columns, window rows, window columns]
    ET_ASSIGN(self,
              calls.tensor("aten.permute_copy.default", {{self}, listOf(Numbers{0, 1, 4, 5, 2, 3})}, dtype));
    const Numbers sizes = sizesOf(self);
    Numbers flat{sizes[0], sizes[1] * sizes[2] * sizes[3], sizes[4] * sizes[5]};
    if (isUnbatched) {
        flat.erase(flat.begin());
    }
    return gives(viewed(calls, self, flat));
}

/// Applies an image operator to rows.
Composed asImage(Calls& calls, Arguments arguments, Kinds results, std::string_view name,
                 std::vector<ReferenceValue> rest) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto image, calls.tensor("aten.unsqueeze_copy.default", {arguments[0], whole(-2)}, dtype));
    std::vector<ReferenceValue> all{{std::move(image)}};
    std::ranges::move(rest, std::back_inserter(all));
    ET_ASSIGN(auto made, calls.several(name, all, results));
    for (ReferenceValue& each : made) {
        if (const auto* tensor = each.as<ReferenceTensor>()) {
            ET_ASSIGN(auto row,
                      calls.tensor("aten.squeeze_copy.dim", {{*tensor}, whole(-2)}, tensor->view.dtype()));
            each = {std::move(row)};
        }
    }
    return made;
}

Result<ReferenceValue> withLine(const ReferenceValue& sizes) {
    if (isNone(sizes)) {
        return sizes;
    }
    const auto* list = sizes.as<ReferenceValue::List>();
    const bool areFactors = list != nullptr && !list->empty() && list->front().as<double>() != nullptr;
    ReferenceValue::List all;
    all.push_back(areFactors ? ReferenceValue{1.0} : whole(1));
    if (list == nullptr) {
        all.push_back(sizes);
    } else {
        all.insert(all.end(), list->begin(), list->end());
    }
    return ReferenceValue{std::move(all)};
}

Composed adaptiveMaxPool1d(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto sizes, withLine(arguments[1]));
    return asImage(calls, arguments, results, "aten.adaptive_max_pool2d.default", {std::move(sizes)});
}

/// input output_size scale_factors
Composed upsampleNearest1d(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto sizes, withLine(arguments[1]));
    ET_ASSIGN(auto factors, withLine(arguments[2]));
    return asImage(calls, arguments, results, "aten.upsample_nearest2d.vec",
                   {std::move(sizes), std::move(factors)});
}

/// input output_size align_corners scale_factors
Composed upsampleLinear1d(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto sizes, withLine(arguments[1]));
    ET_ASSIGN(auto factors, withLine(arguments[3]));
    return asImage(calls, arguments, results, "aten.upsample_bilinear2d.vec",
                   {std::move(sizes), arguments[2], std::move(factors)});
}

constexpr Operator composedArrangementsRows[] = {
    {"aten.tile.default", "self dims", "", tile},
    {"aten.movedim.intlist", "self source destination", "", movedims},
    {"aten.moveaxis.intlist", "self source destination", "", movedims},
    {"aten.vstack.default", "tensors", "", vstack},
    {"aten.row_stack.default", "tensors", "", vstack},
    {"aten.hstack.default", "tensors", "", hstack},
    {"aten.tensor_split.sections", "self sections dim=0", "", tensorSplit},
    {"aten.one_hot.default", "self num_classes=-1", "", oneHot},
    {"aten.channel_shuffle.default", "self groups", "", channelShuffle},
    {"aten.linspace.default", "start end steps", "", linspace},
    {"aten.eye.default", "n", "", eye},
    {"aten.eye.m", "n m", "", eye},
    {"aten.im2col.default", "self kernel_size dilation padding stride", "", imageToColumns},
    {"aten.adaptive_max_pool1d.default", "self output_size -> same int64", "", adaptiveMaxPool1d},
    {"aten.upsample_nearest1d.vec", "input output_size scale_factors", "", upsampleNearest1d},
    {"aten.upsample_linear1d.vec", "input output_size align_corners scale_factors", "", upsampleLinear1d},
};

}  // namespace

std::span<const Operator> composedArrangements() {
    return composedArrangementsRows;
}

}  // namespace et::backends::reference
