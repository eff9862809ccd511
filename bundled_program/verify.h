#pragma once

#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "bundled_program/tolerance.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::bundled_program {

/// From best to worst.
enum class Verdict : std::uint8_t {
    Pass,
    Fail,   ///< it ran, and an output is not the one to expect
    Error,  ///< it cannot be read or run
};

struct VerdictTraits {
    Verdict verdict;
    std::string_view name;
};
inline constexpr VerdictTraits verdicts[] = {
    {Verdict::Pass, "pass"}, {Verdict::Fail, "fail"}, {Verdict::Error, "error"}};
[[nodiscard]] std::string_view name(Verdict verdict);

[[nodiscard]] constexpr Verdict worse(Verdict a, Verdict b) {
    return a < b ? b : a;
}

struct CaseReport {
    std::string method;
    std::size_t index = 0;
    Verdict verdict = Verdict::Pass;
    std::string message;              ///< one line; empty when it passes
    std::vector<Comparison> outputs;  ///< those that the method and the case both have; none of an error
};

struct FileReport {
    std::string file;
    Verdict verdict = Verdict::Pass;  ///< the worst of its cases
    std::string message;  ///< what kept all cases from running, or the first case's that does not pass
    std::vector<CaseReport> cases;
    std::vector<std::string> foundData{};  ///< tensor data files that nothing named: they lie beside the file
    double seconds = 0;
    std::vector<std::string> emulated{};  ///< backends that something else stood in for
    bool timedOut = false;                ///< a limit of time ended it
    std::string unsaved{};  ///< why files that were asked for could not be saved; empty: they are there
};

/// Which cases to run, and when their outputs agree.
struct VerifyOptions {
    Tolerances tolerances;
    std::map<std::string, std::vector<OutputLimits>, std::less<>> limits;  ///< by method, for its outputs
    std::vector<std::string> methods;                                      ///< empty: all
    std::optional<std::size_t> testCase;
    std::size_t iterations = 1;  ///< times that all of it runs, each with a module of its own
};

/// A case that ran or should have, with the method that ran it, whose outputs are as they were compared. Not
/// called for a method that cannot be loaded.
using CaseObserver = std::function<void(const CaseReport&, const TestCase&, executor::Method&)>;
/// A fresh module: what a program keeps from one execution to the next starts anew.
using ModuleFactory = std::function<executor::Module()>;

/// Runs the cases of a bundle and compares. All cases before the last one that is asked for run, in order and
/// in one module, because a program may keep state that the next case expects; those not asked for leave no
/// report. A case passes when it does in every iteration. Ends early when an execution is cancelled, which is
/// that case's error.
[[nodiscard]] FileReport verify(const Bundle& bundle, const ModuleFactory& makeModule,
                                const VerifyOptions& options, const CaseObserver& observe = {});

/// How many cases of the bundle the options ask for.
[[nodiscard]] std::size_t countCases(const Bundle& bundle, const VerifyOptions& options);

/// A file that no case of could run.
[[nodiscard]] FileReport unreadable(std::string file, std::string message);

}  // namespace et::bundled_program
