#pragma once

#include "inspector/comparison/measurement.h"

#include <span>
#include <string>
#include <vector>

// The operators of one program in several measurements of it.
namespace et::app {

/// 0 of none.
[[nodiscard]] double medianOf(std::vector<double> samples);

/// An operator with its time in each measurement.
struct OperatorMedians {
    std::string name{};
    std::string backend{};          ///< of a delegate; empty: none
    std::string module{};           ///< that it comes from; empty: the root, or no record
    std::vector<double> medians{};  ///< nanoseconds, one a measurement
};

/// Operators that every measurement has, of its first method. Of calls of delegates that traced what is in
/// them the parts count.
[[nodiscard]] std::vector<OperatorMedians> operatorMedians(
    std::span<const inspector::Measurement* const> measurements);

}  // namespace et::app
