#include "backends/xnnpack/custom_kernels/custom_up_convolution.h"

#include "backends/xnnpack/custom_kernels/custom_image_convolution.h"
#include "backends/xnnpack/library/status.h"

#include <algorithm>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using core::Result;

}  // namespace

bool isUpConvolution(const Payload& payload, const PayloadNode& node) {
    const auto* const fields = std::get_if<ConvolutionFields>(&node.fields);
    if (node.traits->form() != NodeForm::TransposedConvolution || fields == nullptr ||
        !hasFloatFilter(payload, node)) {
        return false;
    }
    const ImagePadding& padding = fields->padding;
    return fields->groups == 1 && padding.top + padding.right + padding.bottom + padding.left == 0 &&
           fields->adjustment.height + fields->adjustment.width == 0 && fields->dilation.height == 1 &&
           fields->dilation.width == 1 && fields->kernel.height == fields->stride.height &&
           fields->kernel.width == fields->stride.width && fields->kernel.height > 1 &&
           fields->kernel.width > 1;
}

CustomUpConvolution::CustomUpConvolution(const PayloadNode& node)
    : input(node.inputs[0]), output(node.outputs[0]) {
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    inputChannels = fields.groupInputChannels;
    rowChannels = std::size_t{fields.kernel.width} * fields.groupOutputChannels;
}

Result<std::unique_ptr<CustomUpConvolution>> CustomUpConvolution::make(const Source& source,
                                                                       const PayloadNode& node) {
    std::unique_ptr<CustomUpConvolution> made(new CustomUpConvolution(node));
    ET_TRY(made->pack(source, node));
    return made;
}

/// The filter layout is [outputs, height, width, inputs].
Result<> CustomUpConvolution::pack(const Source& source, const PayloadNode& node) {
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    const std::size_t outputs = fields.groupOutputChannels;
    const OutputRange range = node.range.value_or(OutputRange{});
    const auto* const filter = static_cast<const float*>(source.constants.data(node.inputs[1]));
    const auto* const bias = node.inputs[2] == noValue
                                 ? nullptr
                                 : static_cast<const float*>(source.constants.data(node.inputs[2]));
    std::vector<float> biases(bias == nullptr ? 0 : rowChannels + XNN_EXTRA_BYTES);
    for (std::size_t x = 0; x < fields.kernel.width && bias != nullptr; ++x) {
        std::copy_n(bias, outputs, biases.data() + x * outputs);
    }
    std::vector<float> weights(rowChannels * inputChannels + XNN_EXTRA_BYTES);
    for (std::size_t y = 0; y < fields.kernel.height; ++y) {
        for (std::size_t x = 0; x < fields.kernel.width; ++x) {
            for (std::size_t channel = 0; channel < outputs; ++channel) {
                const std::size_t tap = (channel * fields.kernel.height + y) * fields.kernel.width + x;
                std::copy_n(filter + tap * inputChannels, inputChannels,
                            weights.data() + (x * outputs + channel) * inputChannels);
            }
        }
        xnn_operator_t product = nullptr;
        ET_TRY(checkStatus(
            xnn_create_fully_connected_nc_f32(inputChannels, rowChannels, inputChannels, rowChannels,
                                              weights.data(), bias == nullptr ? nullptr : biases.data(),
                                              range.min, range.max, 0, nullptr, nullptr, &product),
            "a transposed convolution"));
        products.emplace_back(product);
    }
    return {};
}

std::uint64_t CustomUpConvolution::packedBytes() const {
    return products.size() * rowChannels * (inputChannels + 1) * sizeof(float);
}

std::string CustomUpConvolution::name() const {
    return "Deconvolution (NHWC, F32)";
}

void CustomUpConvolution::reshape(const Shapes& shapes) {
    const ValueSizes& sizes = shapes[input];  // samples, height, width, channels
    rows = sizes[0] * sizes[1];
    width = sizes[2];
    for (const Product& product : products) {
        // This and the following calls only fail for operators of another kind.
        (void)xnn_reshape_fully_connected_nc_f32(product.get(), width, nullptr);
    }
}

void CustomUpConvolution::run(std::span<void* const> places) {
    const auto* from = static_cast<const float*>(places[input]);
    auto* to = static_cast<float*>(places[output]);
    for (std::size_t row = 0; row < rows; ++row) {
        for (const Product& product : products) {
            (void)xnn_setup_fully_connected_nc_f32(product.get(), from, to);
            (void)xnn_run_operator(product.get(), nullptr);
            to += width * rowChannels;
        }
        from += width * inputChannels;
    }
}

}  // namespace et::backends::xnnpack
