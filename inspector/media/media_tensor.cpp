#include "inspector/media/media_tensor.h"

#include "inspector/tensor_files/tensor_file.h"
#include "runtime/core/element_types.h"
#include "runtime/kernels/element_conversion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

std::string typeText(ScalarType type, const std::vector<std::int64_t>& sizes) {
    return fmt::format("{} [{}]", core::scalarTypeName(type), fmt::join(sizes, ", "));
}

/// Changes the number of leading sizes of 1 to those of a tensor of `rank` dimensions, if possible.
void setRank(std::size_t rank, std::vector<std::int64_t>& sizes) {
    while (sizes.size() > rank && !sizes.empty() && sizes.front() == 1) {
        sizes.erase(sizes.begin());
    }
    while (sizes.size() < rank) {
        sizes.insert(sizes.begin(), 1);
    }
}

bool fits(const MediaInput& input, const std::vector<std::int64_t>& sizes) {
    return std::ranges::equal(sizes, input.sizes, [&](std::int64_t given, std::int64_t wanted) {
        return given == wanted || (input.isDynamic && given >= 0 && given <= wanted);
    });
}

}  // namespace

Result<> MediaTensor::addStep(std::string name) {
    ET_ASSIGN(const auto conversion, kernels::Conversion::between(tensor.dtype, ScalarType::Double));
    MediaStep step{.name = std::move(name), .dtype = tensor.dtype, .sizes = tensor.sizes};
    const std::size_t width = core::elementBytes(tensor.dtype);
    const std::size_t count = width == 0 ? 0 : tensor.data.size() / width;
    double sum = 0;
    std::uint64_t finite = 0;
    step.least = std::numeric_limits<double>::infinity();
    step.most = -step.least;
    constexpr std::size_t block = 256;
    std::array<double, block> numbers{};
    for (std::size_t at = 0; at < count; at += block) {
        const std::size_t here = std::min(block, count - at);
        conversion.run(tensor.data.data() + (at * width), static_cast<std::int64_t>(width),
                       std::as_writable_bytes(std::span(numbers)).data(), sizeof(double),
                       static_cast<std::int64_t>(here));
        for (const double number : std::span(numbers).first(here)) {
            if (!std::isfinite(number)) {
                ++step.notFinite;
                continue;
            }
            step.least = std::min(step.least, number);
            step.most = std::max(step.most, number);
            sum += number;
            ++finite;
        }
    }
    if (finite == 0) {
        step.least = step.most = 0;
    } else {
        step.mean = sum / static_cast<double>(finite);
    }
    steps.push_back(std::move(step));
    return {};
}

Result<MediaTensor> readMediaTensor(const std::filesystem::path& file, const MediaInput& input) {
    const RawLayout raw{.dtype = input.dtype, .sizes = input.sizes};
    ET_ASSIGN(auto tensors, readTensorFile(file, raw, maxMediaBytes));
    if (tensors.size() != 1) {
        return fail(ErrorCode::Unsupported, fmt::format("expected one tensor, got {}", tensors.size()),
                    {.file = file.string(), .field = {}, .offset = {}});
    }
    MediaTensor media{.tensor = std::move(tensors.front()), .steps = {}};
    if (!media.tensor.dimOrder.empty()) {
        return fail(ErrorCode::Unsupported, "expected a tensor in row-major order",
                    {.file = file.string(), .field = {}, .offset = {}});
    }
    auto added = media.addStep("read");
    if (!added) {
        return std::unexpected(std::move(added).error().in(file.string()));
    }
    return media;
}

Result<> fitTo(const MediaInput& input, MediaTensor& media) {
    std::vector<std::int64_t> sizes = media.tensor.sizes;
    setRank(input.sizes.size(), sizes);
    const bool converts = media.tensor.dtype != input.dtype;
    if (!fits(input, sizes) ||
        (converts && !(core::isFloating(media.tensor.dtype) && core::isFloating(input.dtype)))) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("got {}, but the encoder takes {}{}",
                                typeText(media.tensor.dtype, media.tensor.sizes),
                                input.isDynamic ? "at most " : "", typeText(input.dtype, input.sizes)));
    }
    const bool reshapes = sizes != media.tensor.sizes;
    media.tensor.sizes = std::move(sizes);
    if (converts) {
        const std::size_t from = core::elementBytes(media.tensor.dtype);
        const std::size_t to = core::elementBytes(input.dtype);
        const std::size_t count = media.tensor.data.size() / from;
        ET_ASSIGN(const auto conversion, kernels::Conversion::between(media.tensor.dtype, input.dtype));
        std::vector<std::byte> data(count * to);
        conversion.run(media.tensor.data.data(), static_cast<std::int64_t>(from), data.data(),
                       static_cast<std::int64_t>(to), static_cast<std::int64_t>(count));
        media.tensor.data = std::move(data);
        media.tensor.dtype = input.dtype;
    }
    return reshapes || converts ? media.addStep(converts ? "convert" : "add batch") : Result<>();
}

}  // namespace et::inspector
