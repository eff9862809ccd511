#include "inspector/store/postgres/statement.h"

#include "inspector/store/postgres/big_endian.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Column types that we request (pg_type.dat of PostgreSQL), with their binary sizes.
struct TypeTraits {
    Oid type;
    ColumnKind kind;
    int bytes;  ///< -1: variable
};
constexpr std::array types{
    TypeTraits{16, ColumnKind::Integer, 1},  // boolean
    TypeTraits{17, ColumnKind::Blob, -1},    // bytea
    TypeTraits{20, ColumnKind::Integer, 8},  // bigint
    TypeTraits{23, ColumnKind::Integer, 4},  // integer
    TypeTraits{25, ColumnKind::Text, -1},    // text
    TypeTraits{701, ColumnKind::Real, 8},    // double precision
};

constexpr int rowsAtOnce = 2000;
/// Maximum number of results buffered for a statement while another one runs.
constexpr std::size_t maxKept = 50'000;

class PostgresStatement final : public StatementDriver, public PostgresReader {
  public:
    PostgresStatement(PostgresLink& owner, std::string known) : link(owner), name(std::move(known)) {}
    ~PostgresStatement() override { stop(); }
    PostgresStatement(const PostgresStatement&) = delete;
    PostgresStatement& operator=(const PostgresStatement&) = delete;

    [[nodiscard]] Result<bool> step() override;
    void reset() override;
    void takeRest() override;

    [[nodiscard]] Result<> bindInteger(int index, std::int64_t value) override {
        return bind(index, fmt::format("{}", value), false);
    }
    [[nodiscard]] Result<> bindReal(int index, double value) override {
        return bind(index, fmt::format("{}", value), false);
    }
    [[nodiscard]] Result<> bindText(int index, std::string_view value) override {
        return bind(index, acceptedText(value), true);
    }
    [[nodiscard]] Result<> bindBlob(int index, core::Bytes value) override {
        return bind(index, std::string(core::textOf(value)), true);
    }
    [[nodiscard]] Result<> bindNull(int index) override { return bind(index, std::nullopt, true); }

    [[nodiscard]] int columnCount() const override {
        return parts.empty() ? 0 : link.of().nfields(parts.front().get());
    }
    [[nodiscard]] std::string_view columnName(int column) const override {
        const char* const found = parts.empty() ? nullptr : link.of().fname(parts.front().get(), column);
        return found == nullptr ? std::string_view() : std::string_view(found);
    }
    [[nodiscard]] ColumnKind kind(int column) const override;
    [[nodiscard]] std::int64_t integer(int column) const override;
    [[nodiscard]] double real(int column) const override;
    [[nodiscard]] std::string_view text(int column) const override;
    [[nodiscard]] core::Bytes blob(int column) const override;

  private:
    struct Parameter {
        std::optional<std::string> value;
        bool binary;
    };

    Result<> bind(int index, std::optional<std::string> value, bool binary);
    Result<> send();
    /// Fetches one more result; false if there is none.
    Result<bool> fetch();
    [[nodiscard]] Result<> checkRow() const;
    [[nodiscard]] const TypeTraits* typeOf(int column) const;
    [[nodiscard]] std::string_view bytesOf(int column) const;
    void stop();

    PostgresLink& link;
    std::string name;
    std::vector<Parameter> parameters;
    bool sent = false;
    std::deque<PostgresResult> parts;   ///< the first contains the current row
    int row = -1;                       ///< index in the first part
    std::optional<core::Error> failed;  ///< error that occurred in takeRest()
};

Result<> PostgresStatement::bind(int index, std::optional<std::string> value, bool binary) {
    parameters.resize(std::max(parameters.size(), static_cast<std::size_t>(index) + 1));
    parameters[static_cast<std::size_t>(index)] = {.value = std::move(value), .binary = binary};
    return {};
}

Result<> PostgresStatement::send() {
    ET_TRY(link.release());
    std::vector<const char*> values;
    std::vector<int> sizes;
    std::vector<int> formats;
    for (const Parameter& each : parameters) {
        if (each.value && each.value->size() > std::numeric_limits<int>::max()) {
            return fail(ErrorCode::Limit, "a value is too large for the database", {.file = link.name()});
        }
        values.push_back(each.value ? each.value->c_str() : nullptr);
        sizes.push_back(each.value ? static_cast<int>(each.value->size()) : 0);
        formats.push_back(each.binary ? 1 : 0);
    }
    const PostgresLibrary& library = link.of();
    if (library.sendQueryPrepared(link.handle(), name.c_str(), static_cast<int>(values.size()), values.data(),
                                  sizes.data(), formats.data(), 1) != 1) {
        return link.failure(nullptr);
    }
    library.setChunkedRowsMode(link.handle(), rowsAtOnce);
    sent = true;
    link.readBy(this);
    return {};
}

Result<bool> PostgresStatement::fetch() {
    if (failed) {
        return std::unexpected(*std::exchange(failed, std::nullopt));
    }
    while (link.isReadBy(this)) {
        PostgresResult part = link.next();
        if (part == nullptr) {
            link.readBy(nullptr);
            return false;
        }
        const ExecStatusType status = link.of().resultStatus(part.get());
        const bool hasRows = status == PGRES_TUPLES_OK || status == PGRES_TUPLES_CHUNK;
        if (!hasRows && status != PGRES_COMMAND_OK) {
            auto failure = link.failure(part.get());
            link.skipRest();
            link.readBy(nullptr);
            return failure;
        }
        if (hasRows && link.of().ntuples(part.get()) > 0) {
            parts.push_back(std::move(part));
            return true;
        }
    }
    return false;
}

Result<bool> PostgresStatement::step() {
    if (!sent) {
        ET_TRY(send());
    }
    ++row;
    while (parts.empty() || row >= link.of().ntuples(parts.front().get())) {
        if (parts.size() < 2) {
            ET_ASSIGN(const bool came, fetch());
            if (!came) {
                parts.clear();
                row = -1;
                return false;
            }
        }
        if (row > 0 || parts.size() > 1) {
            parts.pop_front();
        }
        row = 0;
    }
    ET_TRY(checkRow());
    return true;
}

void PostgresStatement::takeRest() {
    link.readBy(this);
    while (parts.size() < maxKept) {
        const auto came = fetch();
        if (!came) {
            failed = came.error();
            return;
        }
        if (!*came) {
            return;
        }
    }
    link.hangUp("the server sent more rows than the limit");
    failed = link.failure(nullptr).error();
    link.readBy(nullptr);
}

/// Discards the remaining results.
void PostgresStatement::stop() {
    if (link.isReadBy(this)) {
        link.skipRest();
        link.readBy(nullptr);
    }
}

void PostgresStatement::reset() {
    stop();
    parts.clear();
    failed.reset();
    row = -1;
    sent = false;
}

const TypeTraits* PostgresStatement::typeOf(int column) const {
    const auto* const found =
        std::ranges::find(types, link.of().ftype(parts.front().get(), column), &TypeTraits::type);
    return found == types.end() ? nullptr : found;
}

/// Validates the server's description of the row.
Result<> PostgresStatement::checkRow() const {
    for (int column = 0; column < columnCount(); ++column) {
        const TypeTraits* const type = typeOf(column);
        if (type == nullptr) {
            return fail(ErrorCode::Format,
                        fmt::format("database: unsupported column type {}",
                                    link.of().ftype(parts.front().get(), column)),
                        {.file = link.name(), .field = core::printable(columnName(column))});
        }
        const int bytes = link.of().getlength(parts.front().get(), row, column);
        const bool isNull = link.of().getisnull(parts.front().get(), row, column) != 0;
        if (!isNull && (bytes < 0 || (type->bytes >= 0 && bytes != type->bytes))) {
            return fail(ErrorCode::Format,
                        fmt::format("database: expected a value of {} bytes, got {}", type->bytes, bytes),
                        {.file = link.name(), .field = core::printable(columnName(column))});
        }
    }
    return {};
}

ColumnKind PostgresStatement::kind(int column) const {
    if (column >= columnCount() || link.of().getisnull(parts.front().get(), row, column) != 0) {
        return ColumnKind::Null;
    }
    const TypeTraits* const type = typeOf(column);
    return type == nullptr ? ColumnKind::Null : type->kind;  // null: rejected by checkRow()
}

std::string_view PostgresStatement::bytesOf(int column) const {
    return {link.of().getvalue(parts.front().get(), row, column),
            static_cast<std::size_t>(link.of().getlength(parts.front().get(), row, column))};
}

std::int64_t PostgresStatement::integer(int column) const {
    return kind(column) == ColumnKind::Integer ? fromBigEndian(bytesOf(column)) : 0;
}

double PostgresStatement::real(int column) const {
    const ColumnKind found = kind(column);
    return found == ColumnKind::Real      ? std::bit_cast<double>(fromBigEndian(bytesOf(column)))
           : found == ColumnKind::Integer ? static_cast<double>(integer(column))
                                          : 0;
}

std::string_view PostgresStatement::text(int column) const {
    return kind(column) == ColumnKind::Text ? bytesOf(column) : std::string_view();
}

core::Bytes PostgresStatement::blob(int column) const {
    return kind(column) == ColumnKind::Blob ? std::as_bytes(std::span(bytesOf(column))) : core::Bytes();
}

}  // namespace

std::string withNumberedParameters(std::string_view sql) {
    std::string numbered;
    int parameters = 0;
    bool quoted = false;
    for (const char letter : sql) {
        quoted = letter == '\'' ? !quoted : quoted;
        numbered += letter == '?' && !quoted ? fmt::format("${}", ++parameters) : std::string(1, letter);
    }
    return numbered;
}

std::string acceptedText(std::string_view text) {
    std::string accepted = core::utf8Repaired(text);
    for (std::size_t at = accepted.find('\0'); at != std::string::npos; at = accepted.find('\0', at)) {
        accepted.replace(at, 1, "\xEF\xBF\xBD");
    }
    return accepted;
}

Statement postgresStatement(PostgresLink& link, std::string name) {
    return Statement(std::make_unique<PostgresStatement>(link, std::move(name)));
}

}  // namespace et::inspector::store
