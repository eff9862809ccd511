#pragma once

#include "inspector/session/session.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace et::test {

/// A folder for one test, with files of our own making.
class StudioTest : public testing::Test {
  protected:
    [[nodiscard]] std::filesystem::path folder() const;

    /// Writes `content` to `name` in the folder.
    [[nodiscard]] std::filesystem::path write(std::string_view name, std::string_view content) const;
    [[nodiscard]] std::filesystem::path write(std::string_view name,
                                              const std::vector<std::byte>& content) const;

    /// A set whose times are made up: its trace, debug buffer and record.
    [[nodiscard]] inspector::SessionFiles sample() const;
    [[nodiscard]] std::vector<std::filesystem::path> samplePaths() const;

    /// A set that comes of a run just now: program, bundled program, record, trace and debug buffer.
    [[nodiscard]] std::vector<std::filesystem::path> runSamplePaths() const;

  private:
    QTemporaryDir directory;
};

/// Opens files that must open.
[[nodiscard]] std::shared_ptr<const inspector::Session> openSession(const inspector::SessionFiles& files,
                                                                    inspector::JoinOptions options = {});

/// A trace in memory, without a record: `runs` executions of three kernels, one of them delegated, with known
/// times (event i of run r takes (i + 1) * 1000 + r nanoseconds), below a block that loads.
[[nodiscard]] std::vector<std::byte> smallTrace(std::size_t runs);
[[nodiscard]] std::shared_ptr<const inspector::EventBlocks> smallBlocks(std::size_t runs = 3);

}  // namespace et::test
