#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "app/tasks/soak/value_watch.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

class OptionList;

/// Difference from the first execution on the same inputs.
enum class SoakVariant : std::uint8_t {
    Again,    ///< nothing: the same loaded method, the same inputs
    Fresh,    ///< the method is reloaded
    Poison,   ///< reloaded, with different bytes in uninitialized memory
    Between,  ///< the same method, after an execution on other inputs
    Threads   ///< reloaded, with several threads
};
inline constexpr std::size_t soakVariants = 5;
struct SoakVariantInfo {
    std::string_view name;     ///< "again"
    std::string_view meaning;  ///< meaning of a difference
};
[[nodiscard]] const SoakVariantInfo& traits(SoakVariant variant);

/// Model and length of a soak run.
struct SoakSettings {
    std::filesystem::path model;
    ModelOptions options;
    std::size_t runs = 500;
    std::optional<double> seconds;       ///< instead of `runs`
    std::size_t threads = 4;             ///< of SoakVariant::Threads
    std::filesystem::path memoryReport;  ///< memory errors found by --sanitize; empty: none
};

/// Adds all options except those of the output.
void addSoakOptions(OptionList& options, SoakSettings& settings);

struct InnerFailures;

/// An operator whose values were the first to differ in an execution.
struct SoakFailure {
    ValueDifference example;
    std::size_t runs = 0;
    std::array<std::size_t, soakVariants> byVariant{};
    std::shared_ptr<const InnerFailures> inside{};  ///< for a delegate call; null: not inspected
    std::string innerProblem{};                     ///< why a delegate call was not inspected
    std::optional<std::size_t> node{};              ///< inside a delegate: position of the operator, if known
};

/// Result of executing a differing delegate call alone on its recorded inputs, with its inner values.
struct InnerFailures {
    std::size_t runs = 0;
    std::size_t differing = 0;
    /// Operators of the delegate whose values differed first, most frequent first. An entry without
    /// ValueSite::inner: only the result of the call differed.
    std::vector<SoakFailure> failures;
};

/// Fraction of executions with its 95 % confidence interval (Clopper and Pearson, 1934).
struct SoakRate {
    double share = 0;
    double low = 0;
    double high = 1;
};
[[nodiscard]] SoakRate rateOf(std::size_t count, std::size_t of);

struct SoakResult {
    std::string method;
    std::size_t inputSets = 0;
    std::size_t runs = 0;  ///< executions compared
    std::size_t differing = 0;
    std::array<std::size_t, soakVariants> runsByVariant{};
    std::array<std::size_t, soakVariants> differingByVariant{};
    std::vector<SoakFailure> failures;  ///< most frequent first
    std::vector<KindOrigin> origins;    ///< of the first execution, on the first inputs with any
    bool state = false;  ///< the method has mutable state: executions of one loaded method may differ
    bool interrupted = false;
    std::optional<std::vector<MemoryFinding>> memoryErrors{};  ///< nothing: not checked

    [[nodiscard]] SoakRate rate() const { return rateOf(differing, runs); }
};

/// Runs a method repeatedly and compares all values written by its instructions bit by bit with those of the
/// first execution on the same inputs: all cases of a bundled program (the first 16), given inputs, or two
/// random input sets. For a differing delegate call, inspects the operators inside. Ctrl-C ends it with the
/// results so far. Errors: those of Model.
[[nodiscard]] core::Result<SoakResult> soak(const SoakSettings& settings, ProgressReporter& watch);

/// First occurrence of each number kind in a run traced with values, on any device.
struct TracedOrigins {
    std::vector<KindOrigin> origins;  ///< one per kind that occurs
    std::size_t values = 0;           ///< number of values inspected
};

/// Inspects the values in a debug buffer, of the instructions of a trace and of the operators of its
/// delegates, in execution order. Errors: those of both files, as inspector::valuesOf().
[[nodiscard]] core::Result<TracedOrigins> tracedOrigins(const std::filesystem::path& trace,
                                                        const std::filesystem::path& debugBuffer);

}  // namespace et::tasks
