#include "inspector/roofline/roofline.h"

#include <algorithm>

namespace et::inspector {
namespace {

constexpr double giga = 1e9;

/// Half precision without native arithmetic is computed in single precision.
double peakFor(const OperatorCost& cost, const MachineProfile& profile, std::size_t threads) {
    const double peak = profile.peak(cost.arithmetic, threads);
    return peak > 0 ? peak : profile.peak(Arithmetic::Fp32, threads);
}

}  // namespace

LeastTime leastTime(const OperatorCost& cost, const MachineProfile& profile, std::size_t threads) {
    LeastTime least;
    const double peak = peakFor(cost, profile, threads);
    least.computing = peak > 0 ? cost.operations / (peak * giga) : 0;
    double left = cost.bytes();
    double below = 0;
    double most = -1;
    const std::vector<BandwidthRate> levels = profile.levels(threads);
    std::string slowest;
    for (const BandwidthRate& level : levels) {
        const double room =
            level.capacity == 0 ? left : std::max(0.0, static_cast<double>(level.capacity) - below);
        const double here = std::min(left, room);
        const double rate = level.best();
        const double seconds = here / (rate * giga);
        below += room;
        left -= here;
        least.moving += seconds;
        if (here > 0 && seconds > most) {
            most = seconds;
            slowest = level.level;
        }
    }
    least.seconds = std::max(least.computing, least.moving);
    least.boundBy = least.computing >= least.moving ? "compute" : slowest;
    return least;
}

}  // namespace et::inspector
