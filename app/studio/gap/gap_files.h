#pragma once

#include "app/tasks/gap/gap_run.h"

#include <QDateTime>

#include <filesystem>
#include <vector>

namespace et::studio {

/// The state on disk of a gap's input files; two states are equal if nothing was written in between.
class GapFiles {
  public:
    GapFiles() = default;
    /// Records the state of the files of `request`.
    explicit GapFiles(const tasks::GapSettings& request);

    /// True if the gap is of a program that runs here, not of a trace.
    [[nodiscard]] bool ofProgram() const { return program; }
    bool operator==(const GapFiles&) const = default;

  private:
    struct File {
        std::filesystem::path path;
        QDateTime modified;
        qint64 bytes = 0;
        bool operator==(const File&) const = default;
    };
    bool program = false;
    std::vector<File> all;
};

}  // namespace et::studio
