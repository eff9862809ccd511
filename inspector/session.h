#pragma once

#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/event_blocks.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::inspector {

/// Files to open together. Empty paths are left out.
struct SessionFiles {
    std::filesystem::path trace;
    std::filesystem::path record;
    std::filesystem::path debugBuffer;
    std::filesystem::path program{};
    std::filesystem::path bundle{};      ///< a bundled program
    std::filesystem::path tensorData{};  ///< weights outside of the program; not opened here
};

/// Which kinds of files sort() takes.
enum class SessionScope : std::uint8_t {
    Trace,  ///< a trace and what explains it: record, debug buffer
    All,    ///< programs and bundled programs too
};

/// What is open: the files and their join, as one immutable value. Front ends show it; a changed option or
/// file makes a new session.
struct Session {
    SessionFiles files;
    std::shared_ptr<const etdump::Trace> trace;               ///< null: none given
    std::shared_ptr<const etrecord::Record> record;           ///< null: none given
    std::shared_ptr<const core::MappedFile> debugBuffer;      ///< null: none given
    std::shared_ptr<const EventBlocks> blocks;                ///< null without a trace
    std::shared_ptr<const bundled_program::Bundle> bundle{};  ///< null: none given
    /// What runs: the program given, or else the one in the bundle. Null where there is neither, or where the
    /// bundle's cannot be read.
    std::shared_ptr<const program::Program> program{};
    /// What could not be read and did not keep the rest from opening, one line each.
    std::vector<std::string> problems{};

    /// Opens and joins. Errors: as the readers and EventBlocks::build, each naming its file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Session>> open(SessionFiles files,
                                                                           JoinOptions options = {});

    /// Sorts paths to their places by content (a file that no reader knows is taken as the debug buffer when
    /// a trace is among them). Errors: InvalidArgument (two of a kind, a kind outside `scope`, nothing to
    /// show), and as MappedFile::open.
    [[nodiscard]] static core::Result<SessionFiles> sort(const std::vector<std::filesystem::path>& paths,
                                                         SessionScope scope = SessionScope::Trace);
};

}  // namespace et::inspector
