#pragma once

#include "app/cli/options.h"
#include "backends/xnnpack/quantize/range_observer.h"

#include <array>
#include <string>
#include <vector>

namespace et::cli {

/// Values of --observer.
inline constexpr std::array observerChoices{
    Choice{"minmax", backends::xnnpack::ObserverKind::MinMax},
    Choice{"moving-average", backends::xnnpack::ObserverKind::MovingAverage},
    Choice{"histogram", backends::xnnpack::ObserverKind::Histogram},
    Choice{"percentile", backends::xnnpack::ObserverKind::Percentile},
    Choice{"mse", backends::xnnpack::ObserverKind::SquareError}};

/// Adds --observer and --keep.
inline void addRangeOptions(OptionList& options, backends::xnnpack::ObserverKind& observer,
                            std::vector<std::string>& keep) {
    options.choice("--observer", observer, observerChoices,
                   "Observer that chooses activation ranges (default: histogram)");
    options.text("--keep NAME,...", keep, "Nodes, operators, modules or sites to keep in float");
}

}  // namespace et::cli
