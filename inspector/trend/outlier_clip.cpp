#include "inspector/trend/outlier_clip.h"

#include <algorithm>
#include <cstddef>

namespace et::inspector {
namespace {

// By value so that compilers vectorize; std::min and std::max return references, which prevents it.
float lower(float a, float b) {
    return a < b ? a : b;
}
float higher(float a, float b) {
    return a < b ? b : a;
}

/// Median of five: the higher of the pairs' minima and the lower of their maxima bound it or are it.
float median(float a, float b, float c, float d, float e) {
    const float low = higher(lower(a, b), lower(c, d));
    const float high = lower(higher(a, b), higher(c, d));
    return higher(lower(low, high), lower(higher(low, high), e));
}

}  // namespace

void clipOutliers(std::span<float> series, float most, std::vector<float>& room) {
    constexpr std::size_t reach = clipWindow / 2;
    const std::size_t count = series.size();
    if (count < clipWindow) {
        return;
    }
    room.resize(count);
    float* const middle = room.data();
    const float* const value = series.data();
    for (std::size_t i = reach; i < count - reach; ++i) {
        middle[i] = median(value[i - 2], value[i - 1], value[i], value[i + 1], value[i + 2]);
    }
    for (std::size_t i = 0; i < reach; ++i) {
        middle[i] = middle[reach];
        middle[count - 1 - i] = middle[count - 1 - reach];
    }
    for (std::size_t i = 0; i < count; ++i) {
        series[i] = lower(higher(series[i], middle[i] - most), middle[i] + most);
    }
}

}  // namespace et::inspector
