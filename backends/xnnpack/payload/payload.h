#pragma once

#include "backends/xnnpack/payload/node_traits.h"
#include "runtime/core/dim_list.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The payload written by ExecuTorch's XNNPACK compiler. docs/reference/delegate_payloads.md describes the
// format.
namespace et::backends::xnnpack {

/// Element types of a value. The numbers are the payload's, which differ from the library's.
enum class Datatype : std::int16_t {
    Invalid = 0,
    Fp32 = 1,
    Fp16 = 2,
    QInt8 = 3,    ///< a single scale and zero point
    QUInt8 = 4,   ///< likewise
    QInt32 = 5,   ///< a single scale: a bias
    QCInt8 = 6,   ///< one scale per channel: weights
    QCInt32 = 7,  ///< one scale per channel: a bias
    QCInt4 = 8,   ///< two elements per byte
    QDInt8 = 9,   ///< scale and zero point per row, computed at run time
    QBInt4 = 10,  ///< a bfloat16 scale per block of a channel
    QPInt8 = 11,
    Int32 = 12,
    PFp32 = 13,
    BFloat16 = 14,
};

struct DatatypeInfo {
    Datatype type;
    std::string_view name;  ///< "qint8"
    std::uint8_t bits;      ///< per element; 0: not stored as elements
};

/// Null for a number that is not in the format.
[[nodiscard]] const DatatypeInfo* datatypeInfo(Datatype type);
/// "qint8", or "datatype 99".
[[nodiscard]] std::string datatypeName(Datatype type);

/// An index into Payload::values.
using ValueIndex = std::uint32_t;
/// Values of a node; stored inline for most nodes.
using NodeValues = core::DimList<ValueIndex, 4>;
/// No value: an omitted bias.
inline constexpr ValueIndex noValue = std::numeric_limits<ValueIndex>::max();

/// One number per dimension; after reading, at most the library's maximum rank.
using PayloadDims = core::DimList<std::uint32_t, 4>;

/// Debug handle of layout operators added by lowering, which have no node in the Edge graph.
inline constexpr std::uint32_t noDebugHandle = 65535;

struct PerTensorQuantization {
    float scale = 0;
    std::int32_t zeroPoint = 0;
};

/// Scales stored in the payload's tables, or in one of its constants.
struct PerChannelQuantization {
    std::uint32_t channelDim = 0;
    std::vector<float> scales;  ///< empty: stored in constant `scaleConstant`
    std::uint32_t scaleConstant = 0;
    std::uint32_t scaleCount = 0;
};

struct PerTokenQuantization {
    std::uint32_t nonbatchDims = 0;
};

struct BlockwiseQuantization {
    std::uint32_t channelDim = 0;
    std::uint32_t blockSize = 0;
    std::vector<std::uint16_t> scales;  ///< bfloat16; empty: stored in constant `scaleConstant`
    std::uint32_t scaleConstant = 0;
    std::uint32_t scaleCount = 0;
};

using Quantization = std::variant<std::monostate, PerTensorQuantization, PerChannelQuantization,
                                  PerTokenQuantization, BlockwiseQuantization>;

/// A tensor inside the delegate. Sizes are in memory order: NHWC if the program specifies channels-last.
struct PayloadValue {
    std::uint32_t id = 0;  ///< id used by nodes of the payload
    Datatype datatype = Datatype::Invalid;
    PayloadDims sizes;  ///< as exported; maximum sizes if dynamic
    Quantization quantization;
    std::uint32_t constant = 0;               ///< index into Payload::constants; 0: not a constant
    std::optional<std::uint32_t> externalId;  ///< index of the delegate's argument
    bool isInput = false;
    bool isOutput = false;
    bool isQuantizedFirst = false;  ///< input in files of 2023 whose dynamically quantized form is read by
                                    ///< nodes
};

/// Bytes of a constant, or its name in the program or a tensor data file.
struct PayloadConstant {
    core::Bytes data;
    std::string name;  ///< empty: `data` contains the bytes
};

/// Zero padding around an image, or output cropped around one.
struct ImagePadding {
    std::uint32_t top = 0, right = 0, bottom = 0, left = 0;
};

struct HeightWidth {
    std::uint32_t height = 0, width = 0;
};

struct ConvolutionFields {
    ImagePadding padding;
    HeightWidth kernel, stride, dilation, adjustment;
    std::uint32_t groups = 0, groupInputChannels = 0, groupOutputChannels = 0;
};
struct PoolingFields {
    ImagePadding padding;
    HeightWidth window, stride, dilation;
};
struct TransposeFields {
    PayloadDims order;
};
struct ReshapeFields {
    PayloadDims sizes;  ///< at most one is 0: inferred from the others
};
struct SliceFields {
    PayloadDims offsets, sizes;
};
struct PadFields {
    PayloadDims before, after;
    float value = 0;
};
struct ResizeFields {
    HeightWidth size;
};
struct ConcatenateFields {
    std::int32_t axis = 0;  ///< negative values count from the end
};
struct NumberFields {
    float value = 0;  ///< ELU: alpha; leaky ReLU: the negative slope
};

using NodeFields =
    std::variant<std::monostate, ConvolutionFields, PoolingFields, TransposeFields, ReshapeFields,
                 SliceFields, PadFields, ResizeFields, ConcatenateFields, NumberFields>;

struct OutputRange {
    float min = -std::numeric_limits<float>::infinity();
    float max = std::numeric_limits<float>::infinity();
};

/// An operator inside the delegate. `fields` holds the alternative of its form.
struct PayloadNode {
    const NodeKindInfo* traits = nullptr;
    std::uint32_t debugHandle = noDebugHandle;
    std::uint32_t flags = 0;             ///< the library's
    std::optional<OutputRange> range{};  ///< a fused activation; for a clamp: its bounds
    NodeValues inputs{};                 ///< traits->inputs entries; noValue: an omitted bias
    NodeValues outputs{};                ///< one; two for ArgMaxPooling: values and indices
    NodeFields fields{};
};

/// A payload as read by readPayload() or made by a compiler. Shapes are not yet propagated: see shapes.h.
struct Payload {
    [[nodiscard]] const PayloadValue& value(ValueIndex index) const { return values[index]; }

    std::string version;
    std::vector<PayloadValue> values;
    std::vector<PayloadNode> nodes;          ///< in execution order
    std::vector<PayloadConstant> constants;  ///< index 0 means "not a constant"
    std::vector<ValueIndex> externals;       ///< by index of the delegate's argument; indices may be missing
    std::shared_ptr<const std::vector<std::byte>> copied;  ///< copies of data at unaligned addresses
};

}  // namespace et::backends::xnnpack
