#pragma once

#include "bundled_program/compare.h"
#include "inspector/comparison/measurement.h"
#include "inspector/comparison/statistics.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Operator-by-operator comparison of two measurements of (presumably) the same model.
namespace et::inspector {

/// How an operator was paired with its counterpart.
enum class Alignment : std::uint8_t {
    DebugHandle,  ///< both have the same debug handles
    Sequence,     ///< same name at the same position in the sequence of operators
    Added,        ///< exists only in B
    Removed,      ///< exists only in A
};
struct AlignmentInfo {
    Alignment alignment;
    std::string_view name;
};
inline constexpr AlignmentInfo alignments[] = {
    {Alignment::DebugHandle, "debug_handle"},
    {Alignment::Sequence, "sequence"},
    {Alignment::Added, "added"},
    {Alignment::Removed, "removed"},
};
[[nodiscard]] std::string_view name(Alignment alignment);

struct ComparisonOptions {
    TestOptions test;
    bool interleaved = false;  ///< run i of A ran next to run i of B: sets test.paired for all rows
};

/// An operator of one side or both.
struct ComparisonRow {
    const OperatorTimes* a = nullptr;  ///< into Comparison::a; null: added
    const OperatorTimes* b = nullptr;  ///< into Comparison::b; null: removed
    Alignment alignment = Alignment::Sequence;
    TimeTest test{};  ///< for an added or removed operator, `difference` is its median and there is no
                      ///< verdict
    /// Nanoseconds (or ticks) added to one run: the difference of the medians. Sort key of the rows.
    [[nodiscard]] double effect() const { return test.difference; }

    /// The existing side; B's if both exist.
    [[nodiscard]] const OperatorTimes& shown() const { return b != nullptr ? *b : *a; }
    [[nodiscard]] std::string_view name() const { return shown().name; }
    /// For histograms; empty if the side is missing.
    [[nodiscard]] std::span<const double> samplesA() const {
        return a != nullptr ? std::span<const double>(a->samples) : std::span<const double>();
    }
    [[nodiscard]] std::span<const double> samplesB() const {
        return b != nullptr ? std::span<const double>(b->samples) : std::span<const double>();
    }
};

/// A method that both sides ran.
struct MethodComparison {
    const MethodTimes* a = nullptr;  ///< into Comparison::a, never null
    const MethodTimes* b = nullptr;  ///< into Comparison::b, never null
    TimeTest total{};
    std::vector<ComparisonRow> rows{};  ///< largest absolute effect first
};

/// Comparison of one output of both programs on the same inputs.
struct OutputComparison {
    std::string method;
    std::size_t index = 0;
    bool equal = false;  ///< bitwise (by checksum)
    /// With A's output as the expected one; empty if the elements of a side are unavailable (a baseline).
    std::optional<bundled_program::Comparison> elements;
};

/// Comparison of two measurements. Immutable; owns what its rows point to.
struct Comparison {
    std::shared_ptr<const Measurement> a;
    std::shared_ptr<const Measurement> b;
    ComparisonOptions options;
    std::vector<MethodComparison> methods;  ///< in A's order
    std::vector<OutputComparison> outputs;
    std::vector<std::string> onlyA;  ///< methods that only A ran
    std::vector<std::string> onlyB;
    std::vector<std::string> warnings;  ///< of both sides, and reasons why they are hard to compare

    /// True if both sides are several launches in alternation; verdicts then compare launches, not runs.
    [[nodiscard]] bool betweenLaunches() const;
    /// True if the total of a method is slower by more than the threshold.
    [[nodiscard]] bool slower() const;
    /// True if elements of an output differ by more than the tolerance.
    [[nodiscard]] bool outputsDiffer() const;
};

/// Output values for compareMeasurements(), in the order of each program's Measurement::outputs.
struct OutputElements {
    std::span<const bundled_program::BundledValue> a{};  ///< empty: unavailable
    std::span<const bundled_program::BundledValue> b{};
    bundled_program::Tolerances tolerances{};
};

/// Rows are aligned by debug handle if both sides have them, else by name along the longest common sequence.
/// The verdicts of all rows together are wrong in at most 1 - confidence of comparisons without differences
/// (Holm's method), and so is that of each total. Errors: Mismatch (times in cycles against nanoseconds, no
/// method that both ran), InvalidArgument (invalid threshold, confidence or number of resamples).
[[nodiscard]] core::Result<std::shared_ptr<const Comparison>> compareMeasurements(
    std::shared_ptr<const Measurement> a, std::shared_ptr<const Measurement> b,
    const ComparisonOptions& options = {}, const OutputElements& outputs = {});

}  // namespace et::inspector
