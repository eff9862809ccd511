#pragma once

#include "inspector/comparison/statistics_launches.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace et::test {

/// Variation of launch times, relative to their level.
struct LaunchNoise {
    const char* name = "";
    double between = 0.01;  ///< per launch
    double process = 0;     ///< per launch, common to all operators
    double within = 0.02;   ///< per run
    double outliers = 0;    ///< fraction of launches whose time is up to doubled
    bool skewed = false;    ///< runs have a floor and a long tail
};

/// Number of operators, launches and runs, and time level.
struct LaunchShape {
    std::size_t operators = 1;
    std::size_t launches = 12;
    std::size_t runs = 15;
    double level = millisecond;
};

/// Operators of two programs, launched in pairs.
class MadeUpLaunches {
  public:
    /// `ratios`: B to A, per operator; 1 for missing entries.
    MadeUpLaunches(MadeUpSamples& made, const LaunchNoise& noise, const LaunchShape& shape,
                   const std::vector<double>& ratios = {})
        : a(shape.operators), b(shape.operators), family(shape.operators) {
        for (std::size_t launch = 0; launch < shape.launches; ++launch) {
            for (auto* side : {&a, &b}) {
                const double process =
                    noise.process * made.normal() + (made.uniform() < noise.outliers ? made.uniform() : 0);
                for (std::size_t each = 0; each < shape.operators; ++each) {
                    const double ratio = side == &b && each < ratios.size() ? ratios[each] : 1;
                    const double level =
                        shape.level * ratio * std::exp(process + noise.between * made.normal());
                    (*side)[each].push_back(made.make(shape.runs, [&](MadeUpSamples& one, std::size_t) {
                        const double run = one.normal();
                        return level * (1 + noise.within * (noise.skewed ? std::exp(run) : run));
                    }));
                }
            }
        }
        for (std::size_t each = 0; each < shape.operators; ++each) {
            family[each].a.assign(a[each].begin(), a[each].end());
            family[each].b.assign(b[each].begin(), b[each].end());
        }
    }
    MadeUpLaunches(const MadeUpLaunches&) = delete;
    MadeUpLaunches& operator=(const MadeUpLaunches&) = delete;

  private:
    using Launches = std::vector<std::vector<double>>;
    std::vector<Launches> a;
    std::vector<Launches> b;

  public:
    std::vector<inspector::LaunchSamples> family;  ///< views of this object's data
};

}  // namespace et::test
