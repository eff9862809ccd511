#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Whether one set of times differs from another. Pure functions; the method is described in docs/compare.md.
namespace et::inspector {

/// An interval that holds the true value with the confidence that was asked for.
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
    Undecided,  ///< the samples are too few or too noisy to tell
};
struct TimeVerdictTraits {
    TimeVerdict verdict;
    std::string_view name;
};
inline constexpr TimeVerdictTraits timeVerdicts[] = {
    {TimeVerdict::Same, "same"},
    {TimeVerdict::Slower, "slower"},
    {TimeVerdict::Faster, "faster"},
    {TimeVerdict::Undecided, "undecided"},
};
[[nodiscard]] std::string_view name(TimeVerdict verdict);

/// What keeps a test from a verdict.
enum class UndecidedReason : std::uint8_t {
    None,            ///< it has one, or was not made
    TooFewRuns,      ///< fewer than minSamples on a side
    AtThreshold,     ///< the change is so close to the threshold that no number of runs within reason tells
    Noise,           ///< the runs differ too much for their number
    LaunchNoise,     ///< the launches do
    OtherLoad,       ///< likewise, and other programs used the processors meanwhile
    TooFewLaunches,  ///< fewer than minLaunches on a side
    TooShort,        ///< it takes no more than a few steps of the clock
};

/// Fewer samples than this on a side decide nothing.
inline constexpr std::size_t minSamples = 5;

struct TestOptions {
    double threshold = 0.02;   ///< relative: 0.02 is 2 %
    double confidence = 0.95;  ///< of the intervals, and 1 - the rate of wrong verdicts
    std::size_t resamples = 2000;
    std::uint64_t seed = 0;
    bool paired = false;  ///< sample i of A and of B ran next to each other (interleaved)
};

/// Two sets of times compared; all in the unit of the samples.
struct TimeTest {
    std::size_t countA = 0;
    std::size_t countB = 0;
    double medianA = 0;  ///< 0 without samples; of several launches: of their fasterHalf()
    double medianB = 0;
    Interval intervalA{};  ///< of the medians
    Interval intervalB{};
    double difference = 0;  ///< medianB - medianA
    Interval differenceInterval{};
    std::optional<double> ratio{};  ///< medianB / medianA; nothing where medianA is 0
    std::optional<Interval> ratioInterval{};
    double slowerProbability = 1;  ///< p-value of "B is not slower by more than the threshold"
    double fasterProbability = 1;  ///< p-value of "B is not faster by more than the threshold"
    double otherProbability = 1;   ///< p-value of "they are not the same within the threshold"
    TimeVerdict verdict = TimeVerdict::Undecided;
    UndecidedReason reason = UndecidedReason::None;  ///< of Undecided
    /// About how many runs of each side would decide; see statistics_power.h. Nothing: decided, or unknown.
    std::optional<std::uint64_t> runsToDecide{};
    std::size_t launches = 0;  ///< of each side; 0: one each, and what differs between launches is not in it
    /// As runsToDecide, where there are several launches.
    std::optional<std::uint64_t> launchesToDecide{};
    bool driftA = false;  ///< the samples rise or fall from first to last, beyond chance
    bool driftB = false;
};

/// A sample of A and one of B. Borrowed for the time of the call.
struct SamplePair {
    std::span<const double> a;
    std::span<const double> b;
};

/// Compares each pair. Verdicts Slower and Faster of all of them together are wrong in at most
/// 1 - options.confidence of families without any difference (Holm's method); Same and the intervals hold one
/// by one. The same samples and seed give the same answer. Samples must be finite.
[[nodiscard]] std::vector<TimeTest> testTimes(std::span<const SamplePair> family, const TestOptions& options);
[[nodiscard]] TimeTest testTimes(std::span<const double> a, std::span<const double> b,
                                 const TestOptions& options = {});

/// Where the times of a repeated work become steady, that is, from which one on nothing but chance changes
/// them; nothing while they are not, or are too few to tell. The MSER rule on running medians of three, see
/// docs/compare.md.
[[nodiscard]] std::optional<std::size_t> steadyFrom(std::span<const double> times);

/// Whether samples rise or fall from first to last, beyond chance (Spearman's rank correlation with the
/// order, at 0.1 %). Fewer than ten never do.
[[nodiscard]] bool drifts(std::span<const double> samples);

/// The middle of the samples; 0 without any.
[[nodiscard]] double median(std::span<const double> samples);

}  // namespace et::inspector
