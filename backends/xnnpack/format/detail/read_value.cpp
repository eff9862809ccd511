#include "backends/xnnpack/format/detail/read_value.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <bit>
#include <iterator>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::FieldPath;
using core::FlatView;
using core::Result;

template <class Table>
class QuantizationReader {
  public:
    QuantizationReader(FlatView& flatView, const Table& from, std::size_t constantCount,
                       const FieldPath& where)
        : view(flatView), table(from), constants(constantCount), path(where) {}

    Result<std::uint32_t> dimension(std::int32_t dim, const PayloadValue& value) const {
        if (dim < 0 || static_cast<std::size_t>(dim) >= value.sizes.size()) {
            return view.fail(
                ErrorCode::Format, path, &table,
                fmt::format("expected a channel dimension below {}, got {}", value.sizes.size(), dim));
        }
        return static_cast<std::uint32_t>(dim);
    }

    Result<std::uint32_t> scaleConstant() const {
        if (table.scale_buffer() >= constants && table.scale_buffer() != 0) {
            return view.fail(
                ErrorCode::Format, path, &table,
                fmt::format("expected one of {} constants, got {}", constants, table.scale_buffer()));
        }
        return table.scale_buffer();
    }

  private:
    FlatView& view;
    const Table& table;
    std::size_t constants;
    const FieldPath& path;
};

/// Rounds a positive scale to the nearest bfloat16.
std::uint16_t toBFloat16(float scale) {
    const auto bits = std::bit_cast<std::uint32_t>(scale);
    return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

class ValueReader {
  public:
    ValueReader(FlatView& flatView, std::size_t constantCount) : view(flatView), constants(constantCount) {}

    Result<> tensor(const schema::Tensor* table, PayloadValue& value, const FieldPath& path) {
        if (table == nullptr) {
            return view.fail(ErrorCode::Format, path, nullptr, "expected a tensor, got none");
        }
        value.id = table->id();
        value.datatype = static_cast<Datatype>(table->datatype());
        const DatatypeInfo* traits = datatypeInfo(value.datatype);
        if (traits == nullptr || traits->bits == 0) {
            return view.fail(ErrorCode::Unsupported, path, table,
                             fmt::format("no support for {}", datatypeName(value.datatype)));
        }
        ET_TRY(sizes(*table, value, path));
        if (table->constant_index() != 0 && table->constant_index() >= constants) {
            return view.fail(
                ErrorCode::Format, path, table,
                fmt::format("expected one of {} constants, got {}", constants, table->constant_index()));
        }
        value.constant = table->constant_index();
        return external(*table, value, path);
    }

    Result<> quantization(const schema::QuantizedTensor& table, PayloadValue& value, const FieldPath& path) {
        const void* content = table.quantization();
        if (content == nullptr) {
            return view.fail(ErrorCode::Format, path, &table, "expected quantization parameters, got none");
        }
        switch (table.quantization_type()) {
            case schema::Quantization::PerTensor: {
                const auto& from = FlatView::unionAs<schema::PerTensor>(content);
                value.quantization =
                    PerTensorQuantization{.scale = from.scale(), .zeroPoint = from.zero_point()};
                return {};
            }
            case schema::Quantization::PerChannel:
                return perChannel(FlatView::unionAs<schema::PerChannel>(content), value, path);
            case schema::Quantization::PerToken:
                return perToken(FlatView::unionAs<schema::PerToken>(content), value, path);
            case schema::Quantization::Blockwise:
                return blockwise(FlatView::unionAs<schema::Blockwise>(content), value, path);
            default:
                return view.fail(ErrorCode::Unsupported, path, &table,
                                 fmt::format("no support for quantization parameters of kind {}",
                                             static_cast<int>(table.quantization_type())));
        }
    }

  private:
    Result<> sizes(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        const FieldPath dims = path.field("dims");
        ET_TRY(view.copyInto(value.sizes, table.dims(), dims));
        if (value.sizes.size() != table.num_dims()) {
            return view.fail(ErrorCode::Format, dims, &table,
                             fmt::format("expected {} sizes, got {}", table.num_dims(), value.sizes.size()));
        }
        if (value.sizes.size() > XNN_MAX_TENSOR_DIMS) {
            return view.fail(ErrorCode::Unsupported, dims, &table,
                             fmt::format("expected at most {} dimensions, got {}", XNN_MAX_TENSOR_DIMS,
                                         value.sizes.size()));
        }
        return {};
    }

    Result<> external(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        constexpr std::uint32_t known = XNN_VALUE_FLAG_EXTERNAL_INPUT | XNN_VALUE_FLAG_EXTERNAL_OUTPUT;
        value.isInput = (table.flags() & XNN_VALUE_FLAG_EXTERNAL_INPUT) != 0;
        value.isOutput = (table.flags() & XNN_VALUE_FLAG_EXTERNAL_OUTPUT) != 0;
        const bool isExternal = value.isInput || value.isOutput;
        if ((table.flags() & ~known) != 0) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             fmt::format("no support for the flags {:#x} of a value", table.flags()));
        }
        if (value.isInput && value.isOutput) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             "no support for an input that is an output");
        }
        if (isExternal != (table.external_id() != XNN_INVALID_VALUE_ID) ||
            (isExternal && value.constant != 0)) {
            return view.fail(ErrorCode::Format, path, &table,
                             "expected external ids for inputs and outputs only");
        }
        if (isExternal) {
            value.externalId = table.external_id();
        }
        return quantizedInput(table, value, path);
    }

    Result<> quantizedInput(const schema::Tensor& table, PayloadValue& value, const FieldPath& path) {
        value.isQuantizedFirst = table.quantized_as() != 0;
        if (value.isQuantizedFirst && (static_cast<Datatype>(table.quantized_as()) != Datatype::QInt8 ||
                                       !value.isInput || value.sizes.empty())) {
            return view.fail(ErrorCode::Unsupported, path, &table,
                             "no support for dynamic quantization of anything but an input to 8 bits");
        }
        return {};
    }

    Result<> perToken(const schema::PerToken& from, PayloadValue& value, const FieldPath& path) {
        if (from.nonbatch_dims() < 1 || static_cast<std::size_t>(from.nonbatch_dims()) > value.sizes.size()) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected 1 to {} dimensions that share a scale, got {}",
                                         value.sizes.size(), from.nonbatch_dims()));
        }
        value.quantization =
            PerTokenQuantization{.nonbatchDims = static_cast<std::uint32_t>(from.nonbatch_dims())};
        return {};
    }

    Result<> perChannel(const schema::PerChannel& from, PayloadValue& value, const FieldPath& path) {
        PerChannelQuantization to;
        const QuantizationReader reader(view, from, constants, path);
        ET_ASSIGN(to.channelDim, reader.dimension(from.channel_dim(), value));
        const std::uint32_t channels = value.sizes[to.channelDim];
        ET_ASSIGN(to.scaleConstant, reader.scaleConstant());
        ET_ASSIGN(to.scales, view.copy<float>(from.scale(), path));
        to.scaleCount =
            to.scaleConstant != 0 ? from.scale_count() : static_cast<std::uint32_t>(to.scales.size());
        if (to.scaleCount != channels) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected {} scales, got {}", channels, to.scaleCount));
        }
        value.quantization = std::move(to);
        return {};
    }

    Result<> blockwise(const schema::Blockwise& from, PayloadValue& value, const FieldPath& path) {
        BlockwiseQuantization to;
        const QuantizationReader reader(view, from, constants, path);
        ET_ASSIGN(to.channelDim, reader.dimension(from.channel_dim(), value));
        if (value.sizes.size() != 2 || from.block_size() <= 0 ||
            value.sizes[1] % static_cast<std::uint32_t>(from.block_size()) != 0) {
            return view.fail(
                ErrorCode::Format, path, &from,
                fmt::format("expected a matrix with columns in blocks of {}", from.block_size()));
        }
        to.blockSize = static_cast<std::uint32_t>(from.block_size());
        ET_ASSIGN(to.scaleConstant, reader.scaleConstant());
        ET_ASSIGN(to.scales, view.copy<std::uint16_t>(from.scale_bf16(), path));
        if (to.scales.empty() && to.scaleConstant == 0) {
            ET_ASSIGN(const auto floats, view.copy<float>(from.scale(), path));
            std::ranges::transform(floats, std::back_inserter(to.scales), toBFloat16);
        }
        to.scaleCount =
            to.scaleConstant != 0 ? from.scale_count() : static_cast<std::uint32_t>(to.scales.size());
        const std::uint64_t blocks = std::uint64_t{value.sizes[0]} * (value.sizes[1] / to.blockSize);
        if (to.scaleCount != blocks) {
            return view.fail(ErrorCode::Format, path, &from,
                             fmt::format("expected {} scales, got {}", blocks, to.scaleCount));
        }
        value.quantization = std::move(to);
        return {};
    }

    FlatView& view;
    std::size_t constants;
};

}  // namespace

Result<> readValue(FlatView& view, const schema::Value* table, std::size_t constants, const FieldPath& path,
                   PayloadValue& value) {
    ValueReader reader(view, constants);
    const void* content = table->kind();
    if (content == nullptr) {
        return view.fail(ErrorCode::Format, path, table, "expected a tensor, got none");
    }
    if (table->kind_type() == schema::ValueKind::Tensor) {
        return reader.tensor(&FlatView::unionAs<schema::Tensor>(content), value, path);
    }
    if (table->kind_type() != schema::ValueKind::QuantizedTensor) {
        return view.fail(
            ErrorCode::Unsupported, path, table,
            fmt::format("no support for values of kind {}", static_cast<int>(table->kind_type())));
    }
    const auto& quantized = FlatView::unionAs<schema::QuantizedTensor>(content);
    ET_TRY(reader.tensor(quantized.tensor(), value, path));
    return reader.quantization(quantized, value, path);
}

}  // namespace et::backends::xnnpack
