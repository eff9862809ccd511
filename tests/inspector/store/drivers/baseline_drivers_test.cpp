#include "inspector/store/baseline_store.h"
#include "tests/inspector/store/drivers/driver_fixture.h"
#include "tests/inspector/store/store_support.h"

#include <gtest/gtest.h>

#include <string>

namespace et::inspector::store {
namespace {

using BaselineStoreTest = test::StoreDrivers;
using test::asLoaded;
using test::madeUpMeasurement;
using test::openStore;

TEST_P(BaselineStoreTest, RoundTripsBaselines) {
    const Measurement saved = madeUpMeasurement(1);
    Measurement bare{.name = "trace.etdp", .cycles = true};
    bare.methods = {{.method = "Execute", .total = {1, 2, 3}}};
    {
        BaselineStore store = openStore(place());
        ASSERT_TRUE(store.save("one", saved));
        ASSERT_TRUE(store.save("bare", bare));
    }
    const BaselineStore store = openStore(place());
    EXPECT_EQ(*store.load("one"), asLoaded(saved, "one"));
    EXPECT_EQ(*store.load("bare"), asLoaded(bare, "bare"));
}

TEST_P(BaselineStoreTest, ListsBaselines) {
    BaselineStore store = openStore(place());
    EXPECT_TRUE(store.list()->empty());
    ASSERT_TRUE(store.save("b", madeUpMeasurement(1)));
    ASSERT_TRUE(store.save("a", madeUpMeasurement(2, 3, 5)));
    const auto entries = *store.list();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].name, "a");
    EXPECT_EQ(entries[0].origin, "model.pte");
    EXPECT_EQ(entries[0].operators, 3U);
    EXPECT_EQ(entries[0].samples, 15U);
    EXPECT_EQ(entries[0].runs, 7U) << "of both methods";
    EXPECT_EQ(entries[0].medianTotal, 2000 + 2 + 1e6);
    EXPECT_EQ(entries[0].cpu, "cpu");
    EXPECT_EQ(entries[0].created.size(), std::string("2026-11-21T04:05:06Z").size());
}

TEST_P(BaselineStoreTest, RejectsDuplicateNames) {
    BaselineStore store = openStore(place());
    ASSERT_TRUE(store.save("name", madeUpMeasurement(1)));
    const auto again = store.save("name", madeUpMeasurement(2));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, core::ErrorCode::InvalidArgument);
    EXPECT_EQ(*store.load("name"), asLoaded(madeUpMeasurement(1), "name"));
    ASSERT_TRUE(store.save("name", madeUpMeasurement(2), Existing::Replace));
    EXPECT_EQ(*store.load("name"), asLoaded(madeUpMeasurement(2), "name"));
    EXPECT_EQ(store.list()->size(), 1U);
    for (const std::string& wrong : {std::string(), std::string(201, 'x'), std::string("a\nb")}) {
        EXPECT_EQ(store.save(wrong, madeUpMeasurement(1)).error().code, core::ErrorCode::InvalidArgument);
    }
    EXPECT_TRUE(store.save("'; DROP TABLE baseline; --", madeUpMeasurement(3)));
    EXPECT_EQ(store.list()->size(), 2U);
}

TEST_P(BaselineStoreTest, RemovesBaselineCompletely) {
    BaselineStore store = openStore(place());
    ASSERT_TRUE(store.save("one", madeUpMeasurement(1)));
    ASSERT_TRUE(store.save("two", madeUpMeasurement(2)));
    ASSERT_TRUE(store.remove("one"));
    EXPECT_EQ(*store.load("two"), asLoaded(madeUpMeasurement(2), "two"));
    const auto missing = store.remove("one");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, core::ErrorCode::NotFound);
    EXPECT_TRUE(missing.error().message.contains("no baseline \"one\"; available: two"))
        << missing.error().message;
    EXPECT_FALSE(store.load("one"));
    EXPECT_EQ(
        number("SELECT count(*) FROM sample s LEFT JOIN operator o ON o.id = s.operator WHERE o.id IS NULL"),
        0);
}

TEST_P(BaselineStoreTest, ReadingDoesNotCreateAStore) {
    const auto missing = BaselineStore::open(place(), {.mode = OpenMode::Existing});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, core::ErrorCode::NotFound);
    EXPECT_EQ(BaselineStore::open(place(), {.mode = OpenMode::Reading}).error().code,
              core::ErrorCode::NotFound);
}

TEST_P(BaselineStoreTest, ReadersChangeNothing) {
    ASSERT_TRUE(openStore(place()).save("one", madeUpMeasurement(1)));
    BaselineStore store = BaselineStore::open(place(), {.mode = OpenMode::Reading}).value();
    EXPECT_FALSE(store.save("two", madeUpMeasurement(2)));
    EXPECT_FALSE(store.remove("one"));
    EXPECT_EQ(store.list()->size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Drivers, BaselineStoreTest, test::bothDrivers(), test::driverName);

}  // namespace
}  // namespace et::inspector::store
