#pragma once

#include "inspector/session/session.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace et::test {

/// Provides a folder for one test and functions that create files in it.
class StudioTest : public testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path folder() const;

    /// Writes `content` to `name` in the folder.
    [[nodiscard]] std::filesystem::path write(std::string_view name, std::string_view content) const;
    [[nodiscard]] std::filesystem::path write(std::string_view name,
                                              const std::vector<std::byte>& content) const;

    /// A sample set with made-up times: trace, debug buffer and record.
    [[nodiscard]] inspector::SessionFiles sample() const;
    [[nodiscard]] std::vector<std::filesystem::path> samplePaths() const;

    /// A set from a real run: program, bundled program, record, trace and debug buffer.
    [[nodiscard]] std::vector<std::filesystem::path> runSamplePaths() const;

  private:
    QTemporaryDir directory;
};

/// Opens valid files.
[[nodiscard]] std::shared_ptr<const inspector::Session> openSession(const inspector::SessionFiles& files,
                                                                    inspector::JoinOptions options = {});

/// An in-memory trace without a record: `runs` executions of three kernels, one of them delegated, with known
/// times (event i of run r takes (i + 1) * 1000 + r nanoseconds), after a block that loads.
[[nodiscard]] std::vector<std::byte> smallTrace(std::size_t runs);
[[nodiscard]] std::shared_ptr<const inspector::EventBlocks> smallBlocks(std::size_t runs = 3);

}  // namespace et::test
