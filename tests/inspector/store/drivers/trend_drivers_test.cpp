#include "inspector/store/trend_store.h"
#include "tests/inspector/store/drivers/driver_fixture.h"
#include "tests/inspector/store/store_support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using TrendStoreTest = test::StoreDrivers;

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

TrendStore trendStore(const fs::path& path, OpenMode mode = OpenMode::Create) {
    return TrendStore::open(path, {.mode = mode}).value();
}

bool addTo(TrendStore& store, const ImportedFile& file, const std::vector<ModelMeasurement>& models) {
    auto transaction = store.begin().value();
    const bool isNew = store.add(file, models).value();
    EXPECT_TRUE(transaction.commit());
    return isNew;
}

TEST_P(TrendStoreTest, RoundTripsMeasurements) {
    {
        TrendStore store = trendStore(place());
        EXPECT_TRUE(addTo(store, fileOf("later", "2026-11-26T00:00:00Z"), {measured("net")}));
        EXPECT_TRUE(addTo(store, fileOf("earlier"), {measured("net"), measured("other")}));
    }
    const TrendStore store = trendStore(place(), OpenMode::Reading);
    const MeasuredModel model = store.load("net").value();
    ASSERT_EQ(model.entries.size(), 2U);
    const TrendEntry& entry = model.entries.front();
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
}

TEST_P(TrendStoreTest, DeduplicatesContent) {
    TrendStore store = trendStore(place());
    EXPECT_TRUE(addTo(store, fileOf("one"), {measured("net")}));
    EXPECT_FALSE(addTo(store, fileOf("one"), {measured("net")}));
    EXPECT_TRUE(store.contents()->contains("one"));
    EXPECT_EQ(store.load("net")->entries.size(), 1U);
}

TEST_P(TrendStoreTest, UncommittedChangesAreDiscarded) {
    TrendStore store = trendStore(place());
    {
        auto transaction = store.begin().value();
        ASSERT_TRUE(*store.add(fileOf("one"), std::vector{measured("net")}));
    }
    EXPECT_TRUE(store.contents()->empty());
    EXPECT_TRUE(addTo(store, fileOf("one"), {measured("net")})) << "no number of the lost rows is used again";
    EXPECT_EQ(store.load("net")->entries.size(), 1U);
}

TEST_P(TrendStoreTest, UnknownModelErrorListsKnownModels) {
    TrendStore store = trendStore(place());
    EXPECT_EQ(store.load("net").error().message, "no measurements of \"net\"; the store is empty");
    addTo(store, fileOf("one"), {measured("a")});
    const auto missing = store.load("net");
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(missing.error().message, "no measurements of \"net\"; available: a");
}

TEST_P(TrendStoreTest, StoresBaselinesAndHistories) {
    ASSERT_TRUE(test::openStore(place()).save("release", test::madeUpMeasurement(1)));
    TrendStore store = trendStore(place(), OpenMode::Existing);
    addTo(store, fileOf("one"), {measured("net")});
    EXPECT_TRUE(test::openStore(place()).load("release"));
}

TEST_P(TrendStoreTest, RejectsInvalidValues) {
    for (const char* wrong :
         {"UPDATE operator_time SET time = -1", "UPDATE operator_time SET time = time + CAST('inf' AS FLOAT)",
          "UPDATE measured_method SET time = -1", "UPDATE measured_method SET runs = -1",
          "UPDATE tracked_operator SET kind = 'x'", "UPDATE tracked_operator SET occurrence = occurrence - 9",
          "UPDATE tracked_operator SET occurrence = occurrence + 1099511627776",
          "UPDATE operator_time SET operator = operator + 1000"}) {
        if (!isServer() && std::string_view(wrong).contains("inf")) {
            wrong = "UPDATE operator_time SET time = 9e999";
        }
        {
            TrendStore store = trendStore(place());
            addTo(store, fileOf(wrong), {measured(wrong)});
        }
        change((isServer() ? "" : "PRAGMA foreign_keys = OFF; ") + std::string(wrong));
        const auto loaded = trendStore(place(), OpenMode::Reading).load(wrong);
        ASSERT_FALSE(loaded) << wrong;
        EXPECT_EQ(loaded.error().code, ErrorCode::Format) << wrong;
        EXPECT_FALSE(loaded.error().where.file.empty()) << wrong;
        EXPECT_FALSE(loaded.error().where.field.empty()) << wrong;
        change(isServer()
                   ? "DELETE FROM operator_time; DELETE FROM measured_method; DELETE FROM tracked_operator"
                   : "DELETE FROM imported_file; DELETE FROM tracked_operator");
    }
}

TEST_P(TrendStoreTest, LoadsMeasurementsSinceADate) {
    TrendStore store = trendStore(place());
    for (int month = 1; month <= 12; ++month) {
        const std::string moment = fmt::format("2026-{:02}-15T00:00:00Z", month);
        addTo(store, fileOf(moment, moment), {measured("net")});
    }
    addTo(store, fileOf("old", "1970-01-01T00:00:00Z"), {measured("net")});
    EXPECT_EQ(store.load("net")->entries.size(), 13U);
    EXPECT_EQ(store.load("net")->entries.front().measured, "1970-01-01T00:00:00Z");
    EXPECT_EQ(store.load("net", "2026-11-16T00:00:00Z")->entries.size(), 1U);
    EXPECT_EQ(store.load("net", "2026-03-15T00:00:00Z")->entries.size(), 10U);
    EXPECT_EQ(store.load("net", "2030-03-15T00:00:00Z")->entries.size(), 0U);
}

TEST_P(TrendStoreTest, TextsThatAreNoUtf8DoNotStopAnImport) {
    TrendStore store = trendStore(place());
    ModelMeasurement strange = measured("net");
    strange.measurement.methods[0].operators[0].name = std::string("a\0\xFF b", 5);
    addTo(store, fileOf("one"), {strange});
    addTo(store, fileOf("two"), {strange});
    const auto model = store.load("net").value();
    EXPECT_EQ(model.operators.size(), 3U);
    EXPECT_EQ(model.entries.size(), 2U);
}

TEST_P(TrendStoreTest, ProcessesMayWriteTheSameContentConcurrently) {
    ASSERT_TRUE(TrendStore::open(place()));
    constexpr int processes = 4;
    constexpr int files = 12;
    std::vector<pid_t> children;
    for (int process = 0; process < processes; ++process) {
        const pid_t child = fork();
        if (child == 0) {
            TrendStore store = trendStore(place());
            for (int i = 0; i < files; ++i) {
                const int file = process % 2 == 0 ? i : files - 1 - i;  // in another order
                const std::string moment = fmt::format("2026-{:02}-15T00:00:00Z", file + 1);
                const std::vector models{measured(fmt::format("net{}", file)), measured("all")};
                for (;;) {
                    auto transaction = store.begin();
                    const auto added = transaction.and_then(
                        [&](auto&) { return store.add(fileOf(fmt::format("{}", file), moment), models); });
                    if (added && transaction->commit()) {
                        break;
                    }
                    if (!store.metConflict()) {
                        _exit(1);
                    }
                }
            }
            _exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const TrendStore store = trendStore(place(), OpenMode::Reading);
    EXPECT_EQ(store.contents()->size(), static_cast<std::size_t>(files));
    const auto all = store.load("all").value();
    EXPECT_EQ(all.entries.size(), static_cast<std::size_t>(files));
    EXPECT_EQ(all.operators.size(), 3U) << "each name once";
    for (const TrendEntry& each : all.entries) {
        EXPECT_EQ(each.operators.size(), 3U);
    }
}

TEST_P(TrendStoreTest, ManyRowsComeInParts) {
    ModelMeasurement large = measured("large");
    large.measurement.methods[0].operators.clear();
    for (int i = 0; i < 9000; ++i) {  // more than one response chunk
        large.measurement.methods[0].operators.push_back(
            {.name = fmt::format("op{}", i), .samples = {static_cast<double>(i) + 0.5}});
    }
    TrendStore store = trendStore(place());
    addTo(store, fileOf("one"), {large});
    const auto model = store.load("large").value();
    ASSERT_EQ(model.entries.size(), 1U);
    ASSERT_EQ(model.entries[0].operators.size(), 9000U);
    for (const auto& [index, time] : model.entries[0].operators) {
        EXPECT_EQ(model.operators[index].name, fmt::format("op{}", time - 0.5));
    }
}

INSTANTIATE_TEST_SUITE_P(Drivers, TrendStoreTest, test::bothDrivers(), test::driverName);

}  // namespace
}  // namespace et::inspector::store
