#pragma once

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/event_blocks.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace et::inspector {

/// Files to open together. Empty paths are left out.
struct SessionFiles {
    std::filesystem::path trace;
    std::filesystem::path record;
    std::filesystem::path debugBuffer;
};

/// What is open: the files and their join, as one immutable value. Front ends show it; a changed option or
/// file makes a new session.
struct Session {
    SessionFiles files;
    std::shared_ptr<const etdump::Trace> trace;           ///< null: none given
    std::shared_ptr<const etrecord::Record> record;       ///< null: none given
    std::shared_ptr<const core::MappedFile> debugBuffer;  ///< null: none given
    std::shared_ptr<const EventBlocks> blocks;            ///< null without a trace

    /// Opens and joins. Errors: as the readers and EventBlocks::build, each naming its file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Session>> open(SessionFiles files,
                                                                           JoinOptions options = {});

    /// Sorts paths to their places by content (a file that no reader knows is taken as the debug buffer when
    /// a trace is among them). Errors: InvalidArgument (two of a kind, nothing to show), and as
    /// MappedFile::open.
    [[nodiscard]] static core::Result<SessionFiles> sort(const std::vector<std::filesystem::path>& paths);
};

}  // namespace et::inspector
