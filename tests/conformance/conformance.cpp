// Runs single-operator and whole programs with known results, for kernel development.

#include "tests/conformance/cases.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view usage =
    "usage: conformance [-q] [PATTERN...]\n"
    "  Runs every program of the shared data whose file name holds one of the PATTERNs (default: "
    "all)\n"
    "  and prints what differs from the answers inside. -q prints only names. Examples:\n"
    "    conformance ops/portable/abs__ ops/portable/suite_abs__\n"
    "    conformance programs/cond\n";

bool wanted(std::string_view file, const std::vector<std::string_view>& patterns) {
    for (const std::string_view pattern : patterns) {
        if (file.find(pattern) != std::string_view::npos) {
            return true;
        }
    }
    return patterns.empty();
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string_view> patterns(argv + 1, argv + argc);
    if (!patterns.empty() && (patterns[0] == "-h" || patterns[0] == "--help")) {
        fmt::print("{}", usage);
        return 0;
    }
    const bool quiet = std::erase(patterns, "-q") != 0;
    const auto data = et::test::sharedData();
    auto cases = et::conformance::operatorCases(data, "ops/portable/");
    for (auto& test : et::conformance::operatorCases(data, "ops/xnnpack/")) {
        cases.push_back(std::move(test));
    }
    for (auto& test : et::conformance::libraryCases(data)) {
        cases.push_back(std::move(test));
    }
    for (auto& program : et::conformance::runnablePrograms(data)) {
        cases.push_back(std::move(program));
    }
    const et::kernels::ThreadPool threads(1);
    std::size_t ran = 0;
    std::size_t failed = 0;
    for (const auto& test : cases) {
        if (!wanted(test.file, patterns)) {
            continue;
        }
        ++ran;
        const std::string text = et::conformance::runCase(data, test, threads);
        if (!text.empty()) {
            ++failed;
            quiet ? fmt::print("{}\n", test.file) : fmt::print("{}:\n{}", test.file, text);
        }
        std::fflush(stdout);
    }
    fmt::print("{} of {} pass\n", ran - failed, ran);
    return failed == 0 ? 0 : 1;
}
