#pragma once

#include "app/cli/options.h"
#include "backends/xnnpack/quantize/range_observer.h"

#include <array>

namespace et::app {

/// What --observer can say.
inline constexpr std::array observerChoices{
    Choice{"minmax", backends::xnnpack::ObserverKind::MinMax},
    Choice{"moving-average", backends::xnnpack::ObserverKind::MovingAverage},
    Choice{"histogram", backends::xnnpack::ObserverKind::Histogram},
    Choice{"percentile", backends::xnnpack::ObserverKind::Percentile},
    Choice{"mse", backends::xnnpack::ObserverKind::SquareError}};

}  // namespace et::app
