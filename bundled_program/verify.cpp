#include "bundled_program/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace et::bundled_program {
namespace {

using core::ErrorCode;
using core::Result;

/// Compares the outputs of a case with the expected ones.
void compareOutputs(executor::Method& method, const TestCase& testCase, const VerifyOptions& options,
                    CaseReport& report) {
    const auto known = options.limits.find(report.method);
    const auto limitsOf = [&](std::size_t output) {
        const bool has = known != options.limits.end() && output < known->second.size();
        return has ? known->second[output] : OutputLimits();
    };
    const std::size_t wanted = testCase.expectedOutputs.size();
    if (wanted != method.outputCount()) {
        report.verdict = Verdict::Fail;
        report.message = fmt::format("expected {} outputs, got {}", wanted, method.outputCount());
    }
    for (std::size_t i = 0; i < std::min(wanted, method.outputCount()); ++i) {
        report.outputs.push_back(
            compare(method.output(i), testCase.expectedOutputs[i], options.tolerances, limitsOf(i)));
        const Comparison& output = report.outputs.back();
        if (!output.agrees()) {
            report.verdict = Verdict::Fail;
            report.message =
                report.message.empty() ? fmt::format("output {}: {}", i, output.difference) : report.message;
        }
    }
}

/// The error message without the file name, which the report contains.
std::string messageOf(core::Error error, const FileReport& report) {
    if (error.where.file == report.file) {
        error.where.file.clear();
    }
    return error.toString();
}

/// An execution of a case.
struct Turn {
    const TestSuite* suite;
    std::size_t index;
    bool wanted;  ///< otherwise it runs only for the state that it leaves in the program
};

/// All cases in the order of the file.
std::vector<Turn> turnsInFile(const Bundle& bundle, const VerifyOptions& options) {
    std::vector<Turn> turns;
    for (const TestSuite& suite : bundle.suites) {
        const bool isListed = options.methods.empty() || std::ranges::contains(options.methods, suite.method);
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            turns.push_back({&suite, i, isListed && options.testCase.value_or(i) == i});
        }
    }
    return turns;
}

/// Cases in the order of the listed methods. A method that is listed several times runs one more case each
/// time, and all that are left the last time.
std::vector<Turn> turnsAsListed(const Bundle& bundle, const VerifyOptions& options) {
    std::vector<Turn> turns;
    std::map<std::string_view, std::size_t> next;
    for (auto name = options.methods.begin(); name != options.methods.end(); ++name) {
        const TestSuite* const suite = bundle.findSuite(*name);
        if (suite == nullptr) {
            continue;
        }
        std::size_t& index = next[*name];
        const bool isLast = std::find(name + 1, options.methods.end(), *name) == options.methods.end();
        const std::size_t end = isLast ? suite->cases.size() : std::min(index + 1, suite->cases.size());
        for (; index < end; ++index) {
            turns.push_back({suite, index, options.testCase.value_or(index) == index});
        }
    }
    return turns;
}

/// The cases to run, up to the last wanted one.
std::vector<Turn> turnsOf(const Bundle& bundle, const VerifyOptions& options) {
    std::vector<Turn> turns =
        options.methods.size() > 1 ? turnsAsListed(bundle, options) : turnsInFile(bundle, options);
    while (!turns.empty() && !turns.back().wanted) {
        turns.pop_back();
    }
    return turns;
}

/// A pass over the cases; several passes can add to the same report.
class Pass {
  public:
    Pass(const VerifyOptions& given, const CaseObserver& observer, FileReport& into)
        : options(given), observe(observer), report(into) {}

    void run(const std::vector<Turn>& turns, executor::Module& module) {
        for (const auto& [suite, index, wanted] : turns) {
            if (cancelled) {
                return;
            }
            auto method = module.load(suite->method);
            if (!wanted) {
                prepareState(method, suite->cases[index]);
                continue;
            }
            CaseReport result{
                .method = std::string(suite->method), .index = index, .message = {}, .outputs = {}};
            if (method) {
                runCase(**method, suite->cases[index], result);
            } else {
                result.verdict = Verdict::Error;
                result.message = messageOf(method.error(), report);
            }
            keep(std::move(result));
        }
    }

    [[nodiscard]] bool wasCancelled() const { return cancelled; }

  private:
    /// Runs an earlier case for the state that it leaves in the program; its result is ignored.
    void prepareState(const Result<executor::Method*>& method, const TestCase& testCase) {
        if (method) {
            const auto done = setInputs(**method, testCase).and_then([&] { return (*method)->execute(); });
            cancelled = !done && done.error().code == ErrorCode::Cancelled;
        }
    }

    void runCase(executor::Method& method, const TestCase& testCase, CaseReport& result) {
        const auto done = setInputs(method, testCase).and_then([&] { return method.execute(); });
        if (done) {
            compareOutputs(method, testCase, options, result);
        } else {
            cancelled = done.error().code == ErrorCode::Cancelled;
            result.verdict = Verdict::Error;
            result.message = messageOf(done.error(), report);
        }
        if (observe) {
            observe(result, testCase, method);
        }
    }

    /// Keeps the first failure of several iterations.
    void keep(CaseReport&& result) {
        const auto known = std::ranges::find_if(report.cases, [&](const CaseReport& each) {
            return each.method == result.method && each.index == result.index;
        });
        if (known == report.cases.end()) {
            report.cases.push_back(std::move(result));
        } else if (known->verdict == Verdict::Pass) {
            *known = std::move(result);
        }
    }

    const VerifyOptions& options;
    const CaseObserver& observe;
    FileReport& report;
    bool cancelled = false;
};

/// Describes requested cases that do not exist.
std::string missingCases(const Bundle& bundle, const VerifyOptions& options) {
    std::size_t max = 0;
    std::string methods;
    for (const TestSuite& suite : bundle.suites) {
        if (options.methods.empty() || std::ranges::contains(options.methods, suite.method)) {
            max = std::max(max, suite.cases.size());
        }
        methods += fmt::format("{}{}", methods.empty() ? "" : ", ", suite.method);
    }
    for (const std::string& method : options.methods) {
        if (bundle.findSuite(method) == nullptr) {
            return fmt::format("no cases of method \"{}\"; available: {}", method,
                               methods.empty() ? "none" : methods);
        }
    }
    return options.testCase && max > 0
               ? fmt::format("no case {}; number of cases: {}", *options.testCase, max)
               : "the file has no test cases";
}

/// Sets the file's verdict from those of its cases.
void conclude(FileReport& report) {
    for (const CaseReport& each : report.cases) {
        if (each.verdict > report.verdict) {
            report.verdict = each.verdict;
            report.message = fmt::format("{}, case {}: {}", each.method, each.index, each.message);
        }
    }
}

}  // namespace

std::string_view name(Verdict verdict) {
    return std::ranges::find(verdicts, verdict, &VerdictInfo::verdict)->name;
}

FileReport verify(const Bundle& bundle, const ModuleFactory& makeModule, const VerifyOptions& options,
                  const CaseObserver& observe) {
    FileReport report{.file = bundle.file->name(), .message = {}, .cases = {}};
    const bool known = std::ranges::all_of(
        options.methods, [&](const std::string& method) { return bundle.findSuite(method) != nullptr; });
    const std::vector<Turn> turns = known ? turnsOf(bundle, options) : std::vector<Turn>();
    if (turns.empty()) {
        return unreadable(std::move(report.file), missingCases(bundle, options));
    }
    Pass pass(options, observe, report);
    for (std::size_t i = 0; i < options.iterations && !pass.wasCancelled(); ++i) {
        executor::Module module = makeModule();
        pass.run(turns, module);
    }
    conclude(report);
    return report;
}

std::size_t countCases(const Bundle& bundle, const VerifyOptions& options) {
    return static_cast<std::size_t>(std::ranges::count_if(turnsOf(bundle, options), &Turn::wanted));
}

FileReport unreadable(std::string file, std::string message) {
    return {.file = std::move(file), .verdict = Verdict::Error, .message = std::move(message), .cases = {}};
}

}  // namespace et::bundled_program
