#include "inspector/store/store_location.h"

#include "inspector/store/baseline_schema.h"
#include "inspector/store/database/database.h"
#include "inspector/store/postgres/big_endian.h"
#include "inspector/store/postgres/postgres.h"
#include "inspector/store/session_store.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <string>
#include <system_error>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::Result;

Result<std::unique_ptr<Connection>> openFile(const fs::path& path, const OpenOptions& options) {
    if (options.mode == OpenMode::Create && path.has_parent_path()) {
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error) {
            return core::fail(core::ErrorCode::Io,
                              fmt::format("cannot create the folder: {}", error.message()),
                              {.file = path.parent_path().string(), .field = {}, .offset = {}});
        }
    }
    return options.mode == OpenMode::Reading ? Database::openReading(path, baselineSchema())
                                             : Database::open(path, baselineSchema(), options);
}

}  // namespace

bool isServer(const fs::path& place) {
    const std::string& text = place.native();
    return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

bool isStore(const fs::path& place) {
    if (isServer(place)) {
        return true;
    }
    if (!isDatabase(place)) {
        return false;
    }
    // Bytes 68 to 71 of the header of an SQLite file, big-endian (sqlite.org/fileformat.html).
    constexpr std::streamoff applicationIdAt = 68;
    std::array<char, sizeof(std::int32_t)> bytes{};
    std::ifstream file(place, std::ios::binary);
    file.seekg(applicationIdAt);
    file.read(bytes.data(), bytes.size());
    return file && fromBigEndian({bytes.data(), bytes.size()}) == baselineSchema().applicationId;
}

bool isMissing(const fs::path& place) {
    std::error_code unknown;
    return !isServer(place) && fs::status(place, unknown).type() == fs::file_type::not_found;
}

Result<std::unique_ptr<Connection>> connectStore(const fs::path& place, const OpenOptions& options) {
    return isServer(place) ? openPostgres(place.native(), options) : openFile(place, options);
}

}  // namespace et::inspector::store
