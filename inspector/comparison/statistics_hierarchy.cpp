#include "inspector/comparison/statistics_hierarchy.h"

#include "inspector/comparison/statistics_launches.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace et::inspector {
namespace {

/// A fast generator of numbers below a bound, the same on every machine.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : random(seed) {}
    std::size_t below(std::size_t bound) {
        constexpr unsigned half = 32;
        return static_cast<std::size_t>(((random() >> half) * bound) >> half);
    }

  private:
    std::mt19937_64 random;
};

/// fasterHalf() of as many runs redrawn from `sorted`, which is ascending.
double redrawnHalf(std::span<const double> sorted, std::vector<std::uint32_t>& drawn, Draws& draws) {
    drawn.assign(sorted.size(), 0);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        ++drawn[draws.below(sorted.size())];
    }
    const std::size_t half = (sorted.size() + 1) / 2;
    std::size_t left = half;
    double sum = 0;
    for (std::size_t i = 0; left > 0; ++i) {
        const std::size_t taken = std::min<std::size_t>(left, drawn[i]);
        sum += sorted[i] * static_cast<double>(taken);
        left -= taken;
    }
    return sum / static_cast<double>(half);
}

std::vector<double> sorted(std::span<const double> runs) {
    std::vector<double> copy(runs.begin(), runs.end());
    std::ranges::sort(copy);
    return copy;
}

}  // namespace

std::vector<std::vector<double>> redrawnRuns(std::span<const LaunchRuns> launches, double floor,
                                             const HierarchyPlan& plan) {
    constexpr std::size_t most = 200;
    constexpr std::size_t least = 20;
    std::size_t runs = 1;
    for (const LaunchRuns& each : launches) {
        runs += each.a.size() + each.b.size();
    }
    const std::size_t each = std::clamp(plan.work / runs, least, most);
    Draws draws(plan.seed);
    std::vector<std::uint32_t> drawn;
    std::vector<std::vector<double>> redrawn;
    for (const LaunchRuns& launch : launches) {
        const std::vector<double> a = sorted(launch.a);
        const std::vector<double> b = sorted(launch.b);
        std::vector<double>& values = redrawn.emplace_back(each);
        for (double& value : values) {
            const double timeA = std::max(floor, redrawnHalf(a, drawn, draws));
            const double timeB = std::max(floor, redrawnHalf(b, drawn, draws));
            value = std::log(timeB / timeA);
        }
    }
    return redrawn;
}

std::vector<double> redrawnMeans(const RedrawnLaunches& launches, const HierarchyPlan& plan) {
    const std::size_t count = launches.redrawn.size();
    Draws draws(plan.seed + 1);
    std::vector<double> means(count == 0 ? 0 : plan.resamples);
    for (double& mean : means) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t launch = draws.below(count);
            const std::vector<double>& values = launches.redrawn[launch];
            const double own = values[draws.below(values.size())] - launches.offset[launch];
            sum += std::clamp(own, launches.kept.low, launches.kept.high) + launches.added[launch];
        }
        mean = sum / static_cast<double>(count);
    }
    return means;
}

}  // namespace et::inspector
