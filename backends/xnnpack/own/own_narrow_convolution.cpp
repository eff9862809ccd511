#include "backends/xnnpack/own/own_narrow_convolution.h"

#include "backends/xnnpack/own/float_filter.h"

#include <algorithm>
#include <variant>

namespace et::backends::xnnpack {
namespace {

using kernels::dense::NarrowShape;

NarrowShape shapeOf(const PayloadNode& node) {
    const auto& fields = std::get<ConvolutionFields>(node.fields);
    return {.height = {.kernel = fields.kernel.height,
                       .stride = fields.stride.height,
                       .dilation = fields.dilation.height,
                       .padding = fields.padding.top},
            .width = {.kernel = fields.kernel.width,
                      .stride = fields.stride.width,
                      .dilation = fields.dilation.width,
                      .padding = fields.padding.left},
            .inputChannels = fields.groupInputChannels,
            .outputChannels = fields.groupOutputChannels};
}

const float* floatsOf(const OwnNode::Source& source, ValueIndex value) {
    return value == noValue ? nullptr : static_cast<const float*>(source.constants.data(value));
}

}  // namespace

bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes) {
    // Less is not worth the parts that the library's graph then falls into.
    constexpr std::size_t leastProducts = std::size_t{1} << 21U;
    if (node.traits->form() != NodeForm::Convolution || !hasFloatFilter(payload, node)) {
        return false;
    }
    const auto* const fields = std::get_if<ConvolutionFields>(&node.fields);
    return fields != nullptr && fields->groups == 1 &&
           fields->groupOutputChannels <= kernels::dense::narrowChannels() &&
           fields->kernel.height <= kernels::dense::maxNarrowKernel &&
           elementsOf(shapes[node.outputs[0]]) * fields->kernel.height * fields->kernel.width *
                   fields->groupInputChannels >=
               leastProducts;
}

OwnNarrowConvolution::OwnNarrowConvolution(const Source& source, const PayloadNode& node)
    : threads(source.threads),
      input(node.inputs[0]),
      output(node.outputs[0]),
      shape(shapeOf(node)),
      convolution(shape, floatsOf(source, node.inputs[1]), floatsOf(source, node.inputs[2]),
                  node.range.value_or(OutputRange{}).min, node.range.value_or(OutputRange{}).max) {
}

std::string OwnNarrowConvolution::name() const {
    return shape.height.kernel * shape.width.kernel == 1 ? "Convolution (NHWC, F32) GEMM"
                                                         : "Convolution (NHWC, F32) IGEMM";
}

void OwnNarrowConvolution::reshape(const Shapes& shapes) {
    const ValueSizes& from = shapes[input];  // samples, height, width, channels
    const ValueSizes& to = shapes[output];
    shape.height.input = from[1];
    shape.width.input = from[2];
    shape.height.output = to[1];
    shape.width.output = to[2];
    rows = to[0] * to[1];
    convolution.reshape(shape);
    scratch.resize(threads.threads() * convolution.scratchFloats());
}

void OwnNarrowConvolution::run(std::span<void* const> places) {
    const auto* const from = static_cast<const float*>(places[input]);
    auto* const to = static_cast<float*>(places[output]);
    const std::size_t workers = std::max<std::size_t>(std::min(threads.threads(), rows), 1);
    threads.parallelFor(workers, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t worker = begin; worker < end; ++worker) {
            convolution.computeRows(from, to, worker * rows / workers, (worker + 1) * rows / workers,
                                    scratch.data() + worker * convolution.scratchFloats());
        }
    });
}

}  // namespace et::backends::xnnpack
