#include "inspector/comparison/statistics_student.h"

#include <cmath>

namespace et::inspector {

double studentTail(double deviations, double freedom) {
    const double scale = (8 * freedom + 1) / (8 * freedom + 3);
    const double normal = scale * std::sqrt(freedom * std::log1p(deviations * deviations / freedom));
    return 0.5 * std::erfc(std::copysign(normal, deviations) / std::sqrt(2.0));
}

double studentMargin(double confidence, double freedom) {
    constexpr int halvings = 80;
    double low = 0;
    double high = 1e6;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (2 * studentTail(middle, freedom) > 1 - confidence ? low : high) = middle;
    }
    return high;
}

}  // namespace et::inspector
