#include "runtime/native/detail/read_meta.h"

#include "runtime/core/scalar_type.h"
#include "runtime/native/scalar_code.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace et::native::detail {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

constexpr std::size_t maxDims = 64;
constexpr std::int64_t maxBits = 16;

Result<Dim> readDim(const FlatView& view, const schema::Range* range, const FieldPath& path) {
    const Dim dim{.minimum = range->minimum(), .maximum = range->maximum()};
    if (dim.minimum < 0 || (dim.maximum >= 0 && dim.maximum < dim.minimum)) {
        return view.fail(
            ErrorCode::Format, path, range,
            fmt::format("expected a range of sizes from 0, got {} to {}", dim.minimum, dim.maximum));
    }
    return dim;
}

Result<> checkDimOrder(const FlatView& view, const schema::TensorMeta& meta, const FieldPath& path,
                       const TensorMeta& read) {
    std::uint64_t seen = 0;
    for (const std::uint8_t dim : read.dimOrder) {
        seen |= dim < maxDims ? std::uint64_t{1} << dim : 0;
    }
    const std::size_t rank = read.sizes.size();
    const std::uint64_t all = rank == maxDims ? ~std::uint64_t{0} : (std::uint64_t{1} << rank) - 1;
    if (!read.dimOrder.empty() && (read.dimOrder.size() != rank || seen != all)) {
        return view.fail(ErrorCode::Format, path, meta.dim_order(),
                         fmt::format("expected an order of {} dimensions, got another list of {}", rank,
                                     read.dimOrder.size()));
    }
    return {};
}

Result<Quantization> readGroups(Texts& texts, const schema::AffineGroups& table, const FieldPath& path) {
    AffineGroups groups{
        .scaleKey = {}, .minimum = table.minimum(), .maximum = table.maximum(), .groupSize = table.group()};
    const FieldPath scalePath = path.field("scale_key");
    const FieldPath zeroPath = path.field("zero_point_key");
    ET_ASSIGN(groups.scaleKey, texts.name(table.scale_key(), scalePath, &table));
    ET_ASSIGN(groups.zeroPointKey, texts.optional(table.zero_point_key(), zeroPath));
    ET_ASSIGN(groups.scaleType, readScalarType(texts.view, table.scale_dtype(), scalePath, &table));
    ET_ASSIGN(groups.zeroPointType, readScalarType(texts.view, table.zero_point_dtype(), zeroPath, &table));
    const std::int64_t range = std::int64_t{groups.maximum} - groups.minimum;
    if (range < 1 || range >= std::int64_t{1} << maxBits || groups.groupSize < 0) {
        return texts.view.fail(
            ErrorCode::Format, path, &table,
            fmt::format(
                "expected integers of 1 to {} bits in groups of 0 or more, got {} to {} in groups of {}",
                maxBits, groups.minimum, groups.maximum, groups.groupSize));
    }
    return groups;
}

Result<Quantization> readQuantization(Texts& texts, const schema::Quantization& table,
                                      const FieldPath& path) {
    if (const auto* groups = table.scheme_as_AffineGroups()) {
        return readGroups(texts, *groups, path);
    }
    if (const auto* packed = table.scheme_as_PackedCodec()) {
        const FieldPath codecPath = path.field("codec");
        return texts.name(packed->codec(), codecPath, packed).transform([](std::string codec) {
            return Quantization(PackedCodec{std::move(codec)});
        });
    }
    return texts.view.fail(ErrorCode::Unsupported, path, &table,
                           fmt::format("expected affine groups or a packed codec, got scheme {}",
                                       static_cast<int>(table.scheme_type())));
}

}  // namespace

Result<std::int8_t> readScalarType(const FlatView& view, std::int8_t code, const FieldPath& path,
                                   const void* table) {
    if (const auto known = scalarTypeOfCode(code)) {
        return *known;
    }
    return view.fail(ErrorCode::Unsupported, path, table, fmt::format("unknown dtype {}", code));
}

Result<TensorMeta> readMeta(Texts& texts, const schema::TensorMeta* meta, const FieldPath& path,
                            const void* table) {
    FlatView& view = texts.view;
    if (meta == nullptr) {
        return view.fail(ErrorCode::Format, path, table, "expected metadata of a tensor, got none");
    }
    TensorMeta read;
    const FieldPath typePath = path.field("dtype");
    ET_ASSIGN(read.scalarType, readScalarType(view, meta->dtype(), typePath, meta));
    const FieldPath sizesPath = path.field("sizes");
    if (meta->sizes() != nullptr && meta->sizes()->size() > maxDims) {
        return view.fail(
            ErrorCode::Limit, sizesPath, meta->sizes(),
            fmt::format("expected at most {} dimensions, got {}", maxDims, meta->sizes()->size()));
    }
    ET_ASSIGN(read.sizes,
              view.map(meta->sizes(), sizesPath, [&](const schema::Range* range, const FieldPath& at) {
                  return readDim(view, range, at);
              }));
    const FieldPath orderPath = path.field("dim_order");
    ET_ASSIGN(read.dimOrder,
              view.map(meta->dim_order(), orderPath,
                       [](std::int32_t dim, const FieldPath&) -> Result<std::uint8_t> {
                           return static_cast<std::uint8_t>(std::in_range<std::uint8_t>(dim) ? dim : maxDims);
                       }));
    ET_TRY(checkDimOrder(view, *meta, orderPath, read));
    if (meta->quantization() != nullptr) {
        const FieldPath quantizationPath = path.field("quantization");
        ET_ASSIGN(read.quantization, readQuantization(texts, *meta->quantization(), quantizationPath));
    }
    return read;
}

}  // namespace et::native::detail
