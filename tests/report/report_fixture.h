#pragma once

#include "tests/report/browser.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Opens pages of et-inspect report in a browser. ET_SCREENSHOTS=FOLDER keeps screenshots.
class ReportBrowser : public testing::Test {
  protected:
    void SetUp() override;

    /// Creates a report with the given et-inspect arguments and returns its path.
    std::filesystem::path pageOf(const std::string& arguments);
    void expectQuiet();
    [[nodiscard]] std::string ask(std::string_view expression) const;
    /// Clicks the centre of the element that a selector matches.
    void clickOn(const std::string& selector);
    void picture(const std::string& name, bool whole = false);

    ScratchFolder folder;
    std::unique_ptr<Browser> browser;
};

/// Writes a trace of runs with these operators in sequence, each one microsecond longer than the previous
/// one.
void writeTrace(const std::filesystem::path& path, const std::vector<std::string>& names, std::uint64_t runs,
                std::uint64_t slower = 0);

/// Returns "native_call_op0.out" and so on.
[[nodiscard]] std::vector<std::string> operatorNames(std::size_t count);

}  // namespace et::test
