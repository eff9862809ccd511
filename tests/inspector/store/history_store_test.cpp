#include "inspector/store/history_store.h"

#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;

ImportedFile fileOf(std::string content, std::string measured = "2026-11-25T00:00:00Z") {
    return {.sha256 = std::move(content),
            .kind = "trace",
            .origin = "t.etdp",
            .measured = std::move(measured),
            .commit = "4f2a91c",
            .tags = {{"device", "pixel8"}, {"os", "15"}}};
}

ModelMeasurement measured(std::string model) {
    Measurement measurement{.name = "t.etdp"};
    MethodTimes method{.method = "forward", .total = {5, 7, 6}};
    method.operators.push_back({.name = "add.out", .samples = {1, 3, 2}});
    method.operators.push_back({.name = "add.out", .samples = {4}});
    method.operators.push_back({.name = "Clamp",
                                .kind = OperatorKind::DelegatedOperator,
                                .backend = "XnnpackBackend",
                                .samples = {2, 2, 2}});
    measurement.methods.push_back(std::move(method));
    return {.model = std::move(model), .measurement = std::move(measurement)};
}

HistoryStore history(const fs::path& path, OpenMode mode = OpenMode::Create) {
    return HistoryStore::open(path, {.mode = mode}).value();
}

bool addTo(HistoryStore& store, const ImportedFile& file, const std::vector<ModelMeasurement>& models) {
    auto transaction = store.begin().value();
    const bool isNew = store.add(file, models).value();
    EXPECT_TRUE(transaction.commit());
    return isNew;
}

TEST(HistoryStore, GivesBackWhatWasAdded) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "deep/t.db";
    {
        HistoryStore store = history(path);
        EXPECT_TRUE(addTo(store, fileOf("later", "2026-11-26T00:00:00Z"), {measured("net")}));
        EXPECT_TRUE(addTo(store, fileOf("earlier"), {measured("net"), measured("other")}));
    }
    const HistoryStore store = history(path, OpenMode::Reading);
    const MeasuredModel model = store.load("net").value();
    ASSERT_EQ(model.entries.size(), 2U);
    const HistoryEntry& entry = model.entries.front();
    EXPECT_EQ(entry.measured, "2026-11-25T00:00:00Z") << "oldest first";
    EXPECT_EQ(entry.commit, "4f2a91c");
    EXPECT_EQ(entry.tags, (Tags{{"device", "pixel8"}, {"os", "15"}}));
    EXPECT_EQ(entry.method, "forward");
    EXPECT_EQ(entry.runs, 3U);
    EXPECT_EQ(entry.total, 6);
    ASSERT_EQ(entry.operators.size(), 3U);
    EXPECT_EQ(entry.operators[0].second, 2);
    EXPECT_EQ(model.operators[entry.operators[0].first], (TrackedOperator{.name = "add.out"}));
    EXPECT_EQ(model.operators[entry.operators[1].first],
              (TrackedOperator{.name = "add.out", .occurrence = 1}));
    EXPECT_EQ(model.operators[entry.operators[2].first],
              (TrackedOperator{
                  .name = "Clamp", .kind = OperatorKind::DelegatedOperator, .backend = "XnnpackBackend"}));
    EXPECT_EQ(store.load("net", "2026-11-25T12:00:00Z")->entries.size(), 1U);
    const auto models = store.models().value();
    ASSERT_EQ(models.size(), 2U);
    EXPECT_EQ(models[0].name, "net");
    EXPECT_EQ(models[0].measurements, 2U);
    EXPECT_EQ(models[0].last, "2026-11-26T00:00:00Z");
    EXPECT_EQ(test::integrityOf(path), "ok");
}

TEST(HistoryStore, TheSameContentIsThereOnce) {
    const test::ScratchFolder folder;
    HistoryStore store = history(folder.path() / "t.db");
    EXPECT_TRUE(addTo(store, fileOf("one"), {measured("net")}));
    EXPECT_FALSE(addTo(store, fileOf("one"), {measured("net")}));
    EXPECT_TRUE(store.contents()->contains("one"));
    EXPECT_EQ(store.load("net")->entries.size(), 1U);
}

TEST(HistoryStore, WhatIsNotCommittedIsNotThere) {
    const test::ScratchFolder folder;
    HistoryStore store = history(folder.path() / "t.db");
    {
        auto transaction = store.begin().value();
        ASSERT_TRUE(*store.add(fileOf("one"), std::vector{measured("net")}));
    }
    EXPECT_TRUE(store.contents()->empty());
    EXPECT_TRUE(addTo(store, fileOf("one"), {measured("net")})) << "no number of the lost rows is used again";
    EXPECT_EQ(store.load("net")->entries.size(), 1U);
}

TEST(HistoryStore, AnUnknownModelNamesTheKnown) {
    const test::ScratchFolder folder;
    HistoryStore store = history(folder.path() / "t.db");
    EXPECT_EQ(store.load("net").error().message, "no measurements of \"net\", there are none");
    addTo(store, fileOf("one"), {measured("a")});
    const auto missing = store.load("net");
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(missing.error().message, "no measurements of \"net\", there is a");
}

TEST(HistoryStore, BaselinesAreBesideHistories) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "t.db";
    ASSERT_TRUE(test::openStore(path).save("release", test::madeUpMeasurement(1)));
    HistoryStore store = history(path, OpenMode::Existing);
    addTo(store, fileOf("one"), {measured("net")});
    EXPECT_TRUE(test::openStore(path).load("release"));
}

TEST(HistoryStore, ValuesThatNobodyWritesAreRefused) {
    for (const char* change :
         {"UPDATE operator_time SET time = -1", "UPDATE operator_time SET time = 9e999",
          "UPDATE measured_method SET time = -1", "UPDATE measured_method SET runs = -1",
          "UPDATE tracked_operator SET kind = 'x'", "UPDATE tracked_operator SET occurrence = occurrence - 9",
          "UPDATE tracked_operator SET occurrence = occurrence + (1 << 40)",
          "PRAGMA foreign_keys = OFF; DELETE FROM tracked_operator"}) {
        const test::ScratchFolder folder;
        const fs::path path = folder.path() / "t.db";
        {
            HistoryStore store = history(path);
            addTo(store, fileOf("one"), {measured("net")});
        }
        test::runSql(path, change);
        const auto loaded = history(path, OpenMode::Reading).load("net");
        ASSERT_FALSE(loaded) << change;
        EXPECT_EQ(loaded.error().code, ErrorCode::Format) << change;
        EXPECT_EQ(loaded.error().where.file, path.string()) << change;
        EXPECT_FALSE(loaded.error().where.field.empty()) << change;
    }
}

}  // namespace
}  // namespace et::inspector::store
