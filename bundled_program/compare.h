#pragma once

#include "bundled_program/bundle.h"
#include "bundled_program/output_limits.h"
#include "bundled_program/tolerance.h"
#include "runtime/core/result.h"
#include "runtime/core/value.h"
#include "runtime/executor/method.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::bundled_program {

/// How far apart an output and the one to expect are. Errors are over the pairs of finite numbers; a complex
/// number counts as two. Nothing where there is no such pair.
struct Metrics {
    std::optional<double> maxAbsoluteError;
    std::optional<double> maxRelativeError;  ///< |given - expected| / |expected|, where expected is not 0
    std::optional<double> meanAbsoluteError;
    std::optional<double> meanSquaredError;
    /// 10 log10(sum expected^2 / sum (given - expected)^2); nothing also where both are equal.
    std::optional<double> signalToNoiseDecibels;
    std::optional<double> cosineSimilarity;  ///< nothing also where one of both is all 0
    std::optional<double> maxSteps;  ///< largest error in steps of the quantization, where these are known
    /// Rows whose largest element is where it should be (OutputLimits::sameTop1), of all; nothing: not asked.
    std::optional<double> top1Agreement;
    /// The most numbers of a floating dtype that lie from one to the other, both zeros being one.
    std::optional<std::uint64_t> maxUlp;
};

/// The pair of elements that is furthest from what is allowed; a NaN or infinity against anything else counts
/// as the worst there is.
struct WorstElement {
    std::vector<std::int64_t> index;  ///< a coordinate; empty for a single number
    std::string expected;             ///< as text, with as many digits as tell it from its neighbours
    std::string given;
};

/// How an output of a run compares with the one to expect.
struct Comparison {
    std::string difference;        ///< empty: they agree; else one line
    std::string type;              ///< what was given: "float32 [2, 3]", "Int"
    std::uint64_t elements = 0;    ///< compared; 0 also where kinds, dtypes or sizes differ
    std::uint64_t mismatches = 0;  ///< out of tolerance
    Tolerance tolerance;           ///< that was applied, unless the limits replace it
    OutputLimits limits;           ///< that were applied; those that do not fit its kind are left out
    Metrics metrics;
    std::optional<WorstElement> worst;  ///< nothing where all are equal

    [[nodiscard]] bool agrees() const { return difference.empty(); }
};

/// Kinds, dtypes and sizes have to be the same; elements are paired by their index, whatever the dim orders.
[[nodiscard]] Comparison compare(core::Value& given, const BundledValue& expected,
                                 const Tolerances& tolerances, const OutputLimits& limits = {});

/// The dense tensor of a case over the file's memory, which nothing may write to. Errors: Format (data that
/// do not fill it), those of core::Tensor::make().
[[nodiscard]] core::Result<core::Tensor> tensorOver(const BundledTensor& bundled);

/// Sets the inputs of a case. Errors: InvalidArgument (the case does not fit the method: says expected and
/// given).
[[nodiscard]] core::Result<> setInputs(executor::Method& method, const TestCase& testCase);

}  // namespace et::bundled_program
