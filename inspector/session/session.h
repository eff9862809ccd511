#pragma once

#include "bundled_program/bundle.h"
#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/artifact.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::native {
struct Package;
}  // namespace et::native

namespace et::inspector {

/// A trace and its debug buffer.
struct TraceFiles {
    std::filesystem::path trace;
    std::filesystem::path debugBuffer{};  ///< empty: none

    bool operator==(const TraceFiles&) const = default;
};

/// Files to open together. Empty paths are ignored.
struct SessionFiles {
    std::filesystem::path trace;
    std::filesystem::path record;
    std::filesystem::path debugBuffer;
    std::filesystem::path program{};
    std::filesystem::path bundle{};      ///< a bundled program
    std::filesystem::path package{};     ///< of the ExecuTorch Native format
    std::filesystem::path tensorData{};  ///< external weights; not opened here
    std::vector<TraceFiles> others{};    ///< further traces for comparison with `trace`
    /// Profiles of vendors' tools, whose operators are added to the delegate calls of `trace`.
    std::vector<std::filesystem::path> profiles{};
};

/// A further trace of a session, joined with the session's record if that matches.
struct OtherTrace {
    TraceFiles files;
    std::shared_ptr<const etdump::Trace> trace;        ///< never null
    std::shared_ptr<const EventBlocks> blocks;         ///< never null
    std::shared_ptr<const core::MappedFile> values{};  ///< its debug buffer; null: none given
};

/// The open files and their join, as one immutable value. A changed option or file makes a new session.
struct Session {
    SessionFiles files;
    std::shared_ptr<const etdump::Trace> trace;               ///< null: none given
    std::shared_ptr<const etrecord::Record> record;           ///< null: none given
    std::shared_ptr<const core::MappedFile> debugBuffer;      ///< null: none given
    std::shared_ptr<const EventBlocks> blocks;                ///< null without a trace
    std::shared_ptr<const bundled_program::Bundle> bundle{};  ///< null: none given
    /// The program that runs: the one given, or else the one in the bundle. Null if there is neither, or if
    /// the bundle's cannot be read.
    std::shared_ptr<const program::Program> program{};
    std::shared_ptr<const native::Package> package{};  ///< null: none given
    std::vector<OtherTrace> others{};                  ///< as SessionFiles::others; none without a trace
    /// Non-fatal read errors, one line each.
    std::vector<std::string> problems{};
    /// Why the record does not belong to the program; nothing if it may, or if one of them is missing.
    std::optional<std::string> recordContradiction{};

    /// The record, if it applies to the program's instructions; null if there is none, or it belongs to
    /// another program.
    [[nodiscard]] const etrecord::Record* recordOfProgram() const {
        return recordContradiction ? nullptr : record.get();
    }

    /// Opens and joins the files, except that those in `opened` are not opened again. Errors: as the readers
    /// and EventBlocks::build, each naming its file.
    [[nodiscard]] static core::Result<std::shared_ptr<const Session>> open(
        SessionFiles files, const JoinOptions& options = {}, std::span<const RecognizedFile> opened = {});

    /// Returns the session with further traces, which are read here; files already open are not read again.
    /// Errors: InvalidArgument (no trace is open, more than maxOthers); as open().
    [[nodiscard]] core::Result<std::shared_ptr<const Session>> withTraces(
        const std::vector<TraceFiles>& further, std::span<const RecognizedFile> opened = {}) const;
    /// Maximum number of further traces.
    static constexpr std::size_t maxOthers = 8;
};

}  // namespace et::inspector
