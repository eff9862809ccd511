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

// Two measurements of (hopefully) the same model, operator by operator.
namespace et::inspector {

/// How an operator of one side found its counterpart.
enum class Alignment : std::uint8_t {
    DebugHandle,  ///< both carry the same debug handles
    Sequence,     ///< the same name at the same place of the sequence of operators
    Added,        ///< only B has it
    Removed,      ///< only A has it
};
struct AlignmentTraits {
    Alignment alignment;
    std::string_view name;
};
inline constexpr AlignmentTraits alignments[] = {
    {Alignment::DebugHandle, "debug_handle"},
    {Alignment::Sequence, "sequence"},
    {Alignment::Added, "added"},
    {Alignment::Removed, "removed"},
};
[[nodiscard]] std::string_view name(Alignment alignment);

struct ComparisonOptions {
    TestOptions test;
    bool interleaved = false;  ///< run i of A ran next to run i of B: then test.paired is set for all
};

/// An operator of both sides, or of one.
struct ComparisonRow {
    const OperatorTimes* a = nullptr;  ///< into Comparison::a; null: added
    const OperatorTimes* b = nullptr;  ///< into Comparison::b; null: removed
    Alignment alignment = Alignment::Sequence;
    TimeTest test{};  ///< of an operator that is added or removed: `difference` is its median, no verdict
    /// Nanoseconds (or ticks) that it adds to one run: the difference of the medians. What rows are sorted
    /// by.
    [[nodiscard]] double effect() const { return test.difference; }

    /// The side that there is; B's where there are both.
    [[nodiscard]] const OperatorTimes& shown() const { return b != nullptr ? *b : *a; }
    [[nodiscard]] std::string_view name() const { return shown().name; }
    /// For histograms; empty where the side is missing.
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

/// An output of both programs on the same inputs.
struct OutputComparison {
    std::string method;
    std::size_t index = 0;
    bool equal = false;  ///< bit by bit (by checksum)
    /// A's taken as the one to expect; nothing where the elements of a side are not there (a baseline).
    std::optional<bundled_program::Comparison> elements;
};

/// Two measurements, compared. Immutable; owns what its rows point to.
struct Comparison {
    std::shared_ptr<const Measurement> a;
    std::shared_ptr<const Measurement> b;
    ComparisonOptions options;
    std::vector<MethodComparison> methods;  ///< in A's order
    std::vector<OutputComparison> outputs;
    std::vector<std::string> onlyA;  ///< methods that only one side ran
    std::vector<std::string> onlyB;
    std::vector<std::string> warnings;  ///< those of both sides, and what makes the two hard to compare

    /// Both sides are several launches, in turns: verdicts are of launches, not of runs.
    [[nodiscard]] bool betweenLaunches() const;
    /// The total of a method is slower by more than the threshold.
    [[nodiscard]] bool slower() const;
    /// Elements of an output are further apart than the tolerance allows.
    [[nodiscard]] bool outputsDiffer() const;
};

/// What an output holds, for compareMeasurements(): a program's own, in the order of Measurement::outputs.
struct OutputElements {
    std::span<const bundled_program::BundledValue> a{};  ///< empty: not there
    std::span<const bundled_program::BundledValue> b{};
    bundled_program::Tolerances tolerances{};
};

/// Rows are aligned by debug handle where both sides have them, else by name along the longest common
/// sequence. Verdicts of all rows together are wrong in at most 1 - confidence of comparisons of equals
/// (Holm's method), and so is that of each total. Errors: Mismatch (times in cycles against nanoseconds, no
/// method that both ran), InvalidArgument (a threshold, confidence or number of resamples that makes no
/// sense).
[[nodiscard]] core::Result<std::shared_ptr<const Comparison>> compareMeasurements(
    std::shared_ptr<const Measurement> a, std::shared_ptr<const Measurement> b,
    const ComparisonOptions& options = {}, const OutputElements& outputs = {});

}  // namespace et::inspector
