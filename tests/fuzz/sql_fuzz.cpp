// Fuzzes SQL queries of users and saved sessions: answered or refused, without changing anything.
#include "inspector/store/query.h"
#include "inspector/store/session_store.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace {

namespace store = et::inspector::store;

constexpr int patience = 200;  ///< number of cancellation checks of a query

std::unique_ptr<store::Database> database() {
    auto made = store::Database::inMemory(store::sessionSchema());
    et::fuzz::require(made.has_value());
    (*made)->allowReadingOnly();
    return *std::move(made);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto opened = database();
    static const std::int64_t tables = opened->number("SELECT count(*) FROM sqlite_schema").value();
    int asked = 0;
    opened->cancelWhen([&asked] { return ++asked > patience; });
    const std::string_view sql(reinterpret_cast<const char*>(data), size);
    const auto done = store::runQueries(*opened, sql, {.maxRows = 100, .maxBytes = 1 << 16},
                                        [](const store::QueryResult& answer) -> et::core::Result<> {
                                            et::fuzz::require(answer.table.rows.size() <= 100);
                                            return {};
                                        });
    if (!done) {
        std::ignore = done.error().toString();
    }
    opened->cancelWhen({});
    et::fuzz::require(opened->number("SELECT count(*) FROM sqlite_schema").value_or(-1) == tables);
    return 0;
}
