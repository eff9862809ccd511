#include "visualizers/verify/small_picture.h"

#include "visualizers/toolkit/colour_scale.h"
#include "visualizers/verify/slice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

namespace et::visualizers {

namespace {

constexpr std::int64_t smallestSlice = 64;  // minimum number of elements to be visible
constexpr int largestSquare = 8;            // pixels

/// The part of the tensor shown, as matrix rows.
Slice shownSlice(const TensorValues& values) {
    const std::vector<std::int64_t>& sizes = values.sizes;
    const bool small = sizes.size() > 2 && sizes.back() * sizes[sizes.size() - 2] < smallestSlice;
    if (!small) {
        return {sizes, {}};
    }
    const std::int64_t rest =
        std::accumulate(sizes.begin() + 1, sizes.end(), std::int64_t{1}, std::multiplies<>());
    return {std::vector{sizes.front(), rest}, {}};
}

double furthest(const TensorValues& values, const Slice& slice, std::int64_t top, std::int64_t bottom,
                std::int64_t left, std::int64_t right) {
    double found = 0;
    for (std::int64_t row = top; row < bottom; ++row) {
        for (std::int64_t column = left; column < right; ++column) {
            const double number = values.numbers[slice.place(row, column)];
            if (std::isnan(number)) {
                return number;
            }
            found = std::abs(number) > std::abs(found) ? number : found;
        }
    }
    return found;
}

QRgb colourOf(double number, const ColourScale& scale) {
    return std::isnan(number)    ? ColourScale::nanColour
           : !std::isinf(number) ? scale.colour(number)
           : number > 0          ? ColourScale::positiveInfinityColour
                                 : ColourScale::negativeInfinityColour;
}

}  // namespace

QImage smallPicture(const TensorValues& values, QSize most) {
    const Slice slice = shownSlice(values);
    if (values.numbers.empty() || slice.empty() || most.isEmpty()) {
        return {};
    }
    const ColourScale scale(ColourScale::Kind::Sequential, values.numbers);
    const auto columns = static_cast<int>(std::min<std::int64_t>(slice.columns(), most.width()));
    const auto rows = static_cast<int>(std::min<std::int64_t>(slice.rows(), most.height()));
    QImage picture(columns, rows, QImage::Format_RGB32);
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            picture.setPixel(
                x, y,
                colourOf(furthest(values, slice, y * slice.rows() / rows, (y + 1) * slice.rows() / rows,
                                  x * slice.columns() / columns, (x + 1) * slice.columns() / columns),
                         scale));
        }
    }
    const int square = std::min({most.width() / columns, most.height() / rows, largestSquare});
    return square > 1 ? picture.scaled(picture.size() * square) : picture;
}

}  // namespace et::visualizers
