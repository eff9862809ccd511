#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// JUnit's XML, as CI servers read it: the schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab and
// others read too.
namespace et::app {

struct JUnitTest {
    enum class Outcome : std::uint8_t { Pass, Failure, Error };

    std::string name;
    Outcome outcome = Outcome::Pass;
    std::string message{};  ///< of one that does not pass
};

struct JUnitSuite {
    std::string name;
    std::vector<JUnitTest> tests;
    double seconds = 0;
    std::vector<std::pair<std::string, std::string>> properties{};
};

/// All of it, with a line break at the end; `title` is that of the program.
[[nodiscard]] std::string junitXml(std::string_view title, std::span<const JUnitSuite> suites);

}  // namespace et::app
