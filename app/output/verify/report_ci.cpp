#include "app/output/verify/report_ci.h"

#include "app/output/junit.h"
#include "app/output/verify/summary.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using bundled_program::CaseReport;
using bundled_program::FileReport;
using bundled_program::Verdict;

/// Percent-encodes characters of `text` that would end a command or a property of it.
std::string escaped(std::string_view text, std::string_view special) {
    std::string safe;
    for (const char c : text) {
        const bool escape = special.find(c) != std::string_view::npos;
        safe += escape ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
    }
    return safe;
}
std::string message(std::string_view text) {
    return escaped(core::printable(text), "%\r\n");
}
std::string property(std::string_view text) {
    return escaped(core::printable(text), "%\r\n:,");
}

std::string annotation(const FileReport& file, Verdict verdict, std::string_view text) {
    return fmt::format("::error file={},title={}::{}\n", property(file.file),
                       property(fmt::format("et-inspect verify: {}", name(verdict))), message(text));
}

JUnitTest testOf(std::string name, Verdict verdict, std::string message) {
    using Outcome = JUnitTest::Outcome;
    return {.name = std::move(name),
            .outcome = verdict == Verdict::Pass   ? Outcome::Pass
                       : verdict == Verdict::Fail ? Outcome::Failure
                                                  : Outcome::Error,
            .message = std::move(message)};
}

JUnitSuite suiteOf(const FileReport& file) {
    JUnitSuite suite{.name = file.file, .tests = {}, .seconds = file.seconds};
    for (const CaseReport& tested : file.cases) {
        suite.tests.push_back(
            testOf(fmt::format("{}, case {}", tested.method, tested.index), tested.verdict, tested.message));
    }
    if (file.cases.empty()) {
        suite.tests.push_back(testOf("load", file.verdict, file.message));
    }
    for (std::size_t i = 0; i < file.memoryErrors.size(); ++i) {
        suite.tests.push_back(
            testOf(fmt::format("memory error {}", i + 1), Verdict::Fail, file.memoryErrors[i]));
    }
    if (!file.unsaved.empty()) {
        suite.tests.push_back(testOf("save", Verdict::Error, unsavedText(file)));
    }
    for (const std::string& backend : file.emulated) {
        suite.properties.emplace_back("emulated", backend);
    }
    return suite;
}

}  // namespace

std::string githubAnnotations(std::span<const FileReport> reports) {
    std::string text;
    for (const FileReport& file : reports) {
        for (const Problem& each : problems(file)) {
            text += annotation(file, each.verdict, each.message);
        }
    }
    return text + summaryLine(reports) + "\n";
}

std::string junitXml(std::span<const FileReport> reports) {
    std::vector<JUnitSuite> suites;
    for (const FileReport& each : reports) {
        suites.push_back(suiteOf(each));
    }
    return junitXml("et-inspect verify", suites);
}

}  // namespace et::output
