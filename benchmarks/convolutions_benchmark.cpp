// Compares convolutions that a delegate computes itself with the library's, on one thread, in alternation.
// Does not use Google Benchmark. Each line reports the fastest of 200 runs. Exits with 1 if results differ in
// any bit.
#include "runtime/kernels/dense/image_depthwise.h"
#include "runtime/kernels/dense/narrow_convolution.h"
#include "runtime/kernels/quantized/byte_convolution.h"
#include "runtime/kernels/quantized/byte_depthwise.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using et::kernels::dense::ImageConvolution;
using et::kernels::dense::ImageDepthwise;
using et::kernels::dense::NarrowConvolution;
using et::kernels::quantized::ByteConvolution;
using et::kernels::quantized::ByteDepthwise;
using et::kernels::quantized::ByteFilter;

/// Shape of a convolution with a square kernel and equal strides and paddings in both dimensions.
struct Form {
    std::uint32_t height, width, inputs, outputs, kernel, stride = 1, padding = 0;
    bool isDepthwise = false;

    [[nodiscard]] std::uint32_t along(std::uint32_t size) const {
        return (size + 2 * padding - kernel) / stride + 1;
    }
    [[nodiscard]] std::size_t inputElements() const { return std::size_t{height} * width * inputs; }
    [[nodiscard]] std::size_t outputElements() const {
        return std::size_t{along(height)} * along(width) * outputs;
    }
    [[nodiscard]] std::size_t taken() const {
        return std::size_t{kernel} * kernel * (isDepthwise ? 1 : inputs);
    }
    [[nodiscard]] ImageConvolution shape() const {
        const auto axis = [this](std::uint32_t size) {
            return ImageConvolution::Axis{
                .input = size, .output = along(size), .kernel = kernel, .stride = stride, .padding = padding};
        };
        return {
            .height = axis(height), .width = axis(width), .inputChannels = inputs, .outputChannels = outputs};
    }
};

struct Deleter {
    void operator()(xnn_operator_t operation) const { (void)xnn_delete_operator(operation); }
};
using Operator = std::unique_ptr<std::remove_pointer_t<xnn_operator_t>, Deleter>;

void check(xnn_status status) {
    if (status != xnn_status_success) {
        fmt::print(stderr, "XNNPACK: status {}\n", static_cast<int>(status));
        std::exit(1);
    }
}

/// Random numbers, padded at the end for the library's over-reads.
template <class T>
std::vector<T> random(std::size_t count) {
    static std::mt19937 generator(1);
    std::vector<T> made(count + XNN_EXTRA_BYTES);
    if constexpr (std::is_same_v<T, float>) {
        std::uniform_real_distribution<float> numbers(-1, 1);
        std::ranges::generate(made, [&] { return numbers(generator); });
    } else {
        std::uniform_int_distribution<int> numbers(sizeof(T) == 1 ? -127 : -10'000,
                                                   sizeof(T) == 1 ? 127 : 10'000);
        std::ranges::generate(made, [&] { return static_cast<T>(numbers(generator)); });
    }
    return made;
}

template <class Work>
double microseconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// Runs both kernels in alternation. Returns false if their results differ in any bit.
template <class Kernel>
bool compare(std::string_view kind, const Form& form, const Kernel& kernel, const Operator& library,
             std::span<const typename Kernel::Element> theirs,
             const std::vector<typename Kernel::Element>& input) {
    constexpr int turns = 200;
    std::vector<typename Kernel::Element> ours(form.outputElements());
    std::vector<typename Kernel::Scratch> scratch(Kernel::scratchElements(form.shape()));
    double libraryTime = std::numeric_limits<double>::infinity();
    double ownTime = libraryTime;
    for (int turn = 0; turn < turns; ++turn) {
        libraryTime =
            std::min(libraryTime, microseconds([&] { check(xnn_run_operator(library.get(), nullptr)); }));
        ownTime = std::min(ownTime, microseconds([&] {
                               kernel.computeRows(input.data(), ours.data(), 0, form.along(form.height),
                                                  scratch.data());
                           }));
    }
    const bool isSame = std::memcmp(ours.data(), theirs.data(), ours.size() * sizeof(ours[0])) == 0;
    const double operations = 2.0 * static_cast<double>(form.outputElements() * form.taken());
    fmt::print(
        "{:<10} {:>3}x{:<3} {:>4} to {:<4} {}x{} stride {}: library {:8.1f} us {:6.0f} GFLOP/s, ours {:7.1f} "
        "us "
        "{:6.0f} GFLOP/s, {:.2f}{}\n",
        kind, form.height, form.width, form.inputs, form.outputs, form.kernel, form.kernel, form.stride,
        libraryTime, operations / libraryTime / 1e3, ownTime, operations / ownTime / 1e3,
        ownTime / libraryTime, isSame ? "" : ", OTHER BITS");
    return isSame;
}

bool compareFloats(const Form& form) {
    const std::vector<float> input = random<float>(form.inputElements());
    const std::vector<float> filter = random<float>(form.outputs * form.taken());
    const std::vector<float> bias = random<float>(form.outputs);
    std::vector<float> theirs(form.outputElements());
    xnn_operator_t made = nullptr;
    const std::uint32_t p = form.padding;
    const std::uint32_t groups = form.isDepthwise ? form.inputs : 1;
    check(xnn_create_convolution2d_nhwc_f32(
        p, p, p, p, form.kernel, form.kernel, form.stride, form.stride, 1, 1, groups, form.inputs / groups,
        form.outputs / groups, form.inputs, form.outputs, filter.data(), bias.data(), -1, 1,
        form.isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, nullptr, nullptr, &made));
    const Operator library(made);
    std::size_t bytes = 0;
    std::size_t alignment = 0;
    check(xnn_reshape_convolution2d_nhwc_f32(made, 1, form.height, form.width, &bytes, &alignment, nullptr,
                                             nullptr, nullptr));
    std::vector<std::byte> workspace(bytes + XNN_EXTRA_BYTES);
    check(xnn_setup_convolution2d_nhwc_f32(made, workspace.data(), input.data(), theirs.data()));
    if (!form.isDepthwise) {
        return compare("fp32", form, NarrowConvolution(form.shape(), filter.data(), bias.data(), -1, 1),
                       library, theirs, input);
    }
    std::vector<float> packed(ImageDepthwise::weightElements(form.shape()));
    ImageDepthwise::pack(form.shape(), filter.data(), bias.data(), packed.data());
    return compare("fp32 depth", form, ImageDepthwise(form.shape(), packed.data(), -1, 1), library, theirs,
                   input);
}

bool compareBytes(const Form& form) {
    constexpr float inputScale = 0.05F;
    constexpr std::int32_t inputZero = -3;
    constexpr std::int32_t outputZero = 7;
    const float outputScale = 0.02F * std::sqrt(static_cast<float>(form.taken()));
    const std::vector<std::int8_t> input = random<std::int8_t>(form.inputElements());
    const std::vector<std::int8_t> filter = random<std::int8_t>(form.outputs * form.taken());
    const std::vector<std::int32_t> bias = random<std::int32_t>(form.outputs);
    std::vector<float> filterScales(form.outputs);
    std::vector<float> scales(form.outputs);
    for (std::size_t i = 0; i < scales.size(); ++i) {
        filterScales[i] = 0.002F + 0.00001F * static_cast<float>(i);
        scales[i] = inputScale * filterScales[i] / outputScale;
    }
    std::vector<std::int8_t> theirs(form.outputElements());
    xnn_operator_t made = nullptr;
    const std::uint32_t p = form.padding;
    const std::uint32_t groups = form.isDepthwise ? form.inputs : 1;
    check(xnn_create_convolution2d_nhwc_qs8_qc8w(
        p, p, p, p, form.kernel, form.kernel, form.stride, form.stride, 1, 1, groups, form.inputs / groups,
        form.outputs / groups, form.inputs, form.outputs, inputZero, inputScale, filterScales.data(),
        filter.data(), bias.data(), outputZero, outputScale, -128, 127,
        form.isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0, nullptr, nullptr, &made));
    const Operator library(made);
    std::size_t bytes = 0;
    std::size_t alignment = 0;
    check(xnn_reshape_convolution2d_nhwc_qs8_qc8w(made, 1, form.height, form.width, &bytes, &alignment,
                                                  nullptr, nullptr, nullptr));
    std::vector<std::byte> workspace(bytes + XNN_EXTRA_BYTES);
    check(xnn_setup_convolution2d_nhwc_qs8_qc8w(made, workspace.data(), input.data(), theirs.data()));
    const ByteFilter ours{.weights = filter.data(),
                          .bias = bias.data(),
                          .scales = scales.data(),
                          .inputZero = inputZero,
                          .outputZero = outputZero};
    return form.isDepthwise
               ? compare("q8 depth", form, ByteDepthwise(form.shape(), ours), library, theirs, input)
               : compare("q8", form, ByteConvolution(form.shape(), ours), library, theirs, input);
}

constexpr Form depthwiseForms[] = {
    {112, 112, 32, 32, 3, 1, 1, true}, {112, 112, 96, 96, 3, 2, 1, true}, {56, 56, 144, 144, 3, 1, 1, true},
    {28, 28, 192, 192, 3, 2, 1, true}, {14, 14, 576, 576, 3, 1, 1, true}, {7, 7, 960, 960, 3, 1, 1, true},
    {56, 56, 72, 72, 5, 2, 2, true},   {28, 28, 120, 120, 5, 1, 2, true}, {14, 14, 240, 240, 5, 1, 2, true},
    {7, 7, 576, 576, 5, 1, 2, true},   {48, 48, 16, 16, 3, 1, 1, true},   {24, 24, 48, 48, 3, 1, 1, true},
    {12, 12, 96, 96, 3, 1, 1, true},   {6, 6, 144, 144, 3, 1, 1, true},   {30, 30, 48, 48, 7, 1, 3, true}};

}  // namespace

int main() {
    check(xnn_initialize(nullptr));
    bool isSame = true;
    if (et::kernels::dense::narrowChannels() >= 16) {
        for (const Form& form :
             {Form{128, 128, 16, 16, 3, 1, 1}, Form{128, 128, 3, 16, 3, 1, 1}, Form{128, 128, 16, 4, 1},
              Form{112, 112, 32, 16, 1}, Form{64, 64, 32, 16, 3, 2, 1}, Form{256, 256, 8, 8, 3, 1, 1},
              Form{96, 96, 3, 16, 3, 2, 1}, Form{48, 48, 16, 8, 1}, Form{12, 12, 96, 16, 1},
              Form{6, 6, 96, 16, 1}}) {
            isSame = compareFloats(form) && isSame;
        }
    }
    for (const Form& form : depthwiseForms) {
        isSame = (!ImageDepthwise::takes(form.shape()) || compareFloats(form)) && isSame;
    }
    if (!et::kernels::quantized::hasFastByteConvolution()) {
        return isSame ? 0 : 1;
    }
    for (const Form& form :
         {Form{224, 224, 3, 16, 3, 2, 1}, Form{224, 224, 3, 32, 3, 2, 1}, Form{224, 224, 3, 64, 7, 2, 3},
          Form{32, 32, 3, 16, 3, 1, 1}, Form{56, 56, 8, 32, 3, 1, 1}, Form{56, 56, 16, 32, 3, 1, 1},
          Form{112, 112, 32, 16, 1}, Form{112, 112, 16, 96, 1}}) {
        isSame = compareBytes(form) && isSame;
    }
    for (const Form& form : depthwiseForms) {
        isSame = compareBytes(form) && isSame;
    }
    return isSame ? 0 : 1;
}
