#include "app/output/verify/report_junit.h"

#include "app/output/junit.h"
#include "app/output/verify/summary.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace et::output {
namespace {

using bundled_program::CaseReport;
using bundled_program::FileReport;
using bundled_program::Verdict;

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
    if (!file.unsaved.empty()) {
        suite.tests.push_back(testOf("save", Verdict::Error, unsavedText(file)));
    }
    for (const std::string& backend : file.emulated) {
        suite.properties.emplace_back("emulated", backend);
    }
    return suite;
}

}  // namespace

std::string junitXml(std::span<const FileReport> reports) {
    std::vector<JUnitSuite> suites;
    for (const FileReport& each : reports) {
        suites.push_back(suiteOf(each));
    }
    return junitXml("et-inspect verify", suites);
}

}  // namespace et::output
