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
    Fail,   ///< ran, but an output differs
    Error,  ///< cannot be read or run
};

struct VerdictInfo {
    Verdict verdict;
    std::string_view name;
};
inline constexpr VerdictInfo verdicts[] = {
    {Verdict::Pass, "pass"}, {Verdict::Fail, "fail"}, {Verdict::Error, "error"}};
[[nodiscard]] std::string_view name(Verdict verdict);

[[nodiscard]] constexpr Verdict worse(Verdict a, Verdict b) {
    return a < b ? b : a;
}

struct CaseReport {
    std::string method;
    std::size_t index = 0;
    Verdict verdict = Verdict::Pass;
    std::string message;              ///< one line; empty if it passes
    std::vector<Comparison> outputs;  ///< outputs that both the method and the case have; empty for an error
};

struct FileReport {
    std::string file;
    Verdict verdict = Verdict::Pass;  ///< worst verdict of its cases
    std::string message;  ///< what prevented the run, or the message of the first case that does not pass
    std::vector<CaseReport> cases;
    std::vector<std::string> foundData{};  ///< tensor data files found next to the file without being named
    double seconds = 0;
    std::vector<std::string> emulated{};      ///< backends replaced with an emulation
    bool timedOut = false;                    ///< ended by a time limit
    std::string weights{};                    ///< why weight files may be the cause; empty unless it fails
    std::vector<std::string> memoryErrors{};  ///< of kernels, one line each, if they were checked
    std::string unsaved{};                    ///< why requested files could not be saved; empty if they were
};

/// Cases to run, and limits for their outputs.
struct VerifyOptions {
    Tolerances tolerances;
    std::map<std::string, std::vector<OutputLimits>, std::less<>> limits;  ///< by method, one per output
    /// Empty: all. Several run in this order, and nothing else does; a method listed n times runs one case
    /// each time, and the last time all that are left.
    std::vector<std::string> methods;
    std::optional<std::size_t> testCase;
    std::size_t iterations = 1;  ///< number of repetitions, each with a new module
};

/// Called for each case that ran or failed to run, with the method whose outputs were compared. Not called
/// for a method that cannot be loaded.
using CaseObserver = std::function<void(const CaseReport&, const TestCase&, executor::Method&)>;
/// Creates a module without state from earlier executions.
using ModuleFactory = std::function<executor::Module()>;

/// Runs and compares the cases of a bundle. All cases up to the last requested one run, in order and in one
/// module, because a program may keep state that the next case expects; cases not requested are not reported.
/// The order is that of the file, or of VerifyOptions::methods if it lists several.
/// A case passes if it does in every iteration. Stops when an execution is cancelled, which is reported as
/// that case's error.
[[nodiscard]] FileReport verify(const Bundle& bundle, const ModuleFactory& makeModule,
                                const VerifyOptions& options, const CaseObserver& observe = {});

/// Number of cases of the bundle that the options select.
[[nodiscard]] std::size_t countCases(const Bundle& bundle, const VerifyOptions& options);

/// Report of a file of which no case could run.
[[nodiscard]] FileReport unreadable(std::string file, std::string message);

}  // namespace et::bundled_program
