#include "app/pages/verify/report_junit.h"

#include "app/pages/verify/summary.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <string_view>

namespace et::app {
namespace {

using bundled_program::CaseReport;
using bundled_program::FileReport;
using bundled_program::Verdict;

/// Text of an attribute or an element. XML has no way to say most control characters: they are shown escaped.
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

    void add(Verdict verdict) {
        ++tests;
        failures += verdict == Verdict::Fail ? 1 : 0;
        errors += verdict == Verdict::Error ? 1 : 0;
    }
    [[nodiscard]] std::string attributes() const {
        return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\"", tests, failures,
                           errors, seconds);
    }
};

std::string testElement(std::string_view file, std::string_view test, Verdict verdict,
                        std::string_view message) {
    std::string text =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", attribute(file), attribute(test));
    if (verdict == Verdict::Pass) {
        return text + "/>\n";
    }
    const std::string_view element = verdict == Verdict::Fail ? "failure" : "error";
    // Some servers show the attribute, others the text.
    return text + fmt::format(">\n      <{0} message=\"{1}\" type=\"{2}\">{1}</{0}>\n    </testcase>\n",
                              element, attribute(message), name(verdict));
}

std::string suiteElement(const FileReport& file, Counts& all) {
    Counts counts;
    std::string tests;
    for (const CaseReport& tested : file.cases) {
        counts.add(tested.verdict);
        tests += testElement(file.file, fmt::format("{}, case {}", tested.method, tested.index),
                             tested.verdict, tested.message);
    }
    if (file.cases.empty()) {
        counts.add(file.verdict);
        tests += testElement(file.file, "load", file.verdict, file.message);
    }
    if (!file.unsaved.empty()) {
        counts.add(Verdict::Error);
        tests += testElement(file.file, "save", Verdict::Error, unsavedText(file));
    }
    counts.seconds = file.seconds;
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    all.seconds += counts.seconds;
    std::string properties;
    for (const std::string& backend : file.emulated) {
        properties += fmt::format("      <property name=\"emulated\" value=\"{}\"/>\n", attribute(backend));
    }
    if (!properties.empty()) {
        properties = fmt::format("    <properties>\n{}    </properties>\n", properties);
    }
    return fmt::format("  <testsuite name=\"{}\" {}>\n{}{}  </testsuite>\n", attribute(file.file),
                       counts.attributes(), properties, tests);
}

}  // namespace

std::string junitXml(std::span<const FileReport> reports) {
    Counts all;
    std::string suites;
    for (const FileReport& each : reports) {
        suites += suiteElement(each, all);
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"et-inspect verify\" "
        "{}>\n{}</testsuites>\n",
        all.attributes(), suites);
}

}  // namespace et::app
