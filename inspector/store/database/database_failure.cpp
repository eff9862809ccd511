#include "inspector/store/database/database_failure.h"

#include "runtime/core/file_kind.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;

/// SQLite codes that are not system errors; all others are.
struct CodeTraits {
    int code;
    ErrorCode meaning;
};
constexpr std::array codes{
    CodeTraits{SQLITE_NOTADB, ErrorCode::Format},       CodeTraits{SQLITE_CORRUPT, ErrorCode::Format},
    CodeTraits{SQLITE_SCHEMA, ErrorCode::Format},       CodeTraits{SQLITE_CONSTRAINT, ErrorCode::Format},
    CodeTraits{SQLITE_MISMATCH, ErrorCode::Format},     CodeTraits{SQLITE_ERROR, ErrorCode::Format},
    CodeTraits{SQLITE_TOOBIG, ErrorCode::Limit},        CodeTraits{SQLITE_NOMEM, ErrorCode::Limit},
    CodeTraits{SQLITE_INTERRUPT, ErrorCode::Cancelled},
};

/// Returns what a file that SQLite rejects is; empty if unknown.
std::string rejectedText(const std::string& file) {
    const auto content = core::MappedFile::open(file);
    return content ? core::wrongKindText((*content)->bytes(), "a session or another SQLite database") : "";
}

}  // namespace

std::unexpected<core::Error> failure(sqlite3* database, const std::string& file) {
    const int code = sqlite3_errcode(database);
    const auto* const found = std::ranges::find(codes, code & 0xFF, &CodeTraits::code);
    const ErrorCode meaning = found == codes.end() ? ErrorCode::Io : found->meaning;
    const bool busy = (code & 0xFF) == SQLITE_BUSY;
    if (std::string text = (code & 0xFF) == SQLITE_NOTADB ? rejectedText(file) : ""; !text.empty()) {
        return fail(meaning, std::move(text), {.file = file, .field = {}, .offset = {}});
    }
    return fail(meaning,
                busy ? std::string("another process has locked the database for too long: try again")
                     : fmt::format("database: {}", sqlite3_errmsg(database)),
                {.file = file, .field = {}, .offset = {}});
}

}  // namespace et::inspector::store
