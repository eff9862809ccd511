#include "inspector/store/session/table_lists.h"

#include <array>

namespace et::inspector::store {
namespace {

using enum ColumnType;

constexpr std::array sessionColumns{
    SessionColumn{"key", Text,
                  "name of the fact: `created` (UTC), `writer` (program and version), `time_unit` (of all "
                  "durations and statistics in this session: `ms`, or `cycles`), `source_time_unit` (of "
                  "ticks), `method`, `reference_quirks`, `every_repeat`"},
    SessionColumn{"value", Text, "the fact"},
};

constexpr std::array filesColumns{
    SessionColumn{"file", Integer, "number of the file"},
    SessionColumn{"kind", Text, "`trace`, `record`, `debug_buffer`, `program`, `bundle` or `tensor_data`"},
    SessionColumn{
        "trace", Integer,
        "of a trace and its debug buffer: 0 is the main trace, others stand beside it; null: another kind"},
    SessionColumn{"name", Text, "name without folders"},
    SessionColumn{"bytes", Integer, "size"},
    SessionColumn{"sha256", Text,
                  "checksum of the content, 64 hexadecimal digits; null in a session that is not a file"},
};

constexpr std::array filePartsColumns{
    SessionColumn{"part", Integer, "number of the piece; those of a file follow one another"},
    SessionColumn{"file", Integer, "whose it is: `files.file`"},
    SessionColumn{"bytes", Integer, "size before it was compressed"},
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
    SessionColumn{"method", Text, "method of the operator; null: the note is about the session"},
    SessionColumn{"instruction", Integer, "instruction of the operator; null: none"},
    SessionColumn{"debug_handle", Integer, "debug handle of the operator; null: none"},
    SessionColumn{"text", Text, "the note"},
    SessionColumn{"delegated", Text,
                  "what the trace calls the operator inside of the delegate that the instruction calls; "
                  "null: the instruction itself",
                  3},
};

constexpr std::array layoutColumns{
    SessionColumn{"key", Text, "name of the setting"},
    SessionColumn{"value", Blob, "what the studio made of it"},
};

constexpr std::array fileTableList{
    SessionTable{.name = "session",
                 .meaning = "What holds of the whole session, a row each fact.",
                 .key = "key",
                 .columns = sessionColumns},
    SessionTable{.name = "files",
                 .meaning = "The files that the session was saved with.",
                 .key = "file",
                 .columns = filesColumns},
    SessionTable{
        .name = "file_parts",
        .meaning = "The content of the files in pieces of 1 MiB; empty in a session that is not a file.",
        .key = "part",
        .columns = filePartsColumns},
    SessionTable{.name = "warnings",
                 .meaning = "What contradicts, could not be read, or must be known before trusting a number.",
                 .key = "",
                 .columns = warningsColumns},
    SessionTable{.name = "notes",
                 .meaning = "What people wrote to an operator, or to the session.",
                 .key = "note",
                 .columns = notesColumns},
    SessionTable{.name = "layout",
                 .meaning = "How the studio's window was arranged.",
                 .key = "key",
                 .columns = layoutColumns},
};

}  // namespace

std::span<const SessionTable> fileTables() {
    return fileTableList;
}

}  // namespace et::inspector::store
