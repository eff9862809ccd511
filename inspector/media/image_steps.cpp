#include "inspector/media/image_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr std::size_t colors = 3;
constexpr double brightest = 255;

/// The numbers of a constant; empty: missing.
std::vector<double> constantNumbers(std::span<const program::ProgramConstant> constants,
                                    std::string_view name) {
    std::vector<double> numbers;
    for (const program::ProgramConstant& constant : constants) {
        std::string_view own = constant.name;
        own.remove_prefix(own.starts_with("get_") ? 4 : 0);
        if (own != name) {
            continue;
        }
        for (const auto& item : constant.items) {
            if (const auto* real = std::get_if<double>(&item)) {
                numbers.push_back(*real);
            } else if (const auto* whole = std::get_if<std::int64_t>(&item)) {
                numbers.push_back(static_cast<double>(*whole));
            }
        }
        break;
    }
    return numbers;
}

Result<> checkColors(std::string_view name, std::vector<double>& numbers) {
    if (numbers.size() == 1) {
        numbers.assign(colors, numbers.front());
    }
    if (!numbers.empty() && (numbers.size() != colors || !std::ranges::all_of(numbers, [](double number) {
                                 return std::isfinite(number);
                             }))) {
        return fail(ErrorCode::Mismatch,
                    fmt::format("expected 1 or 3 numbers, got {}", fmt::join(numbers, ", ")),
                    {.file = {}, .field = fmt::format("get_{}", name), .offset = {}});
    }
    return {};
}

double filterWeight(Resample resample, double x) {
    x = std::abs(x);
    if (resample == Resample::Bilinear) {
        return std::max(0.0, 1 - x);
    }
    constexpr double a = -0.5;
    if (x < 1) {
        return ((((a + 2) * x) - (a + 3)) * x * x) + 1;
    }
    return x < 2 ? (((((x - 5) * x) + 8) * x) - 4) * a : 0;
}

/// The weights of source pixels for one pixel of the result.
struct FilterTaps {
    std::size_t first = 0;
    std::vector<double> weights;
};

std::vector<FilterTaps> filterTaps(std::size_t from, std::size_t to, Resample resample) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double wide = std::max(scale, 1.0);
    const double reach = (resample == Resample::Bilinear ? 1.0 : 2.0) * wide;
    std::vector<FilterTaps> all(to);
    for (std::size_t i = 0; i < to; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * scale;
        if (resample == Resample::Nearest) {
            all[i] = {.first = std::min(from - 1, static_cast<std::size_t>(center)), .weights = {1.0}};
            continue;
        }
        const auto first = static_cast<std::size_t>(std::max(0.0, center - reach + 0.5));
        const auto end = std::min(from, static_cast<std::size_t>(center + reach + 0.5));
        double sum = 0;
        all[i].first = first;
        for (std::size_t at = first; at < end; ++at) {
            all[i].weights.push_back(filterWeight(resample, (static_cast<double>(at) - center + 0.5) / wide));
            sum += all[i].weights.back();
        }
        for (double& weight : all[i].weights) {
            weight /= sum;
        }
    }
    return all;
}

std::uint8_t toByte(double number) {
    return static_cast<std::uint8_t>(std::clamp(std::floor(number + 0.5), 0.0, brightest));
}

/// Layout of an encoder's input.
struct ImageLayout {
    std::size_t width = 0, height = 0;
    bool channelsFirst = true;
    bool patches = false;
};

Result<ImageLayout> imageLayout(const Pixels& pixels, const ImageSettings& settings,
                                const MediaInput& input) {
    const std::vector<std::int64_t>& sizes = input.sizes;
    const std::size_t rank = sizes.size();
    const auto size = [&](std::size_t fromEnd) {
        return static_cast<std::size_t>(std::max<std::int64_t>(0, sizes[rank - fromEnd]));
    };
    const bool isBatchOfOne = rank < 4 || sizes[0] == 1;
    if ((rank == 3 || rank == 4) && isBatchOfOne && size(3) == colors) {
        return ImageLayout{.width = size(1), .height = size(2), .channelsFirst = true};
    }
    if ((rank == 3 || rank == 4) && isBatchOfOne && size(1) == colors) {
        return ImageLayout{.width = size(2), .height = size(3), .channelsFirst = false};
    }
    const std::size_t patch = settings.patch;
    if ((rank == 2 || rank == 3) && patch > 0 && size(1) == colors * patch * patch) {
        // The most square grid of this many patches, as wide as the image is wider.
        std::size_t rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(size(2))));
        while (rows > 1 && size(2) % rows != 0) {
            --rows;
        }
        std::size_t columns = size(2) / std::max<std::size_t>(rows, 1);
        if (pixels.height > pixels.width) {
            std::swap(rows, columns);
        }
        return ImageLayout{.width = columns * patch, .height = rows * patch, .patches = true};
    }
    return fail(ErrorCode::Unsupported,
                fmt::format("the vision encoder takes [{}]: expected [1, 3, H, W], [1, H, W, 3], or patches "
                            "[1, N, 3*P*P] with the constant get_patch_size",
                            fmt::join(sizes, ", ")));
}

/// Index of each number of the tensor in the pixels.
std::vector<std::size_t> pixelOrder(const ImageLayout& layout, std::size_t patch) {
    std::vector<std::size_t> order;
    order.reserve(layout.width * layout.height * colors);
    const auto add = [&](std::size_t y, std::size_t x, std::size_t color) {
        order.push_back((((y * layout.width) + x) * colors) + color);
    };
    if (layout.patches) {
        for (std::size_t top = 0; top < layout.height; top += patch) {
            for (std::size_t left = 0; left < layout.width; left += patch) {
                for (std::size_t at = 0; at < patch * patch * colors; ++at) {
                    const std::size_t pixel = at / colors;
                    add(top + (pixel / patch), left + (pixel % patch), at % colors);
                }
            }
        }
        return order;
    }
    for (std::size_t color = 0; color < colors; ++color) {
        for (std::size_t pixel = 0; pixel < layout.width * layout.height; ++pixel) {
            add(pixel / layout.width, pixel % layout.width, color);
        }
    }
    return order;
}

template <class T>
void reorder(std::vector<std::byte>& data, const std::vector<std::size_t>& order) {
    std::vector<std::byte> moved(order.size() * sizeof(T));
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::memcpy(moved.data() + (i * sizeof(T)), data.data() + (order[i] * sizeof(T)), sizeof(T));
    }
    data = std::move(moved);
}

/// Replaces bytes by float32, and applies the factor, mean and deviation.
Result<> normalize(MediaTensor& media, const ImageSettings& settings) {
    std::vector<float> numbers(media.tensor.data.size());
    const double factor = settings.rescale.value_or(1 / brightest);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<float>(std::to_integer<int>(media.tensor.data[i]) * factor);
    }
    const auto store = [&](std::string name) {
        const auto bytes = std::as_bytes(std::span(numbers));
        media.tensor.data.assign(bytes.begin(), bytes.end());
        media.tensor.dtype = ScalarType::Float;
        return media.addStep(std::move(name));
    };
    ET_TRY(store(fmt::format("rescale by {:.6g}", factor)));
    if (settings.mean.empty() && settings.deviation.empty()) {
        return {};
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double mean = settings.mean.empty() ? 0 : settings.mean[i % colors];
        const double deviation = settings.deviation.empty() ? 1 : settings.deviation[i % colors];
        numbers[i] = static_cast<float>((numbers[i] - mean) / deviation);
    }
    return store(fmt::format("normalize: mean {}, std {}", fmt::join(settings.mean, " "),
                             fmt::join(settings.deviation, " ")));
}

}  // namespace

Result<ImageSettings> imageSettings(std::span<const program::ProgramConstant> constants) {
    ImageSettings settings{.mean = constantNumbers(constants, "image_mean"),
                           .deviation = constantNumbers(constants, "image_std"),
                           .rescale = {}};
    ET_TRY(checkColors("image_mean", settings.mean));
    ET_TRY(checkColors("image_std", settings.deviation));
    if (std::ranges::contains(settings.deviation, 0.0)) {
        return fail(ErrorCode::Mismatch, "expected numbers other than 0",
                    {.file = {}, .field = "get_image_std", .offset = {}});
    }
    if (const auto rescale = constantNumbers(constants, "image_rescale"); !rescale.empty()) {
        settings.rescale = rescale.front();
    }
    if (const auto resample = constantNumbers(constants, "image_resample"); !resample.empty()) {
        if (resample.front() != 0 && resample.front() != 2 && resample.front() != 3) {
            return fail(
                ErrorCode::Mismatch,
                fmt::format("expected 0 (nearest), 2 (bilinear) or 3 (bicubic), got {}", resample.front()),
                {.file = {}, .field = "get_image_resample", .offset = {}});
        }
        settings.resample = static_cast<Resample>(static_cast<int>(resample.front()));
    }
    constexpr double mostPatch = 1024;
    if (const auto patch = constantNumbers(constants, "patch_size"); !patch.empty()) {
        settings.patch =
            patch.front() >= 1 && patch.front() <= mostPatch ? static_cast<std::size_t>(patch.front()) : 0;
    }
    return settings;
}

Pixels resized(const Pixels& from, std::size_t width, std::size_t height, Resample resample) {
    Pixels across{.width = width, .height = from.height, .rgb = {}};
    across.rgb.resize(width * from.height * colors);
    const auto columns = filterTaps(from.width, width, resample);
    for (std::size_t y = 0; y < from.height; ++y) {
        for (std::size_t at = 0; at < width * colors; ++at) {
            const FilterTaps& taps = columns[at / colors];
            double sum = 0;
            for (std::size_t i = 0; i < taps.weights.size(); ++i) {
                sum += taps.weights[i] *
                       from.rgb[(((y * from.width) + taps.first + i) * colors) + (at % colors)];
            }
            across.rgb[(y * width * colors) + at] = toByte(sum);
        }
    }
    Pixels result{.width = width, .height = height, .rgb = {}};
    result.rgb.resize(width * height * colors);
    const auto rows = filterTaps(from.height, height, resample);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t at = 0; at < width * colors; ++at) {
            double sum = 0;
            for (std::size_t i = 0; i < rows[y].weights.size(); ++i) {
                sum += rows[y].weights[i] * across.rgb[((rows[y].first + i) * width * colors) + at];
            }
            result.rgb[(y * width * colors) + at] = toByte(sum);
        }
    }
    return result;
}

Result<MediaTensor> imageTensor(Pixels pixels, std::string_view format, const ImageSettings& settings,
                                const MediaInput& input) {
    ET_ASSIGN(const ImageLayout layout, imageLayout(pixels, settings, input));
    if (layout.width == 0 || layout.height == 0 || layout.width > maxPixels / layout.height) {
        return fail(ErrorCode::Limit,
                    fmt::format("the vision encoder takes images of {} x {} pixels, at most {} are "
                                "supported",
                                layout.width, layout.height, maxPixels));
    }
    MediaTensor media;
    const auto store = [&](std::string name) {
        const auto bytes = std::as_bytes(std::span(pixels.rgb));
        media.tensor = {.dtype = ScalarType::Byte,
                        .sizes = {static_cast<std::int64_t>(pixels.height),
                                  static_cast<std::int64_t>(pixels.width), static_cast<std::int64_t>(colors)},
                        .dimOrder = {},
                        .data = {bytes.begin(), bytes.end()}};
        return media.addStep(std::move(name));
    };
    ET_TRY(store(fmt::format("decode {}", format)));
    if (pixels.width != layout.width || pixels.height != layout.height) {
        pixels = resized(pixels, layout.width, layout.height, settings.resample);
        constexpr std::array<std::string_view, 4> names{"nearest", "", "bilinear", "bicubic"};
        ET_TRY(store(fmt::format("resize ({})", names[static_cast<std::size_t>(settings.resample)])));
    }
    if (input.dtype != ScalarType::Byte) {
        ET_TRY(normalize(media, settings));
    }
    if (layout.channelsFirst || layout.patches) {
        const auto order = pixelOrder(layout, settings.patch);
        input.dtype == ScalarType::Byte ? reorder<std::uint8_t>(media.tensor.data, order)
                                        : reorder<float>(media.tensor.data, order);
        std::vector<std::int64_t>& sizes = media.tensor.sizes;
        sizes = layout.patches ? std::vector<std::int64_t>(input.sizes.end() - 2, input.sizes.end())
                               : std::vector<std::int64_t>{sizes[2], sizes[0], sizes[1]};
        ET_TRY(
            media.addStep(layout.patches ? fmt::format("patches of {}", settings.patch) : "channels first"));
    }
    ET_TRY(fitTo(input, media));
    return media;
}

}  // namespace et::inspector
