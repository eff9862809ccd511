// Tests of the event model: tree, cells and roles.
#include "visualizers/events/event_model.h"

#include "inspector/events/event_table.h"
#include "tests/studio/studio_fixture.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace et::visualizers {

namespace {

using Layout = EventModel::Layout;

TEST(EventModel, HoldsEveryColumnOfTheCommandLine) {
    std::set<std::string_view> ids;
    for (int column = 0; column < EventModel::columnTotal(); ++column) {
        const auto& info = EventModel::infoOf(static_cast<EventModel::Column>(column));
        EXPECT_EQ(EventModel::columnOf(info.id), column);
        EXPECT_TRUE(ids.insert(info.id).second) << info.id << " twice";
        EXPECT_FALSE(info.title.empty()) << info.id;
    }
    for (const inspector::events::EventColumn& column : inspector::events::eventColumns()) {
        EXPECT_TRUE(ids.contains(column.id)) << column.id << " is in no column of the window";
    }
    EXPECT_EQ(ids.size(), inspector::events::eventColumns().size());
}

TEST(EventModel, ShowsLimitsWhenTheyAreKnown) {
    EventModel model;
    const auto blocks = test::smallBlocks();
    model.setBlocks(blocks);
    model.setLayout(Layout::Flat);
    const EventModel::Column flops = EventModel::columnOf("flops");
    const inspector::Event& event = blocks->blocks().front().events.front();
    EXPECT_EQ(model.index(0, flops).data().toString(), QString());
    model.setLimits(std::make_shared<const inspector::events::EventLimits>(
        inspector::events::EventLimits{{&event, {.operations = 1200, .bytes = 300}}}));
    EXPECT_EQ(model.index(0, flops).data().toString(), QStringLiteral("1200"));
    EXPECT_EQ(model.index(0, EventModel::columnOf("intensity")).data().toString(), QStringLiteral("4"));
    EXPECT_EQ(model.index(0, EventModel::columnOf("attainable")).data().toString(), QString());
    model.setBlocks(blocks);
    EXPECT_EQ(model.index(0, flops).data().toString(), QString());
}

TEST(EventModel, KeepsTheRulesOfItemModels) {
    EventModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (const Layout layout : {Layout::Grouped, Layout::Flat}) {
        model.setLayout(layout);
        model.setBlocks(test::smallBlocks());
        model.setBlocks(nullptr);
        EXPECT_EQ(model.rowCount(), 0);
        model.setBlocks(test::smallBlocks());
    }
    model.setLayout(Layout::Grouped);
}

TEST(EventModel, GroupsEventsBelowTheirBlocks) {
    EventModel model;
    model.setBlocks(test::smallBlocks());
    ASSERT_EQ(model.rowCount(), 2);
    const QModelIndex loading = model.index(0, EventModel::Name);
    const QModelIndex runs = model.index(1, EventModel::Name);
    EXPECT_TRUE(runs.data(EventModel::IsBlockRole).toBool());
    EXPECT_EQ(loading.data().toString(), QStringLiteral("Load  ·  1 run  ·  500 ns per run"));
    EXPECT_TRUE(runs.data().toString().startsWith(QStringLiteral("Inference  ·  3 runs  ·  10.00 µs")))
        << runs.data().toString().toStdString();
    ASSERT_EQ(model.rowCount(runs), 5);
    EXPECT_EQ(model.index(2, EventModel::Name, runs).data().toString(),
              QStringLiteral("Convolution (NHWC) #1"));
    EXPECT_EQ(model.index(2, EventModel::P50, runs).data().toString(), QStringLiteral("0.003001"));
    EXPECT_EQ(model.rowCount(model.index(2, EventModel::Name, runs)), 0);
}

TEST(EventModel, ListsAllEventsWhenFlat) {
    EventModel model;
    model.setLayout(Layout::Flat);
    model.setBlocks(test::smallBlocks());
    ASSERT_EQ(model.rowCount(), 6);
    EXPECT_EQ(model.index(0, EventModel::Block).data().toString(), QStringLiteral("Load"));
    EXPECT_EQ(model.index(5, EventModel::Name).data().toString(), QStringLiteral("Inference"));
}

TEST(EventModel, FindsTheRowOfAnEventAndBack) {
    EventModel model;
    for (const Layout layout : {Layout::Grouped, Layout::Flat}) {
        model.setLayout(layout);
        model.setBlocks(test::smallBlocks());
        for (const EventRef event : {EventRef{0, 0}, EventRef{1, 0}, EventRef{1, 4}}) {
            EXPECT_EQ(model.eventAt(model.indexOf(event)), event);
        }
    }
    model.setLayout(Layout::Grouped);
    EXPECT_EQ(model.eventAt(model.index(0, 0)), std::nullopt) << "a block is no event";
    EXPECT_EQ(model.eventAt({}), std::nullopt);
}

TEST(EventModel, SortsAndSharesByValue) {
    EventModel model;
    model.setBlocks(test::smallBlocks());
    const QModelIndex runs = model.index(1, EventModel::Name);
    EXPECT_DOUBLE_EQ(model.index(0, EventModel::Maximum, runs).data(EventModel::SortRole).toDouble(),
                     0.001002);
    EXPECT_EQ(model.index(0, EventModel::Backend, runs).data(EventModel::SortRole), QVariant()) << "no value";
    EXPECT_DOUBLE_EQ(model.index(4, EventModel::Share, runs).data(EventModel::ShareRole).toDouble(), 1.0);
    EXPECT_EQ(model.index(4, EventModel::P50, runs).data(EventModel::ShareRole), QVariant())
        << "no share column";
    EXPECT_TRUE(model.index(1, EventModel::Name, runs).data(EventModel::OperatorCallRole).toBool());
    EXPECT_FALSE(model.index(3, EventModel::Name, runs).data(EventModel::OperatorCallRole).toBool());
}

TEST(EventModel, HeadersNameTheUnit) {
    EventModel model;
    EXPECT_EQ(model.headerData(EventModel::P50, Qt::Horizontal).toString(), QStringLiteral("p50 (ms)"));
    EXPECT_EQ(model.headerData(EventModel::P50, Qt::Horizontal, Qt::InitialSortOrderRole),
              Qt::DescendingOrder);
    EXPECT_EQ(model.headerData(EventModel::Name, Qt::Horizontal, Qt::InitialSortOrderRole),
              Qt::AscendingOrder);
    EXPECT_FALSE(model.headerData(EventModel::P50, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    EXPECT_EQ(model.headerData(-1, Qt::Horizontal), QVariant());
    EXPECT_EQ(model.headerData(EventModel::Name, Qt::Horizontal).toString(), QStringLiteral("Event"));
    EXPECT_EQ(model.headerData(EventModel::Name, Qt::Horizontal, EventModel::ReportRole).toString(),
              QStringLiteral("event_name"))
        << "as et-inspect prints it";
    EXPECT_EQ(model.headerData(EventModel::Average, Qt::Horizontal).toString(),
              QStringLiteral("Average (ms)"));
    model.setAdaptUnits(true);
    EXPECT_EQ(model.headerData(EventModel::P50, Qt::Horizontal).toString(), QStringLiteral("p50"))
        << "each time has a unit of its own";
    EXPECT_EQ(model.headerData(EventModel::columnTotal(), Qt::Horizontal), QVariant());
}

TEST(EventModel, CutsLongTextsOnScreenOnly) {
    EventModel model;
    model.setBlocks(test::smallBlocks(500));
    const QModelIndex samples = model.index(0, EventModel::columnOf("raw"), model.index(1, 0));
    EXPECT_LT(samples.data().toString().size(), 500);
    EXPECT_TRUE(samples.data().toString().endsWith(u'…'));
    EXPECT_EQ(std::get<std::vector<double>>(model.cell({1, 0}, EventModel::columnOf("raw"))).size(), 500U);
}

}  // namespace

}  // namespace et::visualizers
