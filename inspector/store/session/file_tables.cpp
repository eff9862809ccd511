#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array sessionColumns{
    SessionColumn{
        "key", Text,
        "name of the property: `created` (UTC), `writer` (program and version), `time_unit` (of all "
        "durations and statistics in this session: `ms`, or `cycles`), `source_time_unit` (of "
        "ticks), `delegate_time_units` (of `--delegate-time-scale`, separated by commas), `method`, "
        "`reference_quirks`, `every_repeat`"},
    SessionColumn{"value", Text, "its value"},
};

constexpr std::array filesColumns{
    SessionColumn{"file", Integer, "number of the file"},
    SessionColumn{
        "kind", Text,
        "`trace`, `record`, `debug_buffer`, `counters` (of `run --counters`), `program`, `bundle`, `package` "
        "or `tensor_data`"},
    SessionColumn{"trace", Integer,
                  "for traces, debug buffers and counters: 0 is the main trace, others are compared with it; "
                  "null for other kinds"},
    SessionColumn{"name", Text, "file name without its folder"},
    SessionColumn{"bytes", Integer, "size"},
    SessionColumn{"sha256", Text, "SHA-256 of the content, in hexadecimal; null in a session held in memory"},
};

constexpr std::array filePartsColumns{
    SessionColumn{"part", Integer, "number of the piece; the pieces of a file are consecutive"},
    SessionColumn{"file", Integer, "`files.file`"},
    SessionColumn{"bytes", Integer, "uncompressed size"},
    SessionColumn{"compression", Text, "`none` or `deflate` (a zlib stream)"},
    SessionColumn{"data", Blob, "the bytes"},
};

constexpr std::array warningsColumns{
    SessionColumn{"subject", Text, "`trace`, `record`, `program` or `files`"},
    SessionColumn{"text", Text, "one line"},
};

constexpr std::array notesColumns{
    SessionColumn{"note", Integer, "number of the note"},
    SessionColumn{"created", Text, "UTC, `2026-11-21T04:05:06Z`"},
    SessionColumn{"method", Text, "method of the operator; null for a note on the session"},
    SessionColumn{"instruction", Integer, "instruction of the operator, or null"},
    SessionColumn{"debug_handle", Integer, "debug handle of the operator, or null"},
    SessionColumn{"text", Text, "the note"},
    SessionColumn{
        "delegated", Text,
        "name in the trace of an operator inside the delegate; null if the note is on the instruction "
        "itself",
        3},
};

constexpr std::array layoutColumns{
    SessionColumn{"key", Text, "name of the setting"},
    SessionColumn{"value", Blob, "value, private to et-studio"},
};

constexpr std::array fileTableList{
    SessionTable{.name = "session",
                 .meaning = "Properties of the session, one row each.",
                 .key = "key",
                 .columns = sessionColumns},
    SessionTable{
        .name = "files", .meaning = "Files saved in the session.", .key = "file", .columns = filesColumns},
    SessionTable{.name = "file_parts",
                 .meaning = "File contents in pieces of 1 MiB; empty in a session held in memory.",
                 .key = "part",
                 .columns = filePartsColumns},
    SessionTable{.name = "warnings",
                 .meaning = "Contradictions between files, parts that could not be read, and other caveats.",
                 .key = "",
                 .columns = warningsColumns},
    SessionTable{.name = "notes",
                 .meaning = "Notes on operators or on the session.",
                 .key = "note",
                 .columns = notesColumns},
    SessionTable{
        .name = "layout", .meaning = "Window layout of et-studio.", .key = "key", .columns = layoutColumns},
};

}  // namespace

std::span<const SessionTable> fileTables() {
    return fileTableList;
}

}  // namespace et::inspector::store
