#pragma once

#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
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

namespace et::app {

/// What is different from the first execution on the same inputs.
enum class SoakVariant : std::uint8_t {
    Again,    ///< nothing: the same loaded method, the same inputs
    Fresh,    ///< the method is loaded anew
    Poison,   ///< loaded anew, with other bytes in memory that nobody has written
    Between,  ///< the same method, after it ran on other inputs
    Threads   ///< loaded anew, with several threads
};
inline constexpr std::size_t soakVariants = 5;
struct SoakVariantTraits {
    std::string_view name;     ///< "again"
    std::string_view meaning;  ///< what a difference says
};
[[nodiscard]] const SoakVariantTraits& traits(SoakVariant variant);

/// How long to go on.
struct SoakSettings {
    std::filesystem::path model;
    ModelOptions options;
    std::size_t runs = 500;
    std::optional<double> seconds;  ///< instead of `runs`
    std::size_t threads = 4;        ///< of SoakVariant::Threads
};

struct InnerFailures;

/// An operator whose values differed, as the first one of their execution.
struct SoakFailure {
    ValueDifference example;
    std::size_t runs = 0;
    std::array<std::size_t, soakVariants> byVariant{};
    std::shared_ptr<const InnerFailures> inside{};  ///< of a delegate's call; null: it was not looked into
    std::string innerProblem{};                     ///< why not, where it is such a call
    std::optional<std::size_t> node{};  ///< inside of a delegate: the operator's position, where it is known
};

/// The call of a delegate that differs, executed alone on what went into it, with the values inside of it.
struct InnerFailures {
    std::size_t runs = 0;
    std::size_t differing = 0;
    /// Operators of the delegate whose values differed first, most frequent first. One without
    /// ValueSite::inner: only the result of the call did.
    std::vector<SoakFailure> failures;
};

/// A share of executions with the interval of 95 % confidence by Clopper and Pearson (1934).
struct SoakRate {
    double share = 0;
    double low = 0;
    double high = 1;
};
[[nodiscard]] SoakRate rateOf(std::size_t count, std::size_t of);

struct SoakResult {
    std::string method;
    std::size_t inputSets = 0;
    std::size_t runs = 0;  ///< that were compared
    std::size_t differing = 0;
    std::array<std::size_t, soakVariants> runsByVariant{};
    std::array<std::size_t, soakVariants> differingByVariant{};
    std::vector<SoakFailure> failures;  ///< most frequent first
    std::vector<KindOrigin> origins;    ///< of the first execution on the first inputs that have any
    bool state = false;  ///< the method keeps state: executions of one loaded method may differ
    bool interrupted = false;

    [[nodiscard]] SoakRate rate() const { return rateOf(differing, runs); }
};

/// Runs a method again and again and compares all values that its instructions write with those of the first
/// execution on the same inputs, bit by bit: all cases of a bundled program (the first 16), given inputs, or
/// two sets of random ones. Of a delegate's call that differs, the operators inside are looked at. Ctrl-C
/// ends it with what was seen until then. Errors: those of Model.
[[nodiscard]] core::Result<SoakResult> soak(const SoakSettings& settings, Watch& watch);

}  // namespace et::app
