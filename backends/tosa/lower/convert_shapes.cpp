#include "backends/tosa/lower/graph_maker.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

// Operators that move elements, and reductions.
namespace et::backends::tosa {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

Result<MadeTensor> reshape(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    return maker.put("aten.view_copy.default", {tensorArgument(x.name), wholesArgument(out->sizes)}, x.dtype);
}

Result<MadeTensor> transpose(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const Tensor* const type, maker.inputType(from, 0));
    ET_ASSIGN(const auto order, numbersField(from, "order", type->sizes.size()));
    return maker.permuted(x, order);
}

Result<MadeTensor> concatenate(GraphMaker& maker, const Operator& from) {
    std::vector<MadeTensor> parts;
    for (std::size_t i = 0; i < from.inputs.size(); ++i) {
        ET_ASSIGN(parts.emplace_back(), maker.input(from, i));
    }
    if (parts.empty()) {
        return fail(ErrorCode::Format, "it has no inputs");
    }
    return maker.put("aten.cat.default", {tensorsArgument(parts), wholeArgument(numberField(from, "axis"))},
                     parts.front().dtype);
}

Result<MadeTensor> slice(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const Tensor* const type, maker.inputType(from, 0));
    ET_ASSIGN(const auto starts, maker.integers(from, 1));
    ET_ASSIGN(const auto sizes, maker.integers(from, 2));
    if (starts.size() != type->sizes.size() || sizes.size() != type->sizes.size()) {
        return fail(ErrorCode::Format, "expected a start and a size for each dimension");
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] != type->sizes[i]) {
            x = maker.put("aten.slice_copy.Tensor",
                          {tensorArgument(x.name), wholeArgument(static_cast<std::int64_t>(i)),
                           wholeArgument(starts[i]), wholeArgument(starts[i] + sizes[i]), wholeArgument(1)},
                          x.dtype);
        }
    }
    return x;
}

/// The only element of a constant. Errors: Unsupported.
Result<etrecord::Argument> paddingOf(const GraphMaker& maker, const Operator& from, ScalarType dtype) {
    ET_ASSIGN(const Tensor* const filled, maker.inputType(from, 2));
    if (dtype == ScalarType::Float && filled->data.size() >= sizeof(float)) {
        float number = 0;
        std::memcpy(&number, filled->data.data(), sizeof(number));
        return realArgument(number);
    }
    const bool isZero =
        std::ranges::all_of(filled->data, [](std::byte each) { return each == std::byte{0}; });
    if (core::isFloating(dtype) && !isZero) {
        return fail(ErrorCode::Unsupported, "padding other than 0 cannot be computed in this datatype");
    }
    ET_ASSIGN(const std::int64_t number, maker.integer(from, 2));
    return wholeArgument(number);
}

Result<MadeTensor> pad(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const auto padding, maker.integers(from, 1));
    ET_ASSIGN(etrecord::Argument number, paddingOf(maker, from, x.dtype));
    std::vector<std::int64_t> reversed;
    for (std::size_t i = padding.size() / 2; i > 0; --i) {
        reversed.push_back(padding[2 * i - 2]);
        reversed.push_back(padding[2 * i - 1]);
    }
    return maker.put("aten.constant_pad_nd.default",
                     {tensorArgument(x.name), wholesArgument(reversed), std::move(number)}, x.dtype);
}

Result<MadeTensor> tile(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    ET_ASSIGN(const auto multiples, maker.integers(from, 1));
    return maker.put("aten.repeat.default", {tensorArgument(x.name), wholesArgument(multiples)}, x.dtype);
}

Result<MadeTensor> reverse(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put("aten.flip.default",
                     {tensorArgument(x.name), wholesArgument({numberField(from, "axis")})}, x.dtype);
}

/// Integers are added up in int64.
Result<MadeTensor> sum(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put(
        "aten.sum.dim_IntList",
        {tensorArgument(x.name), wholesArgument({numberField(from, "axis")}), truthArgument(true)},
        core::isFloating(x.dtype) ? x.dtype : ScalarType::Long);
}

Result<MadeTensor> extreme(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put(
        from.info->name == "REDUCE_MAX" ? "aten.amax.default" : "aten.amin.default",
        {tensorArgument(x.name), wholesArgument({numberField(from, "axis")}), truthArgument(true)}, x.dtype);
}

Result<MadeTensor> productOverAxis(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put("aten.prod.dim_int",
                     {tensorArgument(x.name), wholeArgument(numberField(from, "axis")), truthArgument(true)},
                     core::isFloating(x.dtype) ? x.dtype : ScalarType::Long);
}

Result<MadeTensor> truth(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put(from.info->name == "REDUCE_ALL" ? "aten.all.dim" : "aten.any.dim",
                     {tensorArgument(x.name), wholeArgument(numberField(from, "axis")), truthArgument(true)},
                     ScalarType::Bool);
}

/// Positions [N, W] in rows, repeated for each of the C channels.
Result<MadeTensor> rowsOf(GraphMaker& maker, const Operator& from, const std::vector<std::int64_t>& sizes) {
    ET_ASSIGN(const MadeTensor indices, maker.input(from, 1));
    if (sizes.size() != 3) {
        return fail(ErrorCode::Format, "expected values with 3 dimensions");
    }
    const MadeTensor column = maker.put("aten.unsqueeze_copy.default",
                                        {tensorArgument(indices.name), wholeArgument(2)}, indices.dtype);
    const MadeTensor wide = maker.cast(column, ScalarType::Long);
    return maker.put("aten.expand_copy.default", {tensorArgument(wide.name), wholesArgument(sizes)},
                     wide.dtype);
}

Result<MadeTensor> gather(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor values, maker.input(from, 0));
    ET_ASSIGN(const Tensor* const out, maker.outputType(from));
    ET_ASSIGN(const MadeTensor rows, rowsOf(maker, from, out->sizes));
    return maker.put("aten.gather.default",
                     {tensorArgument(values.name), wholeArgument(1), tensorArgument(rows.name)},
                     values.dtype);
}

Result<MadeTensor> scatter(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor values, maker.input(from, 0));
    ET_ASSIGN(const MadeTensor written, maker.input(from, 2));
    ET_ASSIGN(const Tensor* const type, maker.inputType(from, 2));
    ET_ASSIGN(const MadeTensor rows, rowsOf(maker, from, type->sizes));
    return maker.put("aten.scatter.src",
                     {tensorArgument(values.name), wholeArgument(1), tensorArgument(rows.name),
                      tensorArgument(written.name)},
                     values.dtype);
}

Result<MadeTensor> argMaximum(GraphMaker& maker, const Operator& from) {
    ET_ASSIGN(const MadeTensor x, maker.input(from, 0));
    return maker.put("aten.argmax.default",
                     {tensorArgument(x.name), wholeArgument(numberField(from, "axis")), truthArgument(false)},
                     ScalarType::Long);
}

}  // namespace

void addShapes(Conversions& to) {
    to["ARGMAX"] = argMaximum;
    to["CONCAT"] = concatenate;
    to["GATHER"] = gather;
    to["PAD"] = pad;
    to["REDUCE_ALL"] = truth;
    to["REDUCE_ANY"] = truth;
    to["REDUCE_MAX"] = extreme;
    to["REDUCE_MIN"] = extreme;
    to["REDUCE_PRODUCT"] = productOverAxis;
    to["REDUCE_SUM"] = sum;
    to["RESHAPE"] = reshape;
    to["REVERSE"] = reverse;
    to["SCATTER"] = scatter;
    to["SLICE"] = slice;
    to["TILE"] = tile;
    to["TRANSPOSE"] = transpose;
}

}  // namespace et::backends::tosa
