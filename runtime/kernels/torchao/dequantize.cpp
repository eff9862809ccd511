#include "runtime/kernels/torchao/dequantize.h"

#include "runtime/core/gguf_blocks.h"
#include "runtime/core/small_floats.h"
#include "runtime/kernels/elements.h"
#include "runtime/kernels/quantized/affine.h"
#include "runtime/kernels/tensor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <ranges>

namespace et::kernels::torchao {
namespace {

constexpr auto float8e5m2 = static_cast<ScalarType>(23);
constexpr auto float8e4m3 = static_cast<ScalarType>(24);
constexpr auto float8e8m0 = static_cast<ScalarType>(44);

using core::e2m1;
using core::e4m3;
using core::e5m2;
using ByteTable = std::array<float, 256>;

/// 2^(byte - 127); 255: NaN.
float e8m0(unsigned byte) {
    constexpr std::uint32_t smallest = std::uint32_t{1} << 22U;
    return byte == 255 ? std::numeric_limits<float>::quiet_NaN()
                       : std::bit_cast<float>(byte == 0 ? smallest : byte << 23U);
}

const std::uint8_t* bytesOf(const Tensor& tensor) {
    return reinterpret_cast<const std::uint8_t*>(tensor.raw());
}

/// In double precision, the reference interpreter makes every result float64.
bool isResultDtype(std::optional<ScalarType> dtype, const Tensor& out) {
    return core::isFloating(out.dtype()) &&
           (!dtype || *dtype == out.dtype() || out.dtype() == ScalarType::Double);
}

core::Result<> prepareResult(std::optional<ScalarType> dtype, std::int64_t rows, std::int64_t columns,
                             Tensor& out) {
    if (!isResultDtype(dtype, out)) {
        return invalid(fmt::format(
            "output_dtype: expected {}, the dtype of out, got {}",
            core::isFloating(out.dtype()) ? core::scalarTypeName(out.dtype()) : "a floating dtype",
            core::scalarTypeName(dtype.value_or(out.dtype()))));
    }
    return resizeResult(out, out.dtype(), {rows, columns});
}

core::Result<> expectBytes(std::string_view name, const Tensor& tensor) {
    if (tensor.dim() != 2 || !tensor.isContiguous()) {
        return invalid(fmt::format("{}: expected a row-major tensor with 2 dimensions, got {}", name,
                                   core::describe(tensor)));
    }
    return {};
}

core::Result<> checkGroup(std::string_view name, std::int64_t group, std::int64_t columns) {
    if (group < 1 || columns % group != 0) {
        return invalid(fmt::format("{}: expected a divisor of {}, got {}", name, columns, group));
    }
    return {};
}

/// Calls `fill(element, count, to)` for parts of groups of `group` elements, and stores the numbers.
template <class Fill>
void forGroups(KernelContext& context, std::size_t group, Tensor& out, const Fill& fill) {
    const StoreElements<float> store = elementStorer<float>(out.dtype());
    constexpr std::size_t together = 256;
    const std::size_t groups = static_cast<std::size_t>(out.numel()) / group;
    context.threads().parallelFor(groups, (std::size_t{1} << 14U) / group + 1,
                                  [&](std::size_t begin, std::size_t end) {
                                      std::array<float, together> numbers;
                                      for (std::size_t at = begin * group; at < end * group;) {
                                          const std::size_t count = std::min(together, group - at % group);
                                          fill(at, count, numbers.data());
                                          store(numbers.data(), out.raw() + at * out.elementSize(), 1, count);
                                          at += count;
                                      }
                                  });
}

}  // namespace

core::Result<> dequantizeNvfp4(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                               const Tensor& perTensorScale, std::int64_t blockSize,
                               std::optional<ScalarType> outputDtype, Tensor& out) {
    ET_TRY(expectBytes("qdata", qdata));
    if (qdata.dtype() != ScalarType::UInt32 && qdata.dtype() != ScalarType::Byte) {
        return invalid(fmt::format("qdata: expected uint8 or uint32, got {}", core::describe(qdata)));
    }
    const std::int64_t rows = qdata.size(0);
    const std::int64_t columns = qdata.size(1) * static_cast<std::int64_t>(qdata.elementSize()) * 2;
    ET_TRY(checkGroup("block_size", blockSize, columns));
    ET_TRY(expectTensor("scale", scale, scale.dtype() == float8e4m3 ? float8e4m3 : ScalarType::Byte,
                        {rows, columns / blockSize}));
    if (perTensorScale.dtype() != ScalarType::Float || perTensorScale.numel() != 1) {
        return invalid(
            fmt::format("per_tensor_scale: expected one float32, got {}", core::describe(perTensorScale)));
    }
    ET_TRY(prepareResult(outputDtype, rows, columns, out));
    const float whole = *perTensorScale.data<float>();
    const auto group = static_cast<std::size_t>(blockSize);
    forGroups(context, group, out, [&](std::size_t element, std::size_t count, float* to) {
        const float factor = whole * e4m3[bytesOf(scale)[element / group]];
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned byte = bytesOf(qdata)[(element + i) / 2];
            to[i] = e2m1[(element + i) % 2 == 0 ? byte & 15U : byte >> 4U] * factor;
        }
    });
    return {};
}

core::Result<> dequantizeMx(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                            ScalarType elementDtype, std::int64_t blockSize,
                            std::optional<ScalarType> outputDtype, Tensor& out) {
    if (elementDtype != float8e4m3 && elementDtype != float8e5m2) {
        return invalid(fmt::format("elem_dtype: expected float8_e4m3fn or float8_e5m2, got {}",
                                   core::scalarTypeName(elementDtype)));
    }
    ET_TRY(expectRank("qdata", qdata, elementDtype, 2));
    const std::int64_t rows = qdata.size(0);
    const std::int64_t columns = qdata.size(1);
    ET_TRY(checkGroup("block_size", blockSize, columns));
    ET_TRY(expectTensor("scale", scale, scale.dtype() == ScalarType::Byte ? ScalarType::Byte : float8e8m0,
                        {rows, columns / blockSize}));
    ET_TRY(prepareResult(outputDtype, rows, columns, out));
    const ByteTable& table = elementDtype == float8e4m3 ? e4m3 : e5m2;
    const auto group = static_cast<std::size_t>(blockSize);
    forGroups(context, group, out, [&](std::size_t element, std::size_t count, float* to) {
        const float factor = e8m0(bytesOf(scale)[element / group]);
        for (std::size_t i = 0; i < count; ++i) {
            to[i] = table[bytesOf(qdata)[element + i]] * factor;
        }
    });
    return {};
}

core::Result<> dequantizeInt4(KernelContext& context, const Tensor& qdata, const Tensor& scale,
                              const Tensor& zeroPoint, std::int64_t groupSize,
                              std::optional<ScalarType> outputDtype, Tensor& out) {
    ET_TRY(expectRank("qdata", qdata, ScalarType::Byte, 2));
    const std::int64_t rows = qdata.size(0);
    const std::int64_t columns = qdata.size(1) * 2;
    ET_TRY(checkGroup("group_size", groupSize, columns));
    ET_TRY(expectTensor("scale", scale, scale.dtype(), {columns / groupSize, rows}));
    ET_TRY(expectTensor("zero_point", zeroPoint, zeroPoint.dtype(), {columns / groupSize, rows}));
    const LoadElements<float> loadScales = elementLoader<float>(scale.dtype());
    const LoadElements<float> loadZeros = elementLoader<float>(zeroPoint.dtype());
    if (loadScales == nullptr || loadZeros == nullptr) {
        return invalid(fmt::format("scale, zero_point: expected real numbers, got {} and {}",
                                   core::describe(scale), core::describe(zeroPoint)));
    }
    ET_TRY(prepareResult(outputDtype, rows, columns, out));
    const auto parameters = static_cast<std::size_t>(scale.numel());
    ET_ASSIGN(const auto scales, context.scratch<float>(parameters));
    ET_ASSIGN(const auto zeros, context.scratch<float>(parameters));
    loadScales(scale.raw(), 1, scales.data(), parameters);
    loadZeros(zeroPoint.raw(), 1, zeros.data(), parameters);
    const auto group = static_cast<std::size_t>(groupSize);
    const auto width = static_cast<std::size_t>(columns);
    forGroups(context, group, out, [&](std::size_t element, std::size_t count, float* to) {
        const std::size_t parameter =
            element % width / group * static_cast<std::size_t>(rows) + element / width;
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned byte = bytesOf(qdata)[(element + i) / 2];
            const unsigned integer = (element + i) % 2 == 0 ? byte & 15U : byte >> 4U;
            to[i] = (static_cast<float>(integer) - zeros[parameter]) * scales[parameter];
        }
    });
    return {};
}

core::Result<> dequantizeGguf(KernelContext& context, const Tensor& weight, std::string_view name,
                              std::optional<ScalarType> outputDtype, Tensor& out) {
    const core::GgufLayout* const type = core::ggufLayout(name);
    if (type == nullptr) {
        const auto names = core::ggufLayouts() | std::views::transform(&core::GgufLayout::name);
        return invalid(
            fmt::format("ggml_type: expected one of {}, got \"{}\"", fmt::join(names, ", "), name));
    }
    ET_TRY(expectRank("weight", weight, ScalarType::Byte, 2));
    const auto blockBytes = static_cast<std::int64_t>(type->bytes);
    if (weight.size(1) % blockBytes != 0) {
        return invalid(fmt::format("weight: expected rows of whole {} blocks ({} bytes), got {} bytes", name,
                                   blockBytes, weight.size(1)));
    }
    const std::int64_t rows = weight.size(0);
    const std::int64_t columns = weight.size(1) / blockBytes * static_cast<std::int64_t>(type->elements);
    ET_TRY(prepareResult(outputDtype, rows, columns, out));
    forGroups(context, type->elements, out, [&](std::size_t element, std::size_t, float* to) {
        type->dequantize(bytesOf(weight) + element / type->elements * type->bytes, to);
    });
    return {};
}

namespace {

/// Strides of one parameter per block, for sizes split into blocks and positions in them.
struct SplitIntoBlocks {
    Sizes sizes{};
    Strides strides{};
    std::int64_t blocks = 1;
};

core::Result<SplitIntoBlocks> splitIntoBlocks(const Tensor& input, IntList blockSize) {
    if (blockSize.size() != input.dim() || input.dim() * 2 > core::maxDims) {
        return invalid(fmt::format("block_size: expected {} sizes (at most {}), got {}", input.dim(),
                                   core::maxDims / 2, blockSize.size()));
    }
    SplitIntoBlocks split;
    split.sizes = Sizes(2 * input.dim(), 0);
    split.strides = Strides(2 * input.dim(), 0);
    for (std::size_t i = input.dim(); i-- > 0;) {
        if (blockSize[i] < 1 || input.size(i) % blockSize[i] != 0) {
            return invalid(fmt::format("block_size: expected sizes that divide {}, got [{}]",
                                       core::sizesText(input.sizes()), fmt::join(blockSize, ", ")));
        }
        split.sizes[2 * i] = input.size(i) / blockSize[i];
        split.sizes[2 * i + 1] = blockSize[i];
        split.strides[2 * i] = split.blocks;
        split.blocks *= split.sizes[2 * i];
    }
    return split;
}

template <class F>
core::Result<> dequantizeBlocks(KernelContext& context, const Tensor& input, const SplitIntoBlocks& split,
                                const Tensor& scale, const Tensor* zeroPoint, Tensor& out) {
    const auto count = static_cast<std::size_t>(split.blocks);
    quantized::AffineParameters<F> parameters{.strides = split.strides};
    ET_ASSIGN(parameters.scales, context.scratch<F>(count));
    ET_ASSIGN(parameters.zeroPoints, context.scratch<F>(count));
    elementLoader<F>(scale.dtype())(scale.raw(), 1, parameters.scales.data(), count);
    std::ranges::fill(parameters.zeroPoints, F{0});
    if (zeroPoint != nullptr) {
        elementLoader<F>(zeroPoint->dtype())(zeroPoint->raw(), 1, parameters.zeroPoints.data(), count);
    }
    ET_ASSIGN(const Tensor from, Tensor::make(input.dtype(), split.sizes, input.raw()));
    ET_ASSIGN(Tensor to, Tensor::make(out.dtype(), split.sizes, out.raw()));
    return quantized::dequantizeTensor<F>(context, from, parameters, to);
}

core::Result<> checkParameters(std::string_view name, const Tensor& tensor, std::int64_t blocks) {
    if (tensor.numel() != blocks || !tensor.isContiguous() ||
        elementLoader<float>(tensor.dtype()) == nullptr) {
        return invalid(
            fmt::format("{}: expected {} row-major numbers, got {}", name, blocks, core::describe(tensor)));
    }
    return {};
}

}  // namespace

core::Result<> dequantizeAffine(KernelContext& context, const Tensor& input, IntList blockSize,
                                const Tensor& scale, const Tensor* zeroPoint, ScalarType inputDtype,
                                std::optional<Scalar> /*quantMin*/, std::optional<Scalar> /*quantMax*/,
                                std::optional<ScalarType> outputDtype, Tensor& out) {
    ET_TRY(expectTensor("input", input, inputDtype, input.sizes()));
    ET_ASSIGN(const SplitIntoBlocks split, splitIntoBlocks(input, blockSize));
    const Tensor* const zeros = zeroPoint != nullptr && zeroPoint->numel() > 0 ? zeroPoint : nullptr;
    ET_TRY(checkParameters("scale", scale, split.blocks));
    if (zeros != nullptr) {
        ET_TRY(checkParameters("zero_point", *zeros, split.blocks));
    }
    if (!isResultDtype(outputDtype, out)) {
        return invalid(fmt::format("output_dtype: expected {}, the dtype of out, got {}",
                                   core::scalarTypeName(out.dtype()),
                                   core::scalarTypeName(outputDtype.value_or(out.dtype()))));
    }
    ET_TRY(resizeResult(out, out.dtype(), input.sizes()));
    if (out.numel() == 0) {
        return {};
    }
    return out.dtype() == ScalarType::Double
               ? dequantizeBlocks<double>(context, input, split, scale, zeros, out)
               : dequantizeBlocks<float>(context, input, split, scale, zeros, out);
}

}  // namespace et::kernels::torchao
