#include "backends/xnnpack/library/library_value.h"

#include "backends/xnnpack/nodes/stored_types.h"

#include <algorithm>
#include <variant>

namespace et::backends::xnnpack {
namespace {

/// Offset added to stored 4-bit weights.
constexpr std::int32_t int4ZeroPoint = 8;

struct DatatypePair {
    Datatype ours;
    xnn_datatype library;
};
constexpr std::array datatypePairs = std::to_array<DatatypePair>({
    {Datatype::Fp32, xnn_datatype_fp32},
    {Datatype::Fp16, xnn_datatype_fp16},
    {Datatype::QInt8, xnn_datatype_qint8},
    {Datatype::QUInt8, xnn_datatype_quint8},
    {Datatype::QInt32, xnn_datatype_qint32},
    {Datatype::QCInt8, xnn_datatype_qcint8},
    {Datatype::QCInt32, xnn_datatype_qcint32},
    {Datatype::QCInt4, xnn_datatype_qcint4},
    {Datatype::QDInt8, xnn_datatype_qdint8},
    {Datatype::QBInt4, xnn_datatype_qbint4},
    {Datatype::Int32, xnn_datatype_int32},
});

/// Defines a value, with one overload per kind of quantization.
class Definition {
  public:
    Definition(const ValueToDefine& from, std::uint32_t& into)
        : what(from), id(into), type(libraryType(computedAs(from.value.datatype, from.widenHalf))) {}

    xnn_status operator()(std::monostate) const {
        return xnn_define_tensor_value(what.graph, type, what.dims.rank, sizes(), data(),
                                       what.ends.externalId, what.ends.flags, &id);
    }
    xnn_status operator()(const PerTensorQuantization& tensor) const {
        return xnn_define_quantized_tensor_value(what.graph, type, tensor.zeroPoint, tensor.scale,
                                                 what.dims.rank, sizes(), data(), what.ends.externalId,
                                                 what.ends.flags, &id);
    }
    xnn_status operator()(const PerChannelQuantization& channels) const {
        return xnn_define_channelwise_quantized_tensor_value_v2(
            what.graph, type, what.value.datatype == Datatype::QCInt4 ? int4ZeroPoint : 0,
            what.constants.channelScales(what.index).data(), what.dims.rank, channels.channelDim, sizes(),
            data(), what.ends.externalId, what.ends.flags, &id);
    }
    xnn_status operator()(const PerTokenQuantization& rows) const {
        return xnn_define_dynamically_quantized_tensor_value(what.graph, type, what.dims.rank,
                                                             rows.nonbatchDims, sizes(), what.ends.externalId,
                                                             what.ends.flags, &id);
    }
    xnn_status operator()(const BlockwiseQuantization& blocks) const {
        return xnn_define_blockwise_quantized_tensor_value(
            what.graph, type, int4ZeroPoint, what.constants.blockScales(what.index).data(), what.dims.rank,
            blocks.channelDim, blocks.blockSize, sizes(), data(), what.ends.externalId, what.ends.flags, &id);
    }

  private:
    [[nodiscard]] const std::size_t* sizes() const { return what.dims.sizes.data(); }
    [[nodiscard]] const void* data() const { return what.constants.data(what.index); }

    const ValueToDefine& what;
    std::uint32_t& id;
    xnn_datatype type;
};

}  // namespace

Dims dimsOf(std::span<const std::size_t> sizes) {
    Dims dims;
    std::ranges::copy(sizes, dims.sizes.begin());
    dims.rank = sizes.size();
    return dims;
}

xnn_datatype libraryType(Datatype type) {
    const auto found = std::ranges::find(datatypePairs, type, &DatatypePair::ours);
    return found == datatypePairs.end() ? xnn_datatype_invalid : found->library;
}

xnn_status defineLibraryValue(const ValueToDefine& what, std::uint32_t& id) {
    return std::visit(Definition(what, id), what.value.quantization);
}

}  // namespace et::backends::xnnpack
