#include "inspector/store/session_store.h"
#include "tests/inspector/store/session_support.h"
#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

// Tests of test verdicts in a session, and of older sessions without verdicts.
namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::Verdict;
using test::askRows;
using Lines = std::vector<std::string>;

std::vector<CaseReport> someVerdicts() {
    Comparison good;
    good.type = "float32 [2, 3]";
    good.elements = 6;
    good.metrics.maxAbsoluteError = 0;
    Comparison bad = good;
    bad.difference = "element [1, 2] is off";
    bad.mismatches = 2;
    bad.tolerance = {.relative = 0.25, .absolute = 0.5};
    bad.metrics = {.maxAbsoluteError = 1.5,
                   .maxRelativeError = 0.75,
                   .meanAbsoluteError = 0.125,
                   .meanSquaredError = {},
                   .signalToNoiseDecibels = 30.5,
                   .cosineSimilarity = 0.875,
                   .maxUlp = 1234};
    bad.worst = bundled_program::WorstElement{.index = {1, 2}, .expected = "2", .given = "nan"};
    return {
        {.method = "forward", .index = 0, .verdict = Verdict::Pass, .message = "", .outputs = {good}},
        {.method = "forward", .index = 1, .verdict = Verdict::Fail, .message = "off", .outputs = {good, bad}},
        {.method = "other", .index = 0, .verdict = Verdict::Error, .message = "no memory", .outputs = {}}};
}

fs::path saved(const fs::path& folder) {
    const auto session = test::sampleSession(folder);
    const fs::path path = folder / "verdicts.db";
    const auto verdicts = someVerdicts();
    const auto written = saveSession(path, *session, {.verdicts = verdicts, .writer = "test"});
    EXPECT_TRUE(written) << written.error().toString();
    return path;
}

TEST(SessionVerdicts, RoundTrip) {
    const test::ScratchFolder folder;
    const auto store = SessionStore::open(saved(folder.path()));
    ASSERT_TRUE(store) << store.error().toString();
    const auto read = store->verdicts();
    ASSERT_TRUE(read) << read.error().toString();
    const auto wanted = someVerdicts();
    ASSERT_EQ(read->size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const CaseReport& got = (*read)[i];
        EXPECT_EQ(got.method, wanted[i].method);
        EXPECT_EQ(got.index, wanted[i].index);
        EXPECT_EQ(got.verdict, wanted[i].verdict);
        EXPECT_EQ(got.message, wanted[i].message);
        EXPECT_EQ(got.outputs.size(), wanted[i].outputs.size());
    }
    const Comparison& bad = (*read)[1].outputs.at(1);
    EXPECT_EQ(bad.difference, "element [1, 2] is off");
    EXPECT_EQ(bad.type, "float32 [2, 3]");
    EXPECT_EQ(bad.elements, 6U);
    EXPECT_EQ(bad.mismatches, 2U);
    EXPECT_EQ(bad.tolerance.relative, 0.25);
    EXPECT_EQ(bad.tolerance.absolute, 0.5);
    EXPECT_EQ(bad.metrics.maxAbsoluteError, 1.5);
    EXPECT_EQ(bad.metrics.maxRelativeError, 0.75);
    EXPECT_EQ(bad.metrics.meanAbsoluteError, 0.125);
    EXPECT_EQ(bad.metrics.signalToNoiseDecibels, 30.5);
    EXPECT_EQ(bad.metrics.cosineSimilarity, 0.875);
    EXPECT_EQ(bad.metrics.maxUlp, 1234U);
    ASSERT_TRUE(bad.worst);
    EXPECT_EQ(bad.worst->index, (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(bad.worst->expected, "2");
    EXPECT_EQ(bad.worst->given, "nan");
    EXPECT_FALSE((*read)[0].outputs.front().worst);
}

TEST(SessionVerdicts, AreQueriedInSql) {
    const test::ScratchFolder folder;
    const auto store = SessionStore::open(saved(folder.path()));
    ASSERT_TRUE(store) << store.error().toString();
    EXPECT_EQ(askRows(*store->database(),
                      "SELECT v.method, v.test_case, v.verdict, o.output, o.max_abs, o.worst_index FROM "
                      "verdicts v JOIN verdict_outputs o USING (method, test_case) WHERE o.mismatches > 0"),
              Lines{"forward|1|fail|1|1.5|[1, 2]"});
}

TEST(SessionVerdicts, DamageIsNamed) {
    const test::ScratchFolder folder;
    const fs::path sound = saved(folder.path());
    for (const char* const damage : {"UPDATE verdicts SET verdict = 'splendid' WHERE test_case = 1",
                                     "UPDATE verdicts SET test_case = -1 WHERE test_case = 1",
                                     "INSERT INTO verdicts SELECT * FROM verdicts",
                                     "UPDATE verdict_outputs SET output = 7 WHERE output = 1",
                                     "UPDATE verdict_outputs SET method = 'nobody'",
                                     "UPDATE verdict_outputs SET worst_index = '[1, x]' WHERE output = 1",
                                     "UPDATE verdict_outputs SET worst_index = '1, 2' WHERE output = 1"}) {
        const fs::path path = folder.path() / "damaged.db";
        fs::copy_file(sound, path, fs::copy_options::overwrite_existing);
        test::runSql(path, damage);
        const auto store = SessionStore::open(path);
        ASSERT_TRUE(store) << store.error().toString();
        const auto read = store->verdicts();
        ASSERT_FALSE(read) << damage;
        EXPECT_EQ(read.error().code, core::ErrorCode::Format) << damage;
        EXPECT_NE(read.error().toString().find("verdict"), std::string::npos) << read.error().toString();
    }
}

TEST(SessionVerdicts, SessionsOfTheFirstVersionOpenAndTakeNotes) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "old.db";
    {
        const Schema first{.kind = "session",
                           .applicationId = sessionSchema().applicationId,
                           .migrations = sessionSchema().migrations.first(1)};
        const auto database = Database::open(path, first);
        ASSERT_TRUE(database) << database.error().toString();
        const auto filled = (*database)->run(
            "INSERT INTO notes (note, created, text) VALUES (1, '2026-01-02T03:04:05Z', 'from before')");
        ASSERT_TRUE(filled) << filled.error().toString();
    }
    {
        const auto store = SessionStore::open(path);
        ASSERT_TRUE(store) << store.error().toString();
        EXPECT_EQ(store->notes()->front().text, "from before");
        EXPECT_TRUE(store->verdicts()->empty());
        EXPECT_EQ(askRows(*store->database(), "SELECT count(*) FROM verdicts"), Lines{"0"});
    }
    const auto added = addNote(path, {.text = "from now"});
    ASSERT_TRUE(added) << added.error().toString();
    const auto store = SessionStore::open(path);
    ASSERT_TRUE(store) << store.error().toString();
    EXPECT_EQ(store->notes()->size(), 2U);
}

}  // namespace
}  // namespace et::inspector::store
