#include "app/tasks/bundle/suites.h"

#include "bundled_program/case_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

namespace et::tasks {
namespace {

using bundled_program::BundledValue;
using bundled_program::TestCase;
using bundled_program::TestSuite;
using core::ErrorCode;
using core::Result;

/// "forward:3": method names may contain colons; a number after the last one is a case.
struct CaseName {
    std::string_view method;
    std::optional<std::size_t> number;
};

CaseName parse(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos) {
        const std::string_view digits = text.substr(colon + 1);
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc{} && end == digits.data() + digits.size()) {
            return {.method = text.substr(0, colon), .number = number};
        }
    }
    return {.method = text, .number = {}};
}

std::string describeAll(const std::vector<BundledValue>& values) {
    std::vector<std::string> texts;
    for (const BundledValue& value : values) {
        texts.push_back(bundled_program::describe(value));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Suites::Suites(std::vector<TestSuite> from) : suites(std::move(from)) {
    std::ranges::stable_sort(suites, {}, &TestSuite::method);
}

Result<> Suites::remove(std::span<const std::string> wanted) {
    std::map<std::string_view, std::set<std::size_t>> gone;
    for (const std::string& text : wanted) {
        const CaseName name = parse(text);
        const auto suite = std::ranges::find(suites, name.method, &TestSuite::method);
        if (suite == suites.end() || name.number.value_or(0) >= suite->cases.size()) {
            return core::fail(ErrorCode::NotFound,
                              fmt::format("--remove: no case \"{}\"; available: {}", text, known()));
        }
        std::set<std::size_t>& numbers = gone[suite->method];
        for (std::size_t i = 0; i < suite->cases.size(); ++i) {
            if (name.number.value_or(i) == i) {
                numbers.insert(i);
            }
        }
    }
    for (TestSuite& suite : suites) {
        for (const std::size_t number : gone[suite.method] | std::views::reverse) {
            suite.cases.erase(suite.cases.begin() + static_cast<std::ptrdiff_t>(number));
        }
    }
    std::erase_if(suites, [](const TestSuite& suite) { return suite.cases.empty(); });
    return {};
}

std::size_t Suites::add(std::string_view method, TestCase testCase) {
    auto place = std::ranges::lower_bound(suites, method, {}, &TestSuite::method);
    if (place == suites.end() || place->method != method) {
        place = suites.insert(place, TestSuite{.method = method, .cases = {}});
    }
    place->cases.push_back(std::move(testCase));
    return place->cases.size() - 1;
}

std::size_t Suites::cases() const {
    std::size_t count = 0;
    for (const TestSuite& suite : suites) {
        count += suite.cases.size();
    }
    return count;
}

inspector::format::Table Suites::table() const {
    inspector::format::Table table{.columns = {{.id = "method", .header = "method"},
                                               {.id = "case", .header = "case", .numeric = true},
                                               {.id = "inputs", .header = "inputs"},
                                               {.id = "expected_outputs", .header = "expected outputs"}},
                                   .rows = {},
                                   .indexed = false,
                                   .heat = {}};
    for (const TestSuite& suite : suites) {
        for (std::size_t i = 0; i < suite.cases.size(); ++i) {
            table.rows.push_back({core::printable(suite.method), std::uint64_t{i},
                                  describeAll(suite.cases[i].inputs),
                                  describeAll(suite.cases[i].expectedOutputs)});
        }
    }
    return table;
}

std::string Suites::known() const {
    std::vector<std::string> names;
    for (const TestSuite& suite : suites) {
        names.push_back(suite.cases.size() == 1 ? fmt::format("{}:0", suite.method)
                                                : fmt::format("{}:0 to {}:{}", suite.method, suite.method,
                                                              suite.cases.size() - 1));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace et::tasks
