#include "inspector/store/baseline_store.h"

#include "inspector/comparison/statistics.h"
#include "inspector/store/baseline_io.h"
#include "inspector/store/store_location.h"
#include "runtime/core/user_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

Result<> checkName(std::string_view name) {
    constexpr std::size_t longest = 200;
    const bool controls = std::ranges::any_of(name, [](char c) {
        constexpr unsigned char firstPrinting = 0x20;
        constexpr unsigned char erase = 0x7F;
        return static_cast<unsigned char>(c) < firstPrinting || static_cast<unsigned char>(c) == erase;
    });
    if (name.empty() || name.size() > longest || controls) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a name of 1 to {} bytes without control characters, got \"{}\"",
                                longest, core::printable(name)));
    }
    return {};
}

Result<std::optional<std::int64_t>> rowOf(Connection& database, std::string_view name) {
    ET_ASSIGN(Statement statement, database.prepare("SELECT id FROM baseline WHERE name = ?"));
    ET_TRY(statement.bind(name));
    ET_ASSIGN(const bool found, statement.step());
    return found ? std::optional(statement.integer(0)) : std::nullopt;
}

}  // namespace

Result<fs::path> BaselineStore::defaultPath() {
    const auto folder = core::userFolder("XDG_DATA_HOME", fs::path(".local") / "share");
    if (!folder) {
        return fail(ErrorCode::NotFound, "no folder for baselines: neither XDG_DATA_HOME nor HOME is set");
    }
    return *folder / "et-inspect" / "baselines.db";
}

Result<BaselineStore> BaselineStore::open(const fs::path& place, const OpenOptions& options) {
    ET_ASSIGN(std::unique_ptr<Connection> database, connectStore(place, options));
    return BaselineStore(std::move(database));
}

Result<> BaselineStore::save(std::string_view name, const Measurement& measurement, Existing existing) {
    ET_TRY(checkName(name));
    ET_ASSIGN(Transaction transaction, database->begin());
    ET_ASSIGN(const std::optional<std::int64_t> row, rowOf(*database, name));
    if (row && existing == Existing::Keep) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("baseline \"{}\" already exists (--replace overwrites it)", name),
                    {.file = file(), .field = {}, .offset = {}});
    }
    if (row) {
        ET_ASSIGN(Statement remove, database->prepare("DELETE FROM baseline WHERE id = ?"));
        ET_TRY(remove.run(*row));
    }
    ET_TRY(writeBaseline(*database, name, measurement));
    return transaction.commit();
}

Result<Measurement> BaselineStore::load(std::string_view name) const {
    ET_ASSIGN(const std::optional<std::int64_t> row, rowOf(*database, name));
    return row ? readBaseline(*database, *row) : Result<Measurement>(notFound(name));
}

std::unexpected<core::Error> BaselineStore::notFound(std::string_view name) const {
    constexpr std::size_t max = 10;
    std::string known;
    if (const auto entries = list()) {
        for (std::size_t i = 0; i < std::min(max, entries->size()); ++i) {
            known += fmt::format("{}{}", i == 0 ? "" : ", ", (*entries)[i].name);
        }
        known += entries->size() > max ? ", ..." : "";
    }
    return fail(ErrorCode::NotFound,
                fmt::format("no baseline \"{}\"; available: {}", name, known.empty() ? "none" : known),
                {.file = file(), .field = {}, .offset = {}});
}

Result<std::vector<BaselineEntry>> BaselineStore::list() const {
    ET_ASSIGN(
        Statement statement,
        database->prepare(
            "SELECT b.name, b.created, b.origin, b.cycles, coalesce(m.cpu, ''), "
            "(SELECT count(*) FROM method t JOIN run r ON r.method = t.id WHERE t.baseline = b.id), "
            "(SELECT count(*) FROM method t JOIN operator o ON o.method = t.id WHERE t.baseline = b.id), "
            "(SELECT count(*) FROM method t JOIN operator o ON o.method = t.id JOIN sample s ON "
            "s.operator = o.id WHERE t.baseline = b.id), "
            "(SELECT t.id FROM method t WHERE t.baseline = b.id ORDER BY t.position LIMIT 1) "
            "FROM baseline b LEFT JOIN machine m ON m.id = b.machine ORDER BY b.name"));
    ET_ASSIGN(Statement times, database->prepare("SELECT time FROM run WHERE method = ? LIMIT 100000"));
    std::vector<BaselineEntry> entries;
    for (;;) {
        ET_ASSIGN(const bool found, statement.step());
        if (!found) {
            return entries;
        }
        ET_TRY(times.bind(statement.integer(8)));
        std::vector<double> totals;
        for (;;) {
            ET_ASSIGN(const bool another, times.step());
            if (!another) {
                break;
            }
            totals.push_back(times.real(0));
        }
        entries.push_back({.name = std::string(statement.text(0)),
                           .created = std::string(statement.text(1)),
                           .origin = std::string(statement.text(2)),
                           .runs = static_cast<std::uint64_t>(statement.integer(5)),
                           .operators = static_cast<std::uint64_t>(statement.integer(6)),
                           .samples = static_cast<std::uint64_t>(statement.integer(7)),
                           .medianTotal = median(totals),
                           .cycles = statement.integer(3) != 0,
                           .cpu = std::string(statement.text(4))});
    }
}

Result<> BaselineStore::remove(std::string_view name) {
    ET_ASSIGN(Statement statement, database->prepare("DELETE FROM baseline WHERE name = ? RETURNING id"));
    ET_TRY(statement.bind(name));
    ET_ASSIGN(const bool found, statement.step());
    return found ? statement.run() : notFound(name);
}

}  // namespace et::inspector::store
