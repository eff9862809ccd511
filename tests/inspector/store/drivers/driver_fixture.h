#pragma once

#include "inspector/store/database/connection.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace et::test {

/// Address of the server started by with_postgres.sh; empty if there is none.
[[nodiscard]] std::string postgresAddress();

/// Runs the same tests on a store in a file and on one on a server, which is empty initially.
enum class StoreDriver : std::uint8_t { Sqlite, Postgres };
class StoreDrivers : public testing::TestWithParam<StoreDriver> {
  protected:
    void SetUp() override;

    [[nodiscard]] bool isServer() const { return GetParam() == StoreDriver::Postgres; }
    /// Path or address of the store, which may not exist yet.
    [[nodiscard]] std::filesystem::path place() const;
    /// Runs SQL on the store through a separate connection.
    void change(const std::string& sql) const;
    /// Returns the integer result of a query.
    [[nodiscard]] std::int64_t number(const std::string& sql) const;

  private:
    ScratchFolder folder;
};

[[nodiscard]] inline auto bothDrivers() {
    return testing::Values(StoreDriver::Sqlite, StoreDriver::Postgres);
}
[[nodiscard]] inline std::string driverName(const testing::TestParamInfo<StoreDriver>& info) {
    return info.param == StoreDriver::Postgres ? "Postgres" : "Sqlite";
}

/// Drops all tables of the store on the server.
void emptyServer();

}  // namespace et::test
