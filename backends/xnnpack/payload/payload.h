#pragma once

#include "backends/xnnpack/nodes/node_traits.h"
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

// What ExecuTorch's XNNPACK compiler wrote for its delegate. The format is described in docs/formats.md.
namespace et::backends::xnnpack {

/// Elements of a value. Numbers are those of the payload, which are not the library's.
enum class Datatype : std::int16_t {
    Invalid = 0,
    Fp32 = 1,
    Fp16 = 2,
    QInt8 = 3,    ///< one scale and zero point
    QUInt8 = 4,   ///< likewise
    QInt32 = 5,   ///< one scale: a bias
    QCInt8 = 6,   ///< a scale a channel: weights
    QCInt32 = 7,  ///< likewise: a bias
    QCInt4 = 8,   ///< two elements a byte
    QDInt8 = 9,   ///< scale and zero point a row, found at run time
    QBInt4 = 10,  ///< a bfloat16 scale a block of a channel
    QPInt8 = 11,
    Int32 = 12,
    PFp32 = 13,
    BFloat16 = 14,
};

struct DatatypeTraits {
    Datatype type;
    std::string_view name;  ///< "qint8"
    std::uint8_t bits;      ///< of one element; 0: not stored as elements
};

/// Null for a number outside the format.
[[nodiscard]] const DatatypeTraits* datatypeTraits(Datatype type);
/// "qint8", or "datatype 99".
[[nodiscard]] std::string datatypeName(Datatype type);

/// An index into Payload::values.
using ValueIndex = std::uint32_t;
/// Values of a node: of most they lie in place.
using NodeValues = core::DimList<ValueIndex, 4>;
/// No value: a bias that a node does without.
inline constexpr ValueIndex noValue = std::numeric_limits<ValueIndex>::max();

/// A number a dimension, as a payload has them: at most as many as the library's where it was read.
using PayloadDims = core::DimList<std::uint32_t, 4>;

/// A debug handle that says: a layout operator that lowering added, no node of the Edge graph.
inline constexpr std::uint32_t noDebugHandle = 65535;

struct PerTensorQuantization {
    float scale = 0;
    std::int32_t zeroPoint = 0;
};

/// Numbers that are in the payload's tables, or in one of its constants.
struct PerChannelQuantization {
    std::uint32_t channelDim = 0;
    std::vector<float> scales;  ///< empty: in constant `scaleConstant`
    std::uint32_t scaleConstant = 0;
    std::uint32_t scaleCount = 0;
};

struct PerTokenQuantization {
    std::uint32_t nonbatchDims = 0;
};

struct BlockwiseQuantization {
    std::uint32_t channelDim = 0;
    std::uint32_t blockSize = 0;
    std::vector<std::uint16_t> scales;  ///< bfloat16; empty: in constant `scaleConstant`
    std::uint32_t scaleConstant = 0;
    std::uint32_t scaleCount = 0;
};

using Quantization = std::variant<std::monostate, PerTensorQuantization, PerChannelQuantization,
                                  PerTokenQuantization, BlockwiseQuantization>;

/// A tensor inside the delegate. Sizes are in the order of memory: NHWC where the program says channels-last.
struct PayloadValue {
    std::uint32_t id = 0;  ///< as nodes name it in the payload
    Datatype datatype = Datatype::Invalid;
    PayloadDims sizes;  ///< as exported; dynamic ones are the largest
    Quantization quantization;
    std::uint32_t constant = 0;               ///< into Payload::constants; 0: not a constant
    std::optional<std::uint32_t> externalId;  ///< index of the delegate's argument
    bool isInput = false;
    bool isOutput = false;
    bool isQuantizedFirst = false;  ///< an input of files of 2023: nodes read its dynamically quantized form
};

/// Bytes of a constant, or the name under which the program or a tensor data file has them.
struct PayloadConstant {
    core::Bytes data;
    std::string name;  ///< empty: `data` is it
};

/// Zeros around an image, or output that is cut off around one.
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
    PayloadDims sizes;  ///< at most one is 0: what the others leave
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
    std::int32_t axis = 0;  ///< negative: from the last one back
};
struct NumberFields {
    float value = 0;  ///< ELU: alpha; leaky ReLU: the slope of negative numbers
};

using NodeFields =
    std::variant<std::monostate, ConvolutionFields, PoolingFields, TransposeFields, ReshapeFields,
                 SliceFields, PadFields, ResizeFields, ConcatenateFields, NumberFields>;

struct OutputRange {
    float min = -std::numeric_limits<float>::infinity();
    float max = std::numeric_limits<float>::infinity();
};

/// An operator inside the delegate. Its fields are the alternative that its form has.
struct PayloadNode {
    const NodeTraits* traits = nullptr;
    std::uint32_t debugHandle = noDebugHandle;
    std::uint32_t flags = 0;             ///< the library's
    std::optional<OutputRange> range{};  ///< a fused activation; of a clamp: its bounds
    NodeValues inputs{};                 ///< as many as traits->inputs; noValue: a bias that is left out
    NodeValues outputs{};                ///< one; two of ArgMaxPooling: values and indices
    NodeFields fields{};
};

/// A verified payload: every id is in range, every node reads what an earlier one or the caller wrote, ranks
/// are within the library's, every constant lies within the payload. Shapes are not yet followed through it:
/// see shapes.h.
struct Payload {
    /// Borrows `bytes`, which constants point into. Errors: Format (damaged, a contradiction), Unsupported (a
    /// node kind, datatype or flag that we do not know), Limit.
    [[nodiscard]] static core::Result<Payload> read(core::Bytes bytes);

    [[nodiscard]] const PayloadValue& value(ValueIndex index) const { return values[index]; }

    std::string version;
    std::vector<PayloadValue> values;
    std::vector<PayloadNode> nodes;          ///< in the order in which they run
    std::vector<PayloadConstant> constants;  ///< the first one stands for "not a constant"
    std::vector<ValueIndex> externals;       ///< by index of the delegate's argument, which may skip some
    std::shared_ptr<const std::vector<std::byte>> copied;  ///< keeps what lay at an odd address
};

}  // namespace et::backends::xnnpack
