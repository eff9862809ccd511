#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// JUnit XML for CI servers: the schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab and others also
// read.
namespace et::output {

struct JUnitTest {
    enum class Outcome : std::uint8_t { Pass, Failure, Error };

    std::string name;
    Outcome outcome = Outcome::Pass;
    std::string message{};  ///< of a test that does not pass
};

struct JUnitSuite {
    std::string name;
    std::vector<JUnitTest> tests;
    double seconds = 0;
    std::vector<std::pair<std::string, std::string>> properties{};
};

/// The whole document, ending with a line break; `title` is that of the program.
[[nodiscard]] std::string junitXml(std::string_view title, std::span<const JUnitSuite> suites);

}  // namespace et::output
