#include "tests/inspector/store/drivers/driver_fixture.h"

#include "inspector/store/postgres/link.h"
#include "inspector/store/store_location.h"

#include <cstdlib>

namespace et::test {

namespace store = inspector::store;

std::string postgresAddress() {
    const char* const address = std::getenv("ET_POSTGRES");
    return address == nullptr ? "" : address;
}

void emptyServer() {
    // Drops any existing schema, including one too new to be opened.
    const auto link = store::PostgresLink::connect(postgresAddress());
    ASSERT_TRUE(link) << link.error().toString();
    const auto emptied = (*link)->command("DROP SCHEMA IF EXISTS et_inspect CASCADE");
    ASSERT_TRUE(emptied) << emptied.error().toString();
}

void StoreDrivers::SetUp() {
    if (isServer()) {
        ASSERT_FALSE(postgresAddress().empty()) << "run this by tests/support/with_postgres.sh";
        emptyServer();
    }
}

std::filesystem::path StoreDrivers::place() const {
    return isServer() ? std::filesystem::path(postgresAddress()) : folder.path() / "deep/s.db";
}

void StoreDrivers::change(const std::string& sql) const {
    const auto connection = store::connectStore(place(), {});
    ASSERT_TRUE(connection) << connection.error().toString();
    const auto changed = (*connection)->run(sql);
    ASSERT_TRUE(changed) << changed.error().toString();
}

std::int64_t StoreDrivers::number(const std::string& sql) const {
    const auto connection = store::connectStore(place(), {}).value();
    return connection->number(sql).value();
}

}  // namespace et::test
