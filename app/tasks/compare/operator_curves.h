#pragma once

#include "inspector/comparison/measurement.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Operators of one program over several of its measurements.
namespace et::tasks {

/// 0 if empty.
[[nodiscard]] double computeMedian(std::vector<double> samples);

/// An operator with its time in each measurement.
struct OperatorMedians {
    std::string name{};
    std::string backend{};  ///< of the delegate; empty: none
    std::string module{};   ///< module that it comes from; empty: the root, or no record
    std::int64_t chain = -1;
    std::int32_t instruction = -1;  ///< -1: unknown
    std::vector<double> medians{};  ///< nanoseconds, one per measurement
};

/// Operators that occur in every measurement, of its first method. Delegate calls with traced operators are
/// replaced by these.
[[nodiscard]] std::vector<OperatorMedians> operatorMedians(
    std::span<const inspector::Measurement* const> measurements);

}  // namespace et::tasks
