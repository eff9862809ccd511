#include "inspector/store/baseline_store.h"
#include "inspector/store/database/database.h"
#include "inspector/store/store_location.h"
#include "inspector/store/trend_store.h"
#include "tests/inspector/store/drivers/driver_fixture.h"
#include "tests/inspector/store/store_support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

// Tests of server-only features: roles, monthly partitions, and invalid responses.
namespace et::inspector::store {
namespace {

using core::ErrorCode;
using test::madeUpMeasurement;

std::unique_ptr<Connection> connected(const std::string& address = test::postgresAddress()) {
    return connectStore(address, {.mode = OpenMode::Create}).value();
}

class PostgresStore : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_FALSE(test::postgresAddress().empty()) << "run this by tests/support/with_postgres.sh";
        test::emptyServer();
    }
    /// Returns the address for a newly created role.
    static std::string as(const std::string& role) {
        const auto owner = connected();
        EXPECT_TRUE(owner->run(fmt::format("DROP ROLE IF EXISTS {0}; CREATE ROLE {0} LOGIN", role)));
        std::string address = test::postgresAddress();
        return address.replace(address.find("owner"), 5, role);
    }
    static void dropRole(const std::string& role) {
        EXPECT_TRUE(connected()->run(fmt::format("DROP OWNED BY {0}; DROP ROLE {0}", role)));
    }
    static core::Result<bool> add(TrendStore& store, const std::string& content, const std::string& moment) {
        Measurement measurement{.name = "t.etdp"};
        measurement.methods.push_back({.method = "forward", .total = {5}});
        measurement.methods[0].operators.push_back({.name = "add.out", .samples = {1}});
        const std::vector models{ModelMeasurement{.model = "net", .measurement = measurement}};
        ET_ASSIGN(auto transaction, store.begin());
        ET_ASSIGN(const bool added, store.add({.sha256 = content,
                                               .kind = "trace",
                                               .origin = "t",
                                               .measured = moment,
                                               .tags = {{"device", "pixel8"}}},
                                              models));
        ET_TRY(transaction.commit());
        return added;
    }
};

/// Returns "table.column:TEXT:needed" for each column, in order.
std::vector<std::string> columnsOf(Connection& connection, std::string_view query) {
    std::vector<std::string> columns;
    Statement row = connection.prepare(query).value();
    while (row.step().value()) {
        columns.push_back(fmt::format("{}.{}:{}:{}", row.text(0), row.text(1), row.text(2), row.integer(3)));
    }
    return columns;
}

TEST_F(PostgresStore, HasTheTablesOfTheFile) {
    const auto file = Database::inMemory(baselineSchema()).value();
    const auto expected =
        columnsOf(*file,
                  "SELECT t.name, c.name, c.type, c.\"notnull\" OR (c.pk > 0) FROM pragma_table_list t JOIN "
                  "pragma_table_info(t.name) c WHERE t.name NOT LIKE 'sqlite%' ORDER BY t.name, c.cid");
    ASSERT_GT(expected.size(), 70U);
    const auto server = connected();
    const auto found = columnsOf(
        *server,
        "SELECT c.table_name::text, c.column_name::text, CASE c.data_type WHEN 'bigint' THEN 'INTEGER' WHEN "
        "'text' "
        "THEN 'TEXT' WHEN 'double precision' THEN 'REAL' WHEN 'bytea' THEN 'BLOB' ELSE c.data_type::text "
        "END, "
        "(c.is_nullable = 'NO')::int FROM information_schema.columns c JOIN pg_class p ON p.relname = "
        "c.table_name "
        "WHERE c.table_schema = 'et_inspect' AND NOT p.relispartition AND p.relname <> 'store_version' AND "
        "p.relkind IN ('r', 'p') ORDER BY c.table_name COLLATE \"C\", c.ordinal_position");
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
}

TEST_F(PostgresStore, OpeningItTwiceMakesItOnce) {
    connected();
    EXPECT_EQ(connected()->number("SELECT version FROM store_version").value(), baselineSchema().version());
    ASSERT_TRUE(connected()->run("UPDATE store_version SET version = 99"));
    const auto newer = BaselineStore::open(test::postgresAddress());
    EXPECT_EQ(newer.error().code, ErrorCode::Unsupported);
    ASSERT_TRUE(newer.error().message.contains("created by a newer version")) << newer.error().message;
    std::thread others[4];
    test::emptyServer();
    for (std::thread& each : others) {
        each = std::thread([] {
            const auto made = connectStore(test::postgresAddress(), {});
            EXPECT_TRUE(made) << made.error().toString();
        });
    }
    for (std::thread& each : others) {
        each.join();
    }
}

TEST_F(PostgresStore, AppendRoleCannotChangeOrDelete) {
    const std::string ci = as("ci_role");
    EXPECT_EQ(TrendStore::open(ci).error().code, ErrorCode::Io) << "has no rights at all";
    ASSERT_TRUE(connected()->run("DO 'BEGIN PERFORM et_inspect.grant_appending(''ci_role''); END'"));
    {
        TrendStore store = TrendStore::open(ci).value();
        const auto added = add(store, "one", "2026-11-25T00:00:00Z");
        ASSERT_TRUE(added) << added.error().toString();
        ASSERT_TRUE(add(store, "two", "2026-12-25T00:00:00Z")) << "in a month of its own";
        EXPECT_EQ(store.load("net")->entries.size(), 2U);
        BaselineStore baselines = BaselineStore::open(ci).value();
        ASSERT_TRUE(baselines.save("one", madeUpMeasurement(1)));
        const auto replaced = baselines.save("one", madeUpMeasurement(1), Existing::Replace);
        EXPECT_EQ(replaced.error().code, ErrorCode::Io);
        EXPECT_THAT(replaced.error().toString(), testing::HasSubstr("permission denied for table baseline"));
        EXPECT_FALSE(baselines.remove("one"));
    }
    const auto raw = connected(ci);
    for (const char* wrong : {"DELETE FROM imported_file", "UPDATE operator_time SET time = 0",
                              "DROP TABLE operator_time_2026_11", "INSERT INTO store_version VALUES (9)",
                              "DO 'BEGIN PERFORM forget_before(''2030-01-01''); END'"}) {
        EXPECT_EQ(raw->run(wrong).error().code, ErrorCode::Io) << wrong;
    }
    dropRole("ci_role");
}

TEST_F(PostgresStore, ReadersRead) {
    const std::string reader = as("reader_role");
    TrendStore store = TrendStore::open(test::postgresAddress()).value();
    ASSERT_TRUE(add(store, "one", "2026-11-25T00:00:00Z"));
    ASSERT_TRUE(connected()->run("DO 'BEGIN PERFORM et_inspect.grant_reading(''reader_role''); END'"));
    EXPECT_EQ(TrendStore::open(reader, {.mode = OpenMode::Reading})->load("net")->entries.size(), 1U);
    TrendStore writer = TrendStore::open(reader).value();
    EXPECT_EQ(add(writer, "two", "2026-11-25T00:00:00Z").error().code, ErrorCode::Io);
    dropRole("reader_role");
}

TEST_F(PostgresStore, PartitionsTimesByMonthAndDropsPartitions) {
    TrendStore store = TrendStore::open(test::postgresAddress()).value();
    for (int month = 1; month <= 6; ++month) {
        ASSERT_TRUE(add(store, fmt::format("{}", month), fmt::format("2026-{:02}-10T00:00:00Z", month)));
    }
    const auto raw = connected();
    EXPECT_EQ(raw->number("SELECT count(*) FROM operator_time_2026_03").value(), 1);
    const std::int64_t may = raw->firstTimedNumber("2026-05-01T00:00:00Z");
    std::string plan;
    Statement row =
        raw->prepare(fmt::format("EXPLAIN SELECT t.time FROM measured_method m JOIN operator_time "
                                 "t ON t.measured = m.id WHERE m.id >= {0} AND t.measured >= {0}",
                                 may))
            .value();
    while (row.step().value()) {
        plan += row.text(0);
    }
    EXPECT_THAT(plan, testing::HasSubstr("operator_time_2026_05"));
    EXPECT_THAT(plan, testing::Not(testing::HasSubstr("2026_04"))) << "older parts are left alone";
    EXPECT_EQ(raw->number("SELECT forget_before('2026-04-20')").value(), 3);
    const auto left = store.load("net").value();
    ASSERT_EQ(left.entries.size(), 3U);
    EXPECT_EQ(left.entries.front().measured, "2026-04-10T00:00:00Z");
    EXPECT_EQ(left.entries.front().tags.size(), 1U);
    EXPECT_EQ(raw->number("SELECT count(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE "
                          "c.relkind = 'r'")
                  .value(),
              2 * 3);
    EXPECT_TRUE(add(store, "1", "2026-01-10T00:00:00Z").value()) << "what was forgotten may come again";
}

TEST_F(PostgresStore, LimitsTheWaitForLocks) {
    TrendStore store = TrendStore::open(test::postgresAddress()).value();
    TrendStore hasty =
        TrendStore::open(test::postgresAddress(), {.busyTimeout = std::chrono::milliseconds(50)}).value();
    const auto raw = connected();
    ASSERT_TRUE(raw->run("BEGIN; LOCK TABLE imported_file"));
    const auto waited = add(hasty, "one", "2026-11-25T00:00:00Z");
    EXPECT_EQ(waited.error().message, "another process has locked the database for too long: try again");
    ASSERT_TRUE(raw->run("ROLLBACK"));
    EXPECT_TRUE(add(hasty, "one", "2026-11-25T00:00:00Z"));
}

TEST_F(PostgresStore, ALostConnectionIsAnError) {
    TrendStore store = TrendStore::open(test::postgresAddress()).value();
    ASSERT_TRUE(add(store, "one", "2026-11-25T00:00:00Z"));
    ASSERT_TRUE(connected()
                    ->number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> "
                             "pg_backend_pid() AND backend_type = 'client backend'")
                    .has_value());
    const auto lost = add(store, "two", "2026-11-25T00:00:00Z");
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::Io);
    EXPECT_FALSE(lost.error().toString().contains('\n'));
    EXPECT_FALSE(store.load("net"));
}

TEST(PostgresAddress, SecretsAreNotShown) {
    for (const char* address : {"postgresql://u:secret@/db?host=/nowhere", "postgresql://u:secret@[",
                                "postgres://u:secret@/x?nonsense=1"}) {
        const auto failed = BaselineStore::open(address);
        ASSERT_FALSE(failed) << address;
        EXPECT_FALSE(failed.error().toString().contains("secret")) << failed.error().toString();
    }
}

/// Returns the error for a server that sends PostgreSQL's greeting, and then these bytes for any request.
core::Error errorOfServer(const std::string& afterGreeting, const std::string& greeting) {
    const test::ScratchFolder folder;
    const std::string path = folder.path() / ".s.PGSQL.5432";
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    listen(listener, 1);
    std::thread server([&] {
        const int client = accept(listener, nullptr, nullptr);
        char asked[4096];
        const timeval patience{.tv_sec = 0, .tv_usec = 100'000};  // then it closes the connection, which
                                                                  // truncates the response
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        bool isGreeted = false;
        while (recv(client, asked, sizeof(asked), 0) > 0) {
            const std::string& answer = isGreeted ? afterGreeting : greeting;
            send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
            isGreeted = true;
            if (answer.empty()) {
                break;
            }
        }
        close(client);
    });
    const auto failed = BaselineStore::open(
        "postgresql:///x?sslmode=disable&gssencmode=disable&user=u&host=" + folder.path().string());
    shutdown(listener, SHUT_RDWR);
    close(listener);
    server.join();
    EXPECT_FALSE(failed);
    return failed ? core::Error{} : failed.error();
}

std::string message(char type, const std::string& content) {
    const auto size = static_cast<std::uint32_t>(content.size() + 4);
    std::string bytes(1, type);
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(size >> shift & 0xFFU);
    }
    return bytes + content;
}

TEST(HostileServer, InvalidRepliesAreErrors) {
    using namespace std::string_literals;
    const std::string greeting = message('R', "\0\0\0\0"s) + message('Z', "I");
    const std::string ready = message('Z', "I");
    const std::string type = message('T', "\0\1n\0\0\0\0\0\0\0\0\0\0\x17\0\x04\xFF\xFF\xFF\xFF\0\1"s);
    const std::vector<std::string> answers{
        ""s,
        "garbage"s,
        std::string(100'000, 'x'),
        ready,
        message('C', "SET\0"s) + ready + message('C', "SET\0"s) + ready,
        message('E', "SFATAL\0C00000\0M\x1B[31mred\nlines\0\0"s) + ready,
        message('E', "S\0"s) + ready,
        message('G', "\1\0\0"s),
        message('H', "\1\0\0"s) + ready,
        message('1', ""s) + type + message('D', "\0\1\0\0\0\1x"s) + message('C', "SELECT 1\0"s) + ready,
        type + message('D', "\0\1\xFF\xFF\xFF\xF0"s) + ready,
        type + message('D', "\0\7\0\0\0\4xxxx"s) + ready,
        message('T', "\xFF\xFFn\0"s) + ready,
        "T\xFF\xFF\xFF\xFF"s,
    };
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const core::Error error = errorOfServer(answers[i], greeting);
        EXPECT_FALSE(error.message.empty()) << i;
        EXPECT_FALSE(error.toString().contains('\n')) << i;
        EXPECT_FALSE(error.toString().contains('\x1B')) << i;
    }
    for (const std::string& strange : {"x"s, message('R', "\0\0\0\x63"s), message('E', "M\0\0"s), ready}) {
        EXPECT_EQ(errorOfServer("", strange).code, ErrorCode::Io);
    }
}

}  // namespace
}  // namespace et::inspector::store
