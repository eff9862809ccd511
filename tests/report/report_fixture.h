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

/// Pages of et-inspect report in a browser. ET_SCREENSHOTS=FOLDER keeps pictures.
class ReportBrowser : public testing::Test {
  protected:
    void SetUp() override;

    /// What et-inspect makes of files, by their arguments.
    std::filesystem::path pageOf(const std::string& arguments);
    void expectQuiet();
    [[nodiscard]] std::string ask(std::string_view expression) const;
    /// Clicks what a selector names, in its middle.
    void clickOn(const std::string& selector);
    void picture(const std::string& name, bool whole = false);

    ScratchFolder folder;
    std::unique_ptr<Browser> browser;
};

/// A trace of runs in which these operators follow one another, each a microsecond longer than the one
/// before.
void writeTrace(const std::filesystem::path& path, const std::vector<std::string>& names, std::uint64_t runs,
                std::uint64_t slower = 0);

/// "native_call_op0.out" and those that follow.
[[nodiscard]] std::vector<std::string> operatorNames(std::size_t count);

}  // namespace et::test
