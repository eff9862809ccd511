#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Tests whether two sets of times differ. Pure functions; the method is described in
// docs/explanation/verdicts.md.
namespace et::inspector {

/// An interval that contains the true value with the requested confidence.
struct Interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
    bool operator==(const Interval&) const = default;
};

enum class TimeVerdict : std::uint8_t {
    Same,       ///< the ratio of the medians is within the threshold
    Slower,     ///< B takes longer than A by more than the threshold
    Faster,     ///< A takes longer than B by more than the threshold
    Undecided,  ///< the samples are too few or too noisy
};
struct TimeVerdictInfo {
    TimeVerdict verdict;
    std::string_view name;
};
inline constexpr TimeVerdictInfo timeVerdicts[] = {
    {TimeVerdict::Same, "same"},
    {TimeVerdict::Slower, "slower"},
    {TimeVerdict::Faster, "faster"},
    {TimeVerdict::Undecided, "undecided"},
};
[[nodiscard]] std::string_view name(TimeVerdict verdict);

/// Reason why a test has no verdict.
enum class UndecidedReason : std::uint8_t {
    None,            ///< has a verdict, or was not tested
    TooFewRuns,      ///< fewer than minSamples on a side, and their ranges overlap or are close
    AtThreshold,     ///< the change is too close to the threshold for any reasonable number of runs
    Noise,           ///< the runs vary too much for their number
    LaunchNoise,     ///< the launches vary too much for their number
    OtherLoad,       ///< as Noise or LaunchNoise, and other programs used the processors meanwhile
    TooFewLaunches,  ///< fewer than minLaunches on a side
    TooShort,        ///< spans only a few clock steps
};

/// Minimum number of samples per side for a verdict, unless the ranges of both sides are far apart.
inline constexpr std::size_t minSamples = 5;

struct TestOptions {
    double threshold = 0.02;   ///< relative: 0.02 is 2 %
    double confidence = 0.95;  ///< of the intervals; 1 - the rate of wrong verdicts
    std::size_t resamples = 2000;
    std::uint64_t seed = 0;
    bool paired = false;  ///< sample i of A and of B ran next to each other (interleaved)
};

/// Comparison of two sets of times, in the unit of the samples.
struct TimeTest {
    std::size_t countA = 0;
    std::size_t countB = 0;
    double medianA = 0;  ///< 0 without samples; of fasterHalf() for several launches
    double medianB = 0;
    Interval intervalA{};  ///< of the medians
    Interval intervalB{};
    double difference = 0;  ///< medianB - medianA
    Interval differenceInterval{};
    std::optional<double> ratio{};  ///< medianB / medianA; empty if medianA is 0
    std::optional<Interval> ratioInterval{};
    double slowerProbability = 1;  ///< p-value of "B is not slower by more than the threshold"
    double fasterProbability = 1;  ///< p-value of "B is not faster by more than the threshold"
    double otherProbability = 1;   ///< p-value of "they are not the same within the threshold"
    TimeVerdict verdict = TimeVerdict::Undecided;
    UndecidedReason reason = UndecidedReason::None;  ///< of Undecided
    /// Approximate number of runs per side for a verdict; see statistics_power.h. Empty: decided, or unknown.
    std::optional<std::uint64_t> runsToDecide{};
    std::size_t launches = 0;  ///< per side; 0: one launch each, so variation between launches is not
                               ///< included
    /// Like runsToDecide, for several launches.
    std::optional<std::uint64_t> launchesToDecide{};
    bool driftA = false;  ///< samples rise or fall from first to last, beyond chance
    bool driftB = false;
};

/// Samples of A and B. Borrowed for the duration of the call.
struct SamplePair {
    std::span<const double> a;
    std::span<const double> b;
};

/// Compares each pair. Verdicts Slower and Faster of all of them together are wrong in at most 1 -
/// options.confidence of families without any difference (Holm's method); Same and the intervals hold
/// individually. Deterministic for the same samples and seed. Samples must be finite.
[[nodiscard]] std::vector<TimeTest> testTimes(std::span<const SamplePair> family, const TestOptions& options);
[[nodiscard]] TimeTest testTimes(std::span<const double> a, std::span<const double> b,
                                 const TestOptions& options = {});

/// Index from which the times of repeated work are steady, that is, vary only by chance; empty if they are
/// not steady, or too few. Uses the MSER rule on running medians of three, see docs/explanation/verdicts.md.
[[nodiscard]] std::optional<std::size_t> steadyFrom(std::span<const double> times);

/// Whether samples rise or fall from first to last, beyond chance (Spearman's rank correlation with the
/// order, at 0.1 %). Always false for fewer than ten.
[[nodiscard]] bool drifts(std::span<const double> samples);

/// Median of the samples; 0 if there are none.
[[nodiscard]] double median(std::span<const double> samples);

}  // namespace et::inspector
