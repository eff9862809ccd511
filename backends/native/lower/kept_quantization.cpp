#include "backends/native/lower/kept_quantization.h"

#include "backends/native/lower/constant_edits.h"
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

}  // namespace

std::optional<source::StoredTensor> KeptQuantization::stored(std::string_view key) const {
    const auto own = made.find(key);
    return own == made.end() ? find(key) : std::optional(source::StoredTensor{.data = own->second});
}

/// Zeros if there are none.
Result<std::vector<double>> KeptQuantization::zeroPointsOf(const source::AffineGroups& groups,
                                                           std::size_t count) const {
    if (groups.zeroPointKey.empty()) {
        return std::vector<double>(count);
    }
    const auto points = find(groups.zeroPointKey);
    std::vector<double> zeros =
        points ? source::firstNumbers(groups.zeroPointType, points->data, count) : std::vector<double>();
    if (zeros.size() != count) {
        return core::fail(core::ErrorCode::NotFound, "its zero points are missing");
    }
    return zeros;
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
    ET_ASSIGN(const std::vector<double> zeros, zeroPointsOf(groups, rows * perRow));
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
        replacement.add(
            {.name = "output_dtype", .value = source::ScalarTypeCode{static_cast<std::int8_t>(dtype)}});
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
    replacement.add(
        {.name = "output_dtype", .value = source::ScalarTypeCode{static_cast<std::int8_t>(dtype)}});
    replacement.finish("torch.ops.torchao.dequantize_int4_tensor.default", dtype, rows, columns);
    return {};
}

Result<source::Program> KeptQuantization::changed(const source::Program& program) {
    source::Program copy = program;
    for (source::Method& method : copy.methods) {
        for (std::size_t i = method.constants.size(); i-- > 0;) {
            if (method.constants[i].meta.isQuantized()) {
                ET_TRY(kind == QuantizedConstants::Kept ? keep(method, i) : keepIntegers(method, i));
            }
        }
    }
    return copy;
}

}  // namespace et::backends::native
