#include "app/output/junit.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace et::output {
namespace {

using Outcome = JUnitTest::Outcome;

/// Escapes the text of an attribute or an element. XML cannot represent most control characters: they are
/// printed escaped.
std::string attribute(std::string_view text) {
    std::string safe;
    for (const char c : core::printable(text)) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

struct Counts {
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t errors = 0;
    double seconds = 0;

    void add(const JUnitSuite& suite) {
        const auto count = [&](Outcome outcome) {
            return static_cast<std::size_t>(std::ranges::count(suite.tests, outcome, &JUnitTest::outcome));
        };
        tests += suite.tests.size();
        failures += count(Outcome::Failure);
        errors += count(Outcome::Error);
        seconds += suite.seconds;
    }
    [[nodiscard]] std::string attributes() const {
        return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests, failures,
                           errors, seconds);
    }
};

std::string testElement(std::string_view suite, const JUnitTest& test) {
    std::string text =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", attribute(suite), attribute(test.name));
    if (test.outcome == Outcome::Pass) {
        return text + "/>\n";
    }
    const bool failed = test.outcome == Outcome::Failure;
    // Some servers show the attribute, others the text.
    return text + fmt::format(">\n      <{0} message=\"{1}\" type=\"{2}\">{1}</{0}>\n    </testcase>\n",
                              failed ? "failure" : "error", attribute(test.message),
                              failed ? "fail" : "error");
}

std::string suiteElement(const JUnitSuite& suite) {
    Counts counts;
    counts.add(suite);
    std::string inner;
    for (const auto& [name, value] : suite.properties) {
        inner +=
            fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(name), attribute(value));
    }
    if (!inner.empty()) {
        inner = fmt::format("    <properties>\n{}    </properties>\n", inner);
    }
    for (const JUnitTest& test : suite.tests) {
        inner += testElement(suite.name, test);
    }
    return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", attribute(suite.name),
                       counts.attributes(), inner);
}

}  // namespace

std::string junitXml(std::string_view title, std::span<const JUnitSuite> suites) {
    Counts all;
    std::string text;
    for (const JUnitSuite& each : suites) {
        all.add(each);
        text += suiteElement(each);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n{}</testsuites>\n",
        attribute(title), all.attributes(), text);
}

}  // namespace et::output
