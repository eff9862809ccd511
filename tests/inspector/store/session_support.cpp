#include "tests/inspector/store/session_support.h"

#include "app/samples/sample_set.h"
#include "backends/builtin.h"
#include "inspector/session/placement.h"
#include "inspector/store/query.h"
#include "inspector/store/session/session_tables.h"

#include <gtest/gtest.h>

namespace et::test {

using inspector::Session;
using inspector::store::Database;
using inspector::store::QueryResult;

std::shared_ptr<const Session> sampleSession(const std::filesystem::path& folder) {
    const auto paths = samples::writeSampleSet("conv_net", folder);
    EXPECT_TRUE(paths) << paths.error().toString();
    auto files = inspector::placeFiles(*paths, inspector::SessionScope::All);
    EXPECT_TRUE(files) << files.error().toString();
    auto session = Session::open(*files);
    EXPECT_TRUE(session) << session.error().toString();
    return *session;
}

std::filesystem::path savedSession(const std::filesystem::path& folder, const Session& session) {
    const std::filesystem::path path = folder / "session.db";
    const auto saved =
        inspector::store::saveSession(path, session, {.backends = backends::describable(), .writer = "test"});
    EXPECT_TRUE(saved) << saved.error().toString();
    return path;
}

std::vector<std::string> askRows(Database& database, const std::string& sql) {
    std::vector<std::string> lines;
    const auto asked = inspector::store::runQueries(database, sql, {}, [&](const QueryResult& answer) {
        for (const auto& row : answer.table.rows) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += (i == 0 ? "" : "|") + inspector::format::cellText(row[i], answer.table.columns[i]);
            }
            lines.push_back(line);
        }
        return core::Result<>();
    });
    EXPECT_TRUE(asked) << sql << ": " << asked.error().toString();
    return lines;
}

std::string allRows(Database& database) {
    std::string all;
    for (const inspector::store::SessionTable& table : inspector::store::sessionTables()) {
        all += std::string(table.name) + "\n";
        for (const std::string& line : askRows(database, "SELECT * FROM " + std::string(table.name))) {
            all += line + "\n";
        }
    }
    return all;
}

}  // namespace et::test
