#include "inspector/store/store_location.h"

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

constexpr std::string_view version1 = R"sql(
CREATE TABLE machine (
  id INTEGER PRIMARY KEY,
  cpu TEXT NOT NULL,
  cores INTEGER NOT NULL,
  system TEXT NOT NULL,
  UNIQUE (cpu, cores, system)
) STRICT;

CREATE TABLE baseline (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  created TEXT NOT NULL,
  origin TEXT NOT NULL,
  cycles INTEGER NOT NULL,
  machine INTEGER REFERENCES machine (id)
) STRICT;

CREATE TABLE settings (
  baseline INTEGER PRIMARY KEY REFERENCES baseline (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  threads INTEGER NOT NULL,
  warmup INTEGER NOT NULL,
  iterations INTEGER NOT NULL,
  warmup_detected INTEGER NOT NULL,
  inputs TEXT NOT NULL,
  seed INTEGER NOT NULL,
  load_ns INTEGER NOT NULL,
  peak_bytes INTEGER NOT NULL
) STRICT;

CREATE TABLE program (
  baseline INTEGER PRIMARY KEY REFERENCES baseline (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  planned_bytes INTEGER NOT NULL,
  delegates INTEGER NOT NULL,
  instructions INTEGER NOT NULL
) STRICT;

CREATE TABLE warning (
  baseline INTEGER NOT NULL REFERENCES baseline (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (baseline, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE method (
  id INTEGER PRIMARY KEY,
  baseline INTEGER NOT NULL REFERENCES baseline (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  total_measured INTEGER NOT NULL,
  UNIQUE (baseline, position)
) STRICT;

CREATE TABLE run (
  method INTEGER NOT NULL REFERENCES method (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  time REAL NOT NULL,
  PRIMARY KEY (method, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator (
  id INTEGER PRIMARY KEY,
  method INTEGER NOT NULL REFERENCES method (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  backend TEXT NOT NULL,
  chain INTEGER NOT NULL,
  instruction INTEGER NOT NULL,
  UNIQUE (method, position)
) STRICT;

CREATE TABLE operator_handle (
  operator INTEGER NOT NULL REFERENCES operator (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  handle INTEGER NOT NULL,
  PRIMARY KEY (operator, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE operator_node (
  operator INTEGER NOT NULL REFERENCES operator (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (operator, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample (
  operator INTEGER NOT NULL REFERENCES operator (id) ON DELETE CASCADE,
  run INTEGER NOT NULL,
  time REAL NOT NULL,
  PRIMARY KEY (operator, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE output (
  baseline INTEGER NOT NULL REFERENCES baseline (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  method TEXT NOT NULL,
  number INTEGER NOT NULL,
  type TEXT NOT NULL,
  checksum TEXT NOT NULL,
  elements INTEGER NOT NULL,
  non_finite INTEGER NOT NULL,
  minimum REAL,
  maximum REAL,
  mean REAL,
  PRIMARY KEY (baseline, position)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::string_view version2 = R"sql(
ALTER TABLE operator ADD COLUMN module TEXT NOT NULL DEFAULT '';
)sql";

/// Histories, filled by `et-inspect import`. Repeated texts are stored once and referred to by number.
constexpr std::string_view version3 = R"sql(
CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE imported_file (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  origin TEXT NOT NULL,
  imported TEXT NOT NULL,
  measured TEXT NOT NULL,
  commit_name TEXT NOT NULL
) STRICT;

CREATE TABLE file_tag (
  file INTEGER NOT NULL REFERENCES imported_file (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (file, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE tracked_operator (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  backend TEXT NOT NULL,
  occurrence INTEGER NOT NULL,
  UNIQUE (name, kind, backend, occurrence)
) STRICT;

CREATE TABLE measured_method (
  id INTEGER PRIMARY KEY,
  file INTEGER NOT NULL REFERENCES imported_file (id) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES model (id),
  method TEXT NOT NULL,
  cycles INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  time REAL NOT NULL,
  samples BLOB
) STRICT;

CREATE INDEX measured_method_model ON measured_method (model, file);
CREATE INDEX measured_method_file ON measured_method (file);

CREATE TABLE operator_time (
  measured INTEGER NOT NULL REFERENCES measured_method (id) ON DELETE CASCADE,
  operator INTEGER NOT NULL REFERENCES tracked_operator (id),
  time REAL NOT NULL,
  samples BLOB,
  PRIMARY KEY (measured, operator)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::array migrations{version1, version2, version3};

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

const Schema& baselineSchema() {
    // "ETbs" in the file header.
    static constexpr Schema schema{
        .kind = "baseline store", .applicationId = 0x45546273, .migrations = migrations, .writeAhead = true};
    return schema;
}

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
