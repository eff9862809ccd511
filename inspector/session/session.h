#pragma once

#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::inspector {

/// A trace and the values that were logged beside it.
struct TraceFiles {
    std::filesystem::path trace;
    std::filesystem::path debugBuffer{};  ///< empty: none

    bool operator==(const TraceFiles&) const = default;
};

/// Files to open together. Empty paths are left out.
struct SessionFiles {
    std::filesystem::path trace;
    std::filesystem::path record;
    std::filesystem::path debugBuffer;
    std::filesystem::path program{};
    std::filesystem::path bundle{};      ///< a bundled program
    std::filesystem::path tensorData{};  ///< weights outside of the program; not opened here
    std::vector<TraceFiles> others{};    ///< further traces, to look at beside `trace`
};

/// Which kinds of files sort() takes.
enum class SessionScope : std::uint8_t {
    Trace,   ///< a trace and what explains it: record, debug buffer
    Traces,  ///< that, and further traces
    All,     ///< programs, bundled programs and further traces too
};

/// A further trace of a session, joined with the session's record where that fits it.
struct OtherTrace {
    TraceFiles files;
    std::shared_ptr<const etdump::Trace> trace;        ///< never null
    std::shared_ptr<const EventBlocks> blocks;         ///< never null
    std::shared_ptr<const core::MappedFile> values{};  ///< its debug buffer; null: none given
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
    std::vector<OtherTrace> others{};  ///< as SessionFiles::others; none without a trace
    /// What could not be read and did not keep the rest from opening, one line each.
    std::vector<std::string> problems{};
    /// Why the record is not of the program; nothing where it may be, or one of them is missing.
    std::optional<std::string> recordContradiction{};

    /// What may be said of the program's instructions: null where there is no record, or it is of another
    /// program.
    [[nodiscard]] const etrecord::Record* recordOfProgram() const {
        return recordContradiction ? nullptr : record.get();
    }

    /// Opens and joins. Errors: as the readers and EventBlocks::build, each naming its file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Session>> open(SessionFiles files,
                                                                           const JoinOptions& options = {});

    /// The session with further traces, which are read here; all that is open already is not read again.
    /// Errors: InvalidArgument (no trace is open, more than maxOthers); as open().
    [[nodiscard]] core::Result<std::shared_ptr<const Session>> withTraces(
        const std::vector<TraceFiles>& further) const;
    /// More than these at a time are too many to look at.
    static constexpr std::size_t maxOthers = 8;

    /// Sorts paths to their places by content (a file that no reader knows is taken as the debug buffer when
    /// a trace is among them). In SessionScope::All, of several traces the one that contradicts the other
    /// files least is `trace`, the first of those that are alike. Errors: InvalidArgument (two of another
    /// kind: names the one that contradicts the other files more; a kind outside `scope`; nothing to show),
    /// and as MappedFile::open.
    [[nodiscard]] static core::Result<SessionFiles> sort(const std::vector<std::filesystem::path>& paths,
                                                         SessionScope scope = SessionScope::Trace);
};

}  // namespace et::inspector
