#include "backends/reference/composing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

// Layers of the ATen dialect, composed of core operators: convolutions, products, normalizations, pooling.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Numbers = std::vector<std::int64_t>;

// Convolutions.

/// Padding of a convolution as numbers: "valid" is 0, "same" keeps the size (strides of 1 only).
Result<ReferenceValue> paddingOf(const ReferenceValue& padding, const ReferenceTensor& weight,
                                 const ReferenceValue& dilation) {
    const auto* word = padding.as<std::string>();
    if (word == nullptr) {
        return padding;
    }
    const Numbers sizes = sizesOf(weight);
    ET_ASSIGN(const Numbers dilations, integersOf(dilation));
    Numbers around;
    for (std::size_t i = 2; i < sizes.size(); ++i) {
        const std::int64_t step = dilations.empty() ? 1 : dilations[std::min(i - 2, dilations.size() - 1)];
        const std::int64_t total = *word == "same" ? step * (sizes[i] - 1) : 0;
        if (total % 2 != 0) {
            return core::fail(ErrorCode::Unsupported, "padding \"same\" with an even kernel");
        }
        around.push_back(total / 2);
    }
    return listOf(around);
}

/// input weight bias stride padding dilation groups; adds a batch dimension to a single image.
Composed convolve(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto input, tensorOf(arguments[0]));
    ET_ASSIGN(const auto weight, tensorOf(arguments[1]));
    ET_ASSIGN(const ReferenceValue padding, paddingOf(arguments[4], weight, arguments[5]));
    const ScalarType dtype = resultTypeOf(results, arguments);
    const bool unbatched = input.view.dim() + 1 == weight.view.dim();
    if (unbatched) {
        ET_ASSIGN(input, calls.tensor("aten.unsqueeze_copy.default", {{input}, whole(0)}, dtype));
    }
    const Numbers outputPadding(weight.view.dim() < 2 ? 0 : weight.view.dim() - 2, 0);
    ET_ASSIGN(auto made, calls.tensor("aten.convolution.default",
                                      {{input},
                                       arguments[1],
                                       arguments[2],
                                       arguments[3],
                                       padding,
                                       arguments[5],
                                       no,
                                       listOf(outputPadding),
                                       arguments[6]},
                                      dtype));
    if (unbatched) {
        return gives(calls.tensor("aten.squeeze_copy.dim", {{made}, whole(0)}, dtype));
    }
    return gives(std::move(made));
}

/// input weight bias stride padding output_padding groups dilation
ReferenceValue convolveTransposed(Formula& f) {
    return f("aten.convolution.default", {f[0], f[1], f[2], f[3], f[4], f[7], yes, f[5], f[6]});
}

// Products.

/// Reshapes a tensor to a batch of matrices with the leading sizes `batch`.
Result<ReferenceTensor> asBatch(Calls& calls, const ReferenceTensor& tensor, const Numbers& batch) {
    const ScalarType dtype = tensor.view.dtype();
    const std::size_t rank = tensor.view.dim();
    Numbers sizes = batch;
    sizes.push_back(tensor.view.size(rank - 2));
    sizes.push_back(tensor.view.size(rank - 1));
    ET_ASSIGN(auto wide, calls.tensor("aten.expand_copy.default", {{tensor}, listOf(sizes)}, dtype));
    std::int64_t count = 1;
    std::ranges::for_each(batch, [&](std::int64_t size) { count *= size; });
    const Numbers flat{count, sizes[sizes.size() - 2], sizes.back()};
    return calls.tensor("aten.view_copy.default", {{wide}, listOf(flat)}, dtype);
}

/// Broadcast of the leading sizes.
Result<Numbers> commonBatch(const Numbers& left, const Numbers& right) {
    const std::size_t rank = std::max(left.size(), right.size());
    Numbers batch;
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        const std::size_t fromEnd = rank - i;
        const std::int64_t a = fromEnd > left.size() ? 1 : left[left.size() - fromEnd];
        const std::int64_t b = fromEnd > right.size() ? 1 : right[right.size() - fromEnd];
        if (a != b && a != 1 && b != 1) {
            return core::fail(ErrorCode::InvalidArgument,
                              fmt::format("sizes {} and {} do not broadcast", a, b));
        }
        batch.push_back(a == 1 ? b : a);
    }
    return batch;
}

/// Vectors become a matrix with one row or column; the result drops that dimension.
Composed matmul(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(auto left, tensorOf(arguments[0]));
    ET_ASSIGN(auto right, tensorOf(arguments[1]));
    const ScalarType dtype = resultTypeOf(results, arguments);
    const bool rowVector = left.view.dim() == 1;
    const bool columnVector = right.view.dim() == 1;
    if (left.view.dim() == 0 || right.view.dim() == 0) {
        return core::fail(ErrorCode::InvalidArgument, "expected tensors with dimensions to multiply");
    }
    if (rowVector) {
        ET_ASSIGN(left, calls.tensor("aten.unsqueeze_copy.default", {{left}, whole(0)}, dtype));
    }
    if (columnVector) {
        ET_ASSIGN(right, calls.tensor("aten.unsqueeze_copy.default", {{right}, whole(1)}, dtype));
    }
    ET_ASSIGN(Numbers sizes, commonBatch(sizesOf(left), sizesOf(right)));
    ET_ASSIGN(auto a, asBatch(calls, left, sizes));
    ET_ASSIGN(auto b, asBatch(calls, right, sizes));
    ET_ASSIGN(auto product, calls.tensor("aten.bmm.default", {{a}, {b}}, dtype));
    if (!rowVector) {
        sizes.push_back(left.view.size(left.view.dim() - 2));
    }
    if (!columnVector) {
        sizes.push_back(right.view.size(right.view.dim() - 1));
    }
    return gives(calls.tensor("aten.view_copy.default", {{product}, listOf(sizes)}, dtype));
}

/// beta * self + alpha * (batch1 @ batch2)
ReferenceValue baddbmm(Formula& f) {
    const auto product = f("aten.bmm.default", {f[1], f[2]});
    return f("aten.add.Tensor", {f("aten.mul.Scalar", {f[0], f[3]}), product, f[4]});
}

// Normalizations.

/// input weight bias running_mean running_var training momentum eps
ReferenceValue batchNorm(Formula& f) {
    if (isTrue(f[5])) {
        return f.fail("batch normalization in training mode");
    }
    return f("aten._native_batch_norm_legit_no_training.default", {f[0], f[1], f[2], f[3], f[4], f[6], f[7]});
}

/// input num_groups weight bias eps
Composed groupNorm(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    if (input.view.dim() < 2) {
        return core::fail(ErrorCode::InvalidArgument, "expected a batch of channels to normalize");
    }
    const std::int64_t plane = input.view.size(0) * input.view.size(1);
    const std::int64_t pixels = plane == 0 ? 0 : input.view.numel() / plane;
    return gives(calls.tensor("aten.native_group_norm.default",
                              {arguments[0], arguments[2], arguments[3], whole(input.view.size(0)),
                               whole(input.view.size(1)), whole(pixels), arguments[1], arguments[4]},
                              resultTypeOf(results, arguments)));
}

/// input weight bias running_mean running_var use_input_stats momentum eps: normalizes each channel of each
/// image by its own mean and variance, or by the running ones.
Composed instanceNorm(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    if (!isTrue(arguments[5])) {
        return gives(calls.tensor("aten._native_batch_norm_legit_no_training.default",
                                  {arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                   arguments[6], arguments[7]},
                                  dtype));
    }
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    if (input.view.dim() < 3) {
        return core::fail(ErrorCode::InvalidArgument,
                          "expected a batch of multi-channel images to normalize");
    }
    const std::array<ReferenceValue, 5> inner{arguments[0], whole(input.view.size(1)), arguments[1],
                                              arguments[2], arguments[7]};
    return groupNorm(calls, inner, results);
}

/// input normalized_shape weight eps: x / sqrt(mean(x^2) + eps); the default eps is the dtype's epsilon.
Composed rmsNorm(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(const Numbers normalized, integersOf(arguments[1]));
    Numbers dims(normalized.size());
    std::ranges::generate(dims, [next = std::int64_t{0}]() mutable { return --next; });
    const double minStep = dtype == ScalarType::Double ? 2.220446049250313e-16 : 1.1920928955078125e-07;
    const ReferenceValue eps = isNone(arguments[3]) ? ReferenceValue{minStep} : arguments[3];
    ET_ASSIGN(auto squares, calls.tensor("aten.mul.Tensor", {arguments[0], arguments[0]}, dtype));
    ET_ASSIGN(auto means, calls.tensor("aten.mean.dim", {{squares}, listOf(dims), yes}, dtype));
    ET_ASSIGN(auto moved, calls.tensor("aten.add.Scalar", {{means}, eps}, dtype));
    ET_ASSIGN(auto factors, calls.tensor("aten.rsqrt.default", {{moved}}, dtype));
    ET_ASSIGN(auto made, calls.tensor("aten.mul.Tensor", {arguments[0], {factors}}, dtype));
    if (isNone(arguments[2])) {
        return gives(std::move(made));
    }
    return gives(calls.tensor("aten.mul.Tensor", {{made}, arguments[2]}, dtype));
}

/// Euclidean norms of a tensor along all dimensions except one, which are kept with size 1; dimension -1: the
/// norm of all elements, without dimensions.
Result<ReferenceTensor> normExcept(Calls& calls, const ReferenceValue& value, std::int64_t dim,
                                   ScalarType dtype) {
    ET_ASSIGN(const auto tensor, tensorOf(value));
    const auto rank = static_cast<std::int64_t>(tensor.view.dim());
    if (dim < -1 || dim >= rank) {
        return core::fail(ErrorCode::InvalidArgument,
                          fmt::format("expected a dimension from -1 to {}, got {}", rank - 1, dim));
    }
    Numbers dims;
    for (std::int64_t each = 0; each < rank; ++each) {
        if (each != dim) {
            dims.push_back(each);
        }
    }
    if (rank == 1 && dim == 0) {
        return calls.tensor("aten.abs.default", {value}, dtype);
    }
    return calls.tensor("aten.linalg_vector_norm.default", {value, {2.0}, listOf(dims), dim < 0 ? no : yes},
                        dtype);
}

/// v * (g / norm(v)), and the norms if the node has a second result.
Composed weightNorm(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    const bool twice = results.size() > 1 && !results[1].dtypes.empty();
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[2]));
    ET_ASSIGN(auto norms, normExcept(calls, arguments[0], dim, twice ? results[1].dtypes[0] : dtype));
    ET_ASSIGN(auto factors, calls.tensor("aten.div.Tensor", {arguments[1], {norms}}, dtype));
    ET_ASSIGN(auto weight, calls.tensor("aten.mul.Tensor", {arguments[0], {factors}}, dtype));
    std::vector<ReferenceValue> made{{std::move(weight)}};
    if (results.size() > 1) {
        made.push_back({std::move(norms)});
    }
    return made;
}

Composed normExceptDim(Calls& calls, Arguments arguments, Kinds results) {
    ET_ASSIGN(const double power, numberOf(arguments[1]));
    if (power != 2) {
        return core::fail(ErrorCode::Unsupported, "only the Euclidean norm is supported");
    }
    ET_ASSIGN(const std::int64_t dim, integerOf(arguments[2]));
    return gives(normExcept(calls, arguments[0], dim, resultTypeOf(results, arguments)));
}

// Pooling.

Composed firstOf(Calls& calls, Arguments arguments, Kinds results, std::string_view name) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    const ResultKind kind{.kind = ResultKind::Kind::Tensor, .dtypes = {dtype}};
    return calls.several(name, arguments, {&kind, 1});
}

Composed maxPool2d(Calls& calls, Arguments arguments, Kinds results) {
    return firstOf(calls, arguments, results, "aten.max_pool2d_with_indices.default");
}

Composed maxPool3d(Calls& calls, Arguments arguments, Kinds results) {
    return firstOf(calls, arguments, results, "aten.max_pool3d_with_indices.default");
}

/// Pools rows as an image of height 1.
Composed maxPool1d(Calls& calls, Arguments arguments, Kinds results) {
    const ScalarType dtype = resultTypeOf(results, arguments);
    ET_ASSIGN(auto image, calls.tensor("aten.unsqueeze_copy.default", {arguments[0], whole(-2)}, dtype));
    const auto widened = [](const ReferenceValue& value, std::int64_t line) -> Result<ReferenceValue> {
        ET_ASSIGN(Numbers numbers, integersOf(value));
        if (!numbers.empty()) {
            numbers.insert(numbers.begin(), line);
        }
        return listOf(numbers);
    };
    ET_ASSIGN(const auto kernel, widened(arguments[1], 1));
    ET_ASSIGN(const auto stride, widened(arguments[2], 1));
    ET_ASSIGN(const auto padding, widened(arguments[3], 0));
    ET_ASSIGN(const auto dilation, widened(arguments[4], 1));
    const std::array<ReferenceValue, 6> inner{ReferenceValue{image}, kernel, stride, padding, dilation,
                                              arguments[5]};
    ET_ASSIGN(const auto pooled, maxPool2d(calls, inner, results));
    return gives(calls.tensor("aten.squeeze_copy.dim", {pooled.front(), whole(-2)}, dtype));
}

constexpr std::string_view convolution =
    "input weight bias=None stride=[1] padding=[0] dilation=[1] groups=1";
constexpr std::string_view transposedConvolution =
    "input weight bias=None stride=[1] padding=[0] output_padding=[0] groups=1 dilation=[1]";
constexpr std::string_view maxPool = "self kernel_size stride=[] padding=[0] dilation=[1] ceil_mode=False";

constexpr Operator composedLayersRows[] = {
    {"aten.conv1d.default", convolution, "", convolve},
    {"aten.conv1d.padding", convolution, "", convolve},
    {"aten.conv2d.default", convolution, "", convolve},
    {"aten.conv2d.padding", convolution, "", convolve},
    {"aten.conv3d.default", convolution, "", convolve},
    {"aten.conv3d.padding", convolution, "", convolve},
    {"aten.conv_transpose1d.default", transposedConvolution, "", compose<convolveTransposed>},
    {"aten.conv_transpose2d.input", transposedConvolution, "", compose<convolveTransposed>},
    {"aten.conv_transpose3d.input", transposedConvolution, "", compose<convolveTransposed>},
    {"aten.matmul.default", "self other", "", matmul},
    {"aten.dot.default", "self tensor", "", matmul},
    {"aten.mv.default", "self vec", "", matmul},
    {"aten.baddbmm.default", "self batch1 batch2 beta=1 alpha=1", "", compose<baddbmm>},
    {"aten.batch_norm.default",
     "input weight bias running_mean running_var training momentum eps cudnn_enabled=True", "",
     compose<batchNorm>},
    {"aten.layer_norm.default", "input normalized_shape weight=None bias=None eps=1e-05 cudnn_enable=True",
     "",
     compose<[](Formula& f) { return f("aten.native_layer_norm.default", {f[0], f[1], f[2], f[3], f[4]}); }>},
    {"aten.group_norm.default", "input num_groups weight=None bias=None eps=1e-05 cudnn_enabled=True", "",
     groupNorm},
    {"aten.instance_norm.default",
     "input weight bias running_mean running_var use_input_stats momentum eps cudnn_enabled=True", "",
     instanceNorm},
    {"aten.rms_norm.default", "input normalized_shape weight=None eps=None", "", rmsNorm},
    {"aten._weight_norm.default", "v g dim=0", "", weightNorm},
    {"aten._weight_norm_interface.default", "v g dim=0 -> same same", "", weightNorm},
    {"aten.norm_except_dim.default", "v pow=2 dim=0", "", normExceptDim},
    {"aten.softmax.int", "self dim", "",
     compose<[](Formula& f) { return f("aten._softmax.default", {f.converted(0), f[1], no}); }>},
    {"aten.log_softmax.int", "self dim", "",
     compose<[](Formula& f) { return f("aten._log_softmax.default", {f.converted(0), f[1], no}); }>},
    {"aten.max_pool1d.default", maxPool, "", maxPool1d},
    {"aten.max_pool2d.default", maxPool, "", maxPool2d},
    {"aten.max_pool3d.default", maxPool, "", maxPool3d},
};

}  // namespace

std::span<const Operator> composedLayers() {
    return composedLayersRows;
}

}  // namespace et::backends::reference
