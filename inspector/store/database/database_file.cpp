#include "inspector/store/database/database_file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view journal = "-journal";
constexpr std::string_view log = "-wal";
constexpr std::string_view logIndex = "-shm";

/// SQLite creates these files next to the target of a link.
fs::path beside(const fs::path& path, std::string_view suffix) {
    std::error_code unresolved;
    fs::path file = fs::canonical(path, unresolved);
    file = unresolved ? path : file;
    return file.concat(suffix);
}

bool hasContent(const fs::path& path) {
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(path, unknown);
    return !unknown && size > 0;
}

/// Trailing magic of a super-journal, a journal of several databases (pager.c).
constexpr std::array<unsigned char, 8> superJournalEnd{0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};

}  // namespace

Result<> checkFile(const fs::path& path, const Schema& schema) {
    const core::Where where{.file = path.string(), .field = {}, .offset = {}};
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (status.type() == fs::file_type::not_found) {
        return fail(ErrorCode::NotFound, fmt::format("the {} does not exist", schema.kind), where);
    }
    if (failed) {
        return fail(ErrorCode::Io, fmt::format("cannot open: {}", failed.message()), where);
    }
    if (!fs::is_regular_file(status)) {
        return fail(ErrorCode::Format, fmt::format("expected a {}, got no regular file", schema.kind), where);
    }
    return hasContent(path)
               ? Result<>()
               : fail(ErrorCode::Format, fmt::format("expected a {}, got an empty file", schema.kind), where);
}

bool hasJournal(const fs::path& path) {
    return hasContent(beside(path, journal));
}

bool hasLog(const fs::path& path) {
    return hasContent(beside(path, log));
}

Result<> checkJournal(const fs::path& path) {
    const fs::path file = beside(path, journal);
    std::error_code unknown;
    if (!fs::exists(fs::symlink_status(file, unknown))) {
        return {};
    }
    const core::Where where{.file = file.string(), .field = {}, .offset = {}};
    if (!fs::is_regular_file(fs::symlink_status(file, unknown))) {
        return fail(ErrorCode::Format, "expected a SQLite journal, got no regular file", where);
    }
    std::array<char, superJournalEnd.size()> end{};
    std::ifstream opened(file, std::ios::binary);
    opened.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
    opened.read(end.data(), end.size());
    if (opened && std::memcmp(end.data(), superJournalEnd.data(), end.size()) == 0) {
        return fail(ErrorCode::Format, "expected the journal of a single database, got one of several",
                    where);
    }
    return {};
}

void removeJournals(const fs::path& path) {
    for (const std::string_view suffix : {journal, log, logIndex}) {
        std::error_code unknown;
        fs::remove(beside(path, suffix), unknown);
    }
}

Result<CopiedDatabase> CopiedDatabase::make(const fs::path& path) {
    std::error_code failed;
    std::string folder = (fs::temp_directory_path(failed) / "et-inspect-XXXXXX").string();
    if (failed || ::mkdtemp(folder.data()) == nullptr) {
        return fail(ErrorCode::Io, fmt::format("cannot copy it for reading: {}", std::strerror(errno)),
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    CopiedDatabase copy{fs::path(folder)};
    for (const std::string_view suffix : {std::string_view(), journal, log}) {
        const fs::path from = beside(path, suffix);
        if (suffix.empty() || hasContent(from)) {
            fs::copy_file(from, copy.path().concat(suffix), failed);
        }
        if (failed) {
            return fail(ErrorCode::Io, fmt::format("cannot copy it for reading: {}", failed.message()),
                        {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    return copy;
}

CopiedDatabase::~CopiedDatabase() {
    if (!folder.empty()) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
}

}  // namespace et::inspector::store
