#pragma once

#include "app/studio/gap/gap_job.h"

#include <QDateTime>

#include <filesystem>
#include <vector>

namespace et::studio {

/// The files that a gap is calculated of, as they are on disk at a moment: two are equal where nothing has
/// been written in between.
class GapFiles {
  public:
    GapFiles() = default;
    /// Looks at the files of `request`.
    explicit GapFiles(const GapRequest& request);

    /// Whether these are of a program that runs here, not of a trace.
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
