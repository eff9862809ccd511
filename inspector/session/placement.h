#pragma once

#include "inspector/session/artifact.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// File kinds accepted by placeFiles().
enum class SessionScope : std::uint8_t {
    Trace,   ///< a trace with its record and debug buffer
    Traces,  ///< additionally further traces
    All,     ///< additionally programs and bundled programs
    Tensors  ///< the same kinds; tensor data may be the only file
};

/// Assigns files to the members of a session by kind (a file of unknown kind is the debug buffer if a trace
/// is among the files). From SessionScope::All on, the trace that contradicts the other files least becomes
/// `trace`; the first wins ties. Errors: InvalidArgument (two files of another kind: names the one that
/// contradicts the other files more; a kind outside `scope`; nothing to show), Format (an empty file).
[[nodiscard]] core::Result<SessionFiles> placeFiles(std::span<const RecognizedFile> files,
                                                    SessionScope scope);
/// Opens the files only to recognize them. Errors: also those of MappedFile::open.
[[nodiscard]] core::Result<SessionFiles> placeFiles(const std::vector<std::filesystem::path>& paths,
                                                    SessionScope scope = SessionScope::Trace);

/// Returns the files of `open` together with `files`; nothing if one of them cannot join the session. A
/// record or debug buffer of the open trace, and a program's weights, replace the previous ones; other files
/// can only be added. A file of unknown kind is a debug buffer only if the open trace logs values.
[[nodiscard]] std::optional<SessionFiles> placeAdditionalFiles(std::span<const RecognizedFile> files,
                                                               const Session& open);

/// The traces among `files`, each with its debug buffer; nothing if there are other files or no trace.
[[nodiscard]] std::optional<std::vector<TraceFiles>> placeTraces(std::span<const RecognizedFile> files);

/// Makes an additional trace, given by its index, the main trace.
[[nodiscard]] SessionFiles withMainTrace(SessionFiles files, std::size_t other);

/// Removes the file that cannot be used, and the debug buffer with its trace; without a main trace, the first
/// additional one becomes it. Returns false if nothing is left to show, or if `path` is not among the files.
[[nodiscard]] bool leaveOut(SessionFiles& files, const std::filesystem::path& path);

/// The files of a session that are set: trace, record, debug buffer, program, bundle, tensor data, additional
/// traces.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const SessionFiles& files);

}  // namespace et::inspector
