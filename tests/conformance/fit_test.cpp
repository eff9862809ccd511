// Tests the verdicts of `fit` and the lists of `--oplist` by running each operator case with exactly those
// kernels.

#include "inspector/fit/fit.h"

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "inspector/fit/kernel_list.h"
#include "inspector/fit/oplist.h"
#include "runtime/executor/method.h"
#include "tests/conformance/cases.h"
#include "tests/conformance/guarded_kernels.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace et::conformance {
namespace {

struct OpenCase {
    std::string file;
    std::shared_ptr<const bundled_program::Bundle> bundle;
    std::shared_ptr<const program::Program> program;
};

std::vector<OpenCase> openCases() {
    std::vector<OpenCase> out;
    for (const char* const folder : {"ops/portable/", "ops/xnnpack/"}) {
        for (const Case& each : operatorCases(test::sharedData(), folder)) {
            auto bundle = bundled_program::Bundle::open(test::sharedData() / each.file).value();
            auto program = program::Program::parse(bundle->file, bundle->program).value();
            out.push_back({.file = each.file, .bundle = std::move(bundle), .program = std::move(program)});
        }
    }
    return out;
}

/// Loads and runs all methods on all their cases. Returns the first error, empty if there is none.
std::string runAll(const OpenCase& each, const kernels::KernelRegistry& kernels,
                   const kernels::ThreadPool& threads) {
    executor::Module module(each.program,
                            {.kernels = kernels, .backends = backends::builtin(), .threads = threads});
    for (const auto& suite : each.bundle->suites) {
        const auto method = module.load(suite.method);
        if (!method) {
            return method.error().toString();
        }
        for (const auto& testCase : suite.cases) {
            const auto done =
                bundled_program::setInputs(**method, testCase).and_then([&] { return (*method)->execute(); });
            if (!done) {
                return done.error().toString();
            }
        }
    }
    return {};
}

/// Operators by name, with the signatures of their calls.
using Observed = std::map<std::string, std::vector<ObservedCall>, std::less<>>;

/// The cases that run with all kernels, and the calls that each made.
struct Baseline {
    std::vector<OpenCase> cases;
    std::vector<Observed> observed;  ///< as many
    std::set<std::string> operators;
};

const Baseline& baseline() {
    static const Baseline made = [] {
        Baseline out;
        const kernels::ThreadPool threads(1);
        Observed seen;
        const GuardedKernels all([](std::string_view) { return true; },
                                 [&](std::string_view name, const ObservedCall& call) {
                                     seen[std::string(name)].push_back(call);
                                     return true;
                                 });
        for (OpenCase& each : openCases()) {
            seen.clear();
            if (!runAll(each, all.registry(), threads).empty()) {
                continue;  // refused with any kernels: listed in conformance_test
            }
            for (const auto& [name, calls] : seen) {
                out.operators.insert(name);
            }
            out.cases.push_back(std::move(each));
            out.observed.push_back(seen);
        }
        return out;
    }();
    return made;
}

bool isPrim(std::string_view name) {
    return name.starts_with("executorch_prim::");
}

/// Kernels of a simulated runtime for one operator.
struct Kernels {
    std::optional<std::set<std::int8_t>> dtypes{};  ///< nothing: all
    std::optional<std::set<std::string>> keys{};    ///< these alone
};
using Subset = std::map<std::string, Kernels, std::less<>>;

/// The runtime's own operators are always present, unless the list includes one of them.
bool has(const Subset& subset, std::string_view name) {
    const bool listsPrims =
        std::ranges::any_of(subset, [](const auto& entry) { return isPrim(entry.first); });
    return subset.contains(name) || (isPrim(name) && !listsPrims);
}

bool allows(const Subset& subset, std::string_view name, const ObservedCall& call) {
    const auto found = subset.find(name);
    if (found == subset.end()) {
        return isPrim(name);
    }
    if (found->second.keys) {
        return found->second.keys->contains(call.key);
    }
    return !found->second.dtypes || std::ranges::includes(*found->second.dtypes, call.dtypes);
}

/// Runs every case with exactly the kernels of `subset`, and compares with the verdict on `list`.
void expectRightVerdicts(const Subset& subset, const inspector::KernelList& list) {
    const kernels::ThreadPool threads(1);
    const GuardedKernels some(
        [&](std::string_view name) { return has(subset, name); },
        [&](std::string_view name, const ObservedCall& call) { return allows(subset, name, call); });
    std::set<std::string> backends;
    for (const executor::Backend* const backend : backends::builtin()) {
        backends.emplace(backend->name());
    }
    std::size_t fitting = 0;
    std::size_t wrong = 0;
    for (const OpenCase& each : baseline().cases) {
        const auto verdicts = inspector::fitOf(*each.program, {.kernels = &list, .backends = backends});
        const bool fits = std::ranges::all_of(verdicts, &inspector::MethodFit::fits);
        const std::string error = runAll(each, some.registry(), threads);
        fitting += fits ? 1U : 0U;
        wrong += fits != error.empty() ? 1U : 0U;
        EXPECT_EQ(fits, error.empty()) << each.file << ": " << error;
    }
    const std::size_t all = baseline().cases.size();
    EXPECT_EQ(wrong, 0U) << "of " << all;
    // A list that accepts everything or nothing would prove nothing.
    EXPECT_GT(fitting, all / 20) << "of " << all;
    EXPECT_LT(fitting, all - all / 20) << "of " << all;
}

TEST(FitConformance, CasesRunWithAllKernels) {
    ET_NEEDS_SHARED_DATA();
    EXPECT_GT(baseline().cases.size(), 3600U);
    EXPECT_GT(baseline().operators.size(), 150U);
}

TEST(FitConformance, ListOfNames) {
    ET_NEEDS_SHARED_DATA();
    Subset subset;
    std::string text = "# two of three operators\n";
    std::size_t number = 0;
    for (const std::string& name : baseline().operators) {
        if (!isPrim(name) && number++ % 3 != 0) {
            subset[name];
            text += name + "\n";
        }
    }
    expectRightVerdicts(subset, inspector::readKernelText(text, "ops.txt").value());
}

TEST(FitConformance, ListOfDtypes) {
    ET_NEEDS_SHARED_DATA();
    Subset subset;
    std::string text;
    for (const std::string& name : baseline().operators) {
        if (!isPrim(name)) {
            subset[name].dtypes = {4, 6, 11};
            text += name + ": float32, int64 BOOL\n";
        }
    }
    expectRightVerdicts(subset, inspector::readKernelText(text, "ops.txt").value());
}

TEST(FitConformance, SelectedOperatorsOfHalfTheCases) {
    ET_NEEDS_SHARED_DATA();
    // As listed by ExecuTorch: operators of every second program, compiled for the dtypes that occur.
    std::vector<inspector::NamedProgram> listed;
    Subset subset;
    for (std::size_t i = 0; i < baseline().cases.size(); i += 2) {
        listed.push_back({.program = baseline().cases[i].program.get(), .name = baseline().cases[i].file});
        for (const auto& [name, calls] : baseline().observed[i]) {
            auto& dtypes = subset[name].dtypes;
            for (const ObservedCall& call : calls) {
                if (!dtypes) {
                    dtypes.emplace();
                }
                dtypes->insert(call.dtypes.begin(), call.dtypes.end());
            }
            if (dtypes && dtypes->empty()) {
                dtypes.reset();  // the operator has no tensor argument
            }
        }
    }
    const std::string yaml = inspector::oplistYaml(inspector::operatorList(listed), {});
    expectRightVerdicts(subset, inspector::readKernelSettings(yaml, "selected_operators.yaml").value());
}

TEST(FitConformance, FunctionsOfEachSecondOperator) {
    ET_NEEDS_SHARED_DATA();
    Subset subset;
    std::string yaml;
    std::size_t number = 0;
    for (const std::string& name : baseline().operators) {
        if (isPrim(name) || number++ % 2 == 0) {
            continue;
        }
        subset[name];
        const std::string plain = name.starts_with("aten::") ? name.substr(6) : name;
        yaml += fmt::format("- op: {}\n  kernels:\n    - arg_meta: null\n      kernel_name: impl::k{}\n\n",
                            plain, number);
    }
    expectRightVerdicts(subset, inspector::readKernelSettings(yaml, "functions.yaml").value());
}

TEST(FitConformance, KernelsForCertainArguments) {
    ET_NEEDS_SHARED_DATA();
    // For each operator, the kernels for the arguments of every second call, and no others.
    Subset subset;
    std::map<std::string, std::set<std::string>> keys;
    for (const Observed& observed : baseline().observed) {
        for (const auto& [name, calls] : observed) {
            for (const ObservedCall& call : calls) {
                keys[name].insert(call.key);
            }
        }
    }
    std::string text;
    for (const auto& [name, all] : keys) {
        if (isPrim(name)) {
            continue;
        }
        text += name;
        std::size_t number = 0;
        for (const std::string& key : all) {
            if (key.empty()) {
                // Without tensors only a default kernel applies.
                subset[name] = {};
                text += " default";
                break;
            }
            if (number++ % 2 == 0) {
                auto& has = subset[name].keys;
                has = has.value_or(std::set<std::string>());
                has->insert(key);
                text += " " + key;
            }
        }
        text += "\n";
    }
    expectRightVerdicts(subset, inspector::readKernelText(text, "kernels.txt").value());
}

bool jumps(const program::Program& program) {
    return std::ranges::any_of(program.methods, [](const program::Method& method) {
        return std::ranges::any_of(method.chains, [](const program::Chain& chain) {
            return std::ranges::any_of(chain.instructions, [](const program::Instruction& each) {
                return std::holds_alternative<program::JumpFalseCall>(each);
            });
        });
    });
}

TEST(OplistConformance, ListsExecutedOperators) {
    ET_NEEDS_SHARED_DATA();
    for (std::size_t i = 0; i < baseline().cases.size(); ++i) {
        const OpenCase& each = baseline().cases[i];
        const inspector::NamedProgram named{.program = each.program.get(), .name = each.file};
        const auto listed = inspector::operatorList({&named, 1});
        std::map<std::string, std::set<std::string>> ran;
        std::map<std::string, std::set<std::int8_t>> dtypes;
        for (const auto& [name, calls] : baseline().observed[i]) {
            ran[name];
            for (const ObservedCall& call : calls) {
                if (!call.listedKey.empty()) {
                    ran[name].insert(call.listedKey);
                }
                dtypes[name].insert(call.dtypes.begin(), call.dtypes.end());
            }
        }
        std::map<std::string, std::set<std::string>> said;
        for (const auto& [name, op] : listed) {
            said[name] = op.keys;
            if (!jumps(*each.program)) {
                EXPECT_EQ(op.dtypes, dtypes[name]) << each.file << ": " << name;
            }
        }
        if (!jumps(*each.program)) {
            EXPECT_EQ(said, ran) << each.file;
        }
    }
}

TEST(OplistConformance, ListOfAllCasesRunsThemAll) {
    ET_NEEDS_SHARED_DATA();
    std::vector<inspector::NamedProgram> named;
    for (const OpenCase& each : baseline().cases) {
        named.push_back({.program = each.program.get(), .name = each.file});
    }
    const std::string yaml = inspector::oplistYaml(inspector::operatorList(named), {});
    const inspector::KernelList list = inspector::readKernelSettings(yaml, "selected_operators.yaml").value();
    const kernels::ThreadPool threads(1);
    const auto allowed = [&](std::string_view name, const ObservedCall& call) {
        const auto found = list.operators.find(name);
        return found != list.operators.end() &&
               (found->second.anyDtype || std::ranges::includes(found->second.dtypes, call.dtypes));
    };
    const GuardedKernels some([&](std::string_view name) { return list.operators.contains(name); }, allowed);
    for (const OpenCase& each : baseline().cases) {
        EXPECT_EQ(runAll(each, some.registry(), threads), "") << each.file;
    }
    for (const auto& [name, support] : list.operators) {
        EXPECT_TRUE(baseline().operators.contains(name)) << name << " is listed, and nothing runs it";
    }
}

}  // namespace
}  // namespace et::conformance
