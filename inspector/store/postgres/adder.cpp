#include "inspector/store/postgres/big_endian.h"
#include "inspector/store/postgres/statement.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <utility>

// COPY in binary format (PostgreSQL's documentation of COPY, "Binary Format").
namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::string_view copyHeader("PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0", 19);
constexpr std::size_t bytesAtOnce = std::size_t{4} << 20;

class PostgresAdder final : public StatementDriver {
  public:
    PostgresAdder(PostgresLink& owner, std::string statement, std::size_t width)
        : link(owner), copy(std::move(statement)), columns(width) {}

    [[nodiscard]] Result<bool> step() override {
        if (fields != columns) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected {} values, got {}", columns, fields), {.file = link.name()});
        }
        appendBigEndian(pending, static_cast<std::int16_t>(columns));
        pending += row;
        if (pending.size() >= bytesAtOnce) {
            ET_TRY(finish());
        }
        return false;
    }
    void reset() override {
        row.clear();
        fields = 0;
    }
    [[nodiscard]] Result<> finish() override;

    [[nodiscard]] Result<> bindInteger(int, std::int64_t value) override {
        std::string bytes;
        appendBigEndian(bytes, value);
        return append(bytes);
    }
    [[nodiscard]] Result<> bindReal(int, double value) override {
        std::string bytes;
        appendBigEndian(bytes, std::bit_cast<std::uint64_t>(value));
        return append(bytes);
    }
    [[nodiscard]] Result<> bindText(int, std::string_view value) override {
        return append(acceptedText(value));
    }
    [[nodiscard]] Result<> bindBlob(int, core::Bytes value) override { return append(core::textOf(value)); }
    [[nodiscard]] Result<> bindNull(int) override {
        appendBigEndian(row, std::int32_t{-1});
        ++fields;
        return {};
    }

    // An adder returns no rows.
    [[nodiscard]] int columnCount() const override { return 0; }
    [[nodiscard]] std::string_view columnName(int) const override { return {}; }
    [[nodiscard]] ColumnKind kind(int) const override { return ColumnKind::Null; }
    [[nodiscard]] std::int64_t integer(int) const override { return 0; }
    [[nodiscard]] double real(int) const override { return 0; }
    [[nodiscard]] std::string_view text(int) const override { return {}; }
    [[nodiscard]] core::Bytes blob(int) const override { return {}; }

  private:
    Result<> append(std::string_view bytes) {
        constexpr auto max = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 2;
        if (bytes.size() > max) {
            return fail(ErrorCode::Limit, "a value is too large for the database", {.file = link.name()});
        }
        appendBigEndian(row, static_cast<std::int32_t>(bytes.size()));
        row += bytes;
        ++fields;
        return {};
    }

    PostgresLink& link;
    std::string copy;
    std::size_t columns;
    std::string row;  ///< the row being bound
    std::size_t fields = 0;
    std::string pending;  ///< rows not yet sent
};

Result<> PostgresAdder::finish() {
    if (pending.empty()) {
        return {};
    }
    std::string bytes(copyHeader);
    bytes += std::exchange(pending, {});
    appendBigEndian(bytes, std::int16_t{-1});
    ET_TRY(link.command(copy, PGRES_COPY_IN));
    const PostgresLibrary& library = link.of();
    if (library.putCopyData(link.handle(), bytes.data(), static_cast<int>(bytes.size())) != 1 ||
        library.putCopyEnd(link.handle(), nullptr) != 1) {
        return link.failure(nullptr);
    }
    const PostgresResult result = link.next();
    const bool done = library.resultStatus(result.get()) == PGRES_COMMAND_OK;
    Result<> outcome = done ? Result<>() : Result<>(link.failure(result.get()));
    link.skipRest();
    return outcome;
}

}  // namespace

Statement postgresAdder(PostgresLink& link, std::string_view table,
                        std::span<const std::string_view> columns) {
    std::string names;
    for (const std::string_view column : columns) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", column);
    }
    return Statement(std::make_unique<PostgresAdder>(
        link, fmt::format("COPY {} ({}) FROM STDIN (FORMAT binary)", table, names), columns.size()));
}

}  // namespace et::inspector::store
