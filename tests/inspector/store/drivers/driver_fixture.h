#pragma once

#include "inspector/store/connection.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace et::test {

/// The address of the server that with_postgres.sh started; empty: none.
[[nodiscard]] std::string postgresAddress();

/// The same tests on a store in a file and in one on a server, which is empty at the beginning.
enum class StoreDriver : std::uint8_t { Sqlite, Postgres };
class StoreDrivers : public testing::TestWithParam<StoreDriver> {
  protected:
    void SetUp() override;

    [[nodiscard]] bool isServer() const { return GetParam() == StoreDriver::Postgres; }
    /// Where the store is, or will be.
    [[nodiscard]] std::filesystem::path place() const;
    /// Runs SQL on the store, as somebody else would.
    void change(const std::string& sql) const;
    /// The integer that a query gives.
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

/// Takes all tables of the store on the server away.
void emptyServer();

}  // namespace et::test
