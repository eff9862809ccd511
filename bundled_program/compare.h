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

/// Differences between an actual and an expected output. Errors are computed over the pairs of finite
/// numbers; a complex number counts as two. Empty if there is no such pair.
struct Metrics {
    std::optional<double> maxAbsoluteError;
    std::optional<double> maxRelativeError;  ///< |given - expected| / |expected|, where expected is not 0
    std::optional<double> meanAbsoluteError;
    std::optional<double> meanSquaredError;
    /// Pairs with a NaN or an infinity against another value.
    std::uint64_t nonFinite = 0;
    /// 10 log10(sum expected^2 / sum (given - expected)^2); also empty if both are equal. -infinity if there
    /// are such pairs.
    std::optional<double> signalToNoiseDecibels;
    std::optional<double> cosineSimilarity;  ///< also empty if one of the two is all 0
    std::optional<double> maxSteps;          ///< largest error in quantization steps, if these are known
    /// Share of rows whose largest element is at the expected index (OutputLimits::sameTop1); empty: not
    /// requested.
    std::optional<double> top1Agreement;
    /// Largest ULP distance for a floating dtype; both zeros count as equal.
    std::optional<std::uint64_t> maxUlp;
};

/// The pair of elements that exceeds the tolerance most; a NaN or infinity against any other value counts as
/// the worst.
struct WorstElement {
    std::vector<std::int64_t> index;  ///< coordinates; empty for a single number
    std::string expected;             ///< as text, with enough digits to tell it from its neighbours
    std::string given;
};

/// Result of comparing an output with the expected one.
struct Comparison {
    std::string difference;        ///< one line; empty: they agree
    std::string type;              ///< of the actual output: "float32 [2, 3]", "Int"
    std::uint64_t elements = 0;    ///< number compared; 0 if kinds, dtypes or sizes differ
    std::uint64_t mismatches = 0;  ///< out of tolerance
    Tolerance tolerance;           ///< applied, unless the limits replace it
    OutputLimits limits;           ///< applied; without those that do not apply to its kind
    Metrics metrics;
    std::optional<WorstElement> worst;  ///< empty if all are equal

    [[nodiscard]] bool agrees() const { return difference.empty(); }
};

/// Kinds, dtypes and sizes have to be equal; elements are paired by index, regardless of dim order.
[[nodiscard]] Comparison compare(core::Value& given, const BundledValue& expected,
                                 const Tolerances& tolerances, const OutputLimits& limits = {});

/// The dense tensor of a case over the file's memory, which must not be written to. Errors: Format (data do
/// not fill it), those of core::Tensor::make().
[[nodiscard]] core::Result<core::Tensor> tensorOver(const BundledTensor& bundled);

/// Sets the inputs of a case. Errors: InvalidArgument (the case does not match the method: expected and
/// given).
[[nodiscard]] core::Result<> setInputs(executor::Method& method, const TestCase& testCase);

}  // namespace et::bundled_program
