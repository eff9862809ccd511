// Tests of the event filter and the sorting of the proxy.
#include "visualizers/events/event_filter_proxy.h"

#include "etdump/writer.h"
#include "tests/studio/studio_fixture.h"
#include "visualizers/events/event_model.h"

#include <QAbstractItemModelTester>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

using testing::ElementsAre;

class EventFilterProxyTest : public test::StudioTest {
  protected:
    EventFilterProxyTest() {
        model.setBlocks(test::smallBlocks());
        proxy.setSourceModel(&model);
    }

    /// Names of the events that pass the filter, in order.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (int top = 0; top < proxy.rowCount(); ++top) {
            const QModelIndex block = proxy.index(top, EventModel::Name);
            for (int row = 0; row < proxy.rowCount(block); ++row) {
                found.push_back(proxy.index(row, EventModel::Name, block)
                                    .data(EventModel::ReportRole)
                                    .toString()
                                    .toStdString());
            }
        }
        return found;
    }

    EventModel model;
    EventFilterProxy proxy;
};

TEST_F(EventFilterProxyTest, KeepsTheRulesOfItemModels) {
    const QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
    proxy.setTextFilter(QStringLiteral("conv"));
    proxy.sort(EventModel::P50, Qt::DescendingOrder);
    proxy.setTextFilter({});
    proxy.setOperatorCalls(true);
    model.setLayout(EventModel::Layout::Flat);
    proxy.sort(-1);
    model.setBlocks(nullptr);
}

/// A trace of a method with one kernel and two methods that return a constant.
std::shared_ptr<const inspector::EventBlocks> withConstantMethods() {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, 10, 20);
    writer.profile("OPERATOR_CALL", {.instruction = 0, .chain = 0}, 10, 21);
    writer.profile("Method::execute", {.instruction = 0}, 5, 25);
    writer.beginRun("Execute");
    writer.profile("Method::execute", {.instruction = 0}, 30, 30);
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    return inspector::EventBlocks::build(trace).value();
}

TEST_F(EventFilterProxyTest, HidesMethodsWithoutEvents) {
    model.setBlocks(withConstantMethods());
    EXPECT_THAT(names(), ElementsAre("native_call_add.out", "Method::execute"));
    EXPECT_EQ(proxy.rowCount(), 1) << "no block without rows";
    EXPECT_EQ(proxy.hidden().idle, 1);
    EXPECT_EQ(proxy.hidden().operatorCalls, 1);
    proxy.setIdleMethods(true);
    EXPECT_EQ(proxy.rowCount(), 2);
    EXPECT_EQ(proxy.hidden().idle, 0);
}

TEST_F(EventFilterProxyTest, SearchesDisplayNames) {
    proxy.setTextFilter(QStringLiteral("inference"));
    EXPECT_THAT(names(), ElementsAre("Method::execute"));
}

TEST_F(EventFilterProxyTest, LeavesOperatorCallsOut) {
    EXPECT_THAT(names(), ElementsAre("Method::init", "native_call_add.out", "Convolution (NHWC) #1",
                                     "DELEGATE_CALL", "Method::execute"));
    EXPECT_EQ(proxy.eventCount(), 5);
    proxy.setOperatorCalls(true);
    EXPECT_EQ(names().at(2), "OPERATOR_CALL");
    EXPECT_EQ(proxy.eventCount(), 6);
}

TEST_F(EventFilterProxyTest, FindsTextWhateverTheCase) {
    proxy.setTextFilter(QStringLiteral("CONV"));
    EXPECT_THAT(names(), ElementsAre("Convolution (NHWC) #1"));
    EXPECT_EQ(proxy.rowCount(), 1) << "the block without events that pass is gone";
    proxy.setTextFilter(QStringLiteral("(NHWC) #1"));
    EXPECT_THAT(names(), ElementsAre("Convolution (NHWC) #1")) << "text is no expression";
    proxy.setTextFilter(QStringLiteral("nothing has this"));
    EXPECT_EQ(proxy.rowCount(), 0);
}

TEST_F(EventFilterProxyTest, SearchesExpressionsLikeTheCommandLine) {
    ASSERT_TRUE(proxy.setRegexFilter(QStringLiteral("^Method::(init|execute)$")));
    EXPECT_THAT(names(), ElementsAre("Method::init", "Method::execute"));
    EXPECT_FALSE(proxy.setRegexFilter(QStringLiteral("(half")));
    EXPECT_THAT(names(), ElementsAre("Method::init", "Method::execute")) << "the last good one stays";
    ASSERT_TRUE(proxy.setRegexFilter({}));
    EXPECT_EQ(proxy.eventCount(), 5);
}

TEST_F(EventFilterProxyTest, SearchesOpTypesAndModules) {
    const auto session = test::openSession(sample());
    model.setBlocks(session->blocks);
    proxy.setTextFilter(QStringLiteral("softmax"));
    EXPECT_GE(proxy.eventCount(), 1);
    proxy.setTextFilter(QStringLiteral("torch.nn.modules.conv"));
    EXPECT_GE(proxy.eventCount(), 1) << "the type of a module";
}

TEST_F(EventFilterProxyTest, SortsNumbersByValueWithinBlocks) {
    proxy.sort(EventModel::P50, Qt::DescendingOrder);
    EXPECT_THAT(names(), ElementsAre("Method::init", "Method::execute", "DELEGATE_CALL",
                                     "Convolution (NHWC) #1", "native_call_add.out"));
    proxy.sort(EventModel::P50, Qt::AscendingOrder);
    EXPECT_EQ(names().at(1), "native_call_add.out");
    proxy.sort(-1);
    EXPECT_EQ(names().at(4), "Method::execute") << "the order of the file";
}

TEST_F(EventFilterProxyTest, SortsMissingValuesLastInBothOrders) {
    model.setLayout(EventModel::Layout::Flat);
    const auto firstAndLast = [this](Qt::SortOrder order) {
        proxy.sort(EventModel::columnOf("delegate_debug_identifier"), order);
        const auto at = [this](int row) {
            return proxy.index(row, EventModel::columnOf("delegate_debug_identifier")).data().toString();
        };
        return std::pair(at(0), at(proxy.rowCount() - 1));
    };
    const auto expected = std::pair(QStringLiteral("Convolution (NHWC) #1"), QString());
    EXPECT_EQ(firstAndLast(Qt::AscendingOrder), expected);
    EXPECT_EQ(firstAndLast(Qt::DescendingOrder), expected);
}

}  // namespace

}  // namespace et::visualizers
