#include "visualizers/verify/test_model.h"

#include <QAbstractItemModelTester>
#include <QColor>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

using bundled_program::Bundle;
using bundled_program::CaseReport;
using bundled_program::Comparison;
using bundled_program::FileReport;
using testing::ElementsAre;

/// Two suites: forward with two cases, the first with two outputs, and encode with one.
std::shared_ptr<const Bundle> bundle() {
    auto result = std::make_shared<Bundle>();
    const bundled_program::TestCase two{.inputs = {}, .expectedOutputs = {std::int64_t{1}, 2.0}};
    const bundled_program::TestCase one{.inputs = {}, .expectedOutputs = {true}};
    result->suites = {{.method = "forward", .cases = {two, one}}, {.method = "encode", .cases = {one}}};
    return result;
}

Comparison compared(std::uint64_t mismatches) {
    Comparison result;
    result.elements = 10;
    result.mismatches = mismatches;
    result.difference = mismatches > 0 ? "element [0] is wrong" : "";
    result.metrics.maxAbsoluteError = 0.25;
    result.metrics.maxUlp = 7;
    return result;
}

class TestModelTest : public testing::Test {
  protected:
    TestModelTest() { model.setBundle(bundle()); }

    [[nodiscard]] QString cell(const QModelIndex& row, TestModel::Column column) const {
        return row.siblingAtColumn(column).data().toString();
    }
    [[nodiscard]] QModelIndex suite(int place) const { return model.index(place, 0); }
    [[nodiscard]] QModelIndex testCase(std::size_t inSuite, std::size_t place) const {
        return model.indexOf({.testCase = {inSuite, place}, .output = {}});
    }

    TestModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(TestModelTest, IsATreeOfSuitesCasesAndOutputs) {
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.rowCount(suite(0)), 2);
    EXPECT_EQ(model.rowCount(testCase(0, 0)), 2);
    EXPECT_EQ(model.rowCount(testCase(0, 1)), 1);
    EXPECT_EQ(model.rowCount(model.index(0, 0, testCase(0, 0))), 0);
    EXPECT_EQ(cell(suite(1), TestModel::Name), QStringLiteral("encode"));
    EXPECT_EQ(cell(testCase(0, 1), TestModel::Name), QStringLiteral("case 1"));
    EXPECT_EQ(cell(model.index(1, 0, testCase(0, 0)), TestModel::Name), QStringLiteral("output 1  (Double)"));
    EXPECT_EQ(cell(suite(0), TestModel::Verdict), QStringLiteral("not run"));
}

TEST_F(TestModelTest, PlacesAndRowsLeadToEachOther) {
    for (const TestRef& place : {TestRef{{0, 0}, {}}, TestRef{{0, 0}, 1}, TestRef{{1, 0}, 0}}) {
        EXPECT_EQ(model.placeOf(model.indexOf(place)), place);
    }
    EXPECT_EQ(model.placeOf(suite(0)), std::nullopt);
    EXPECT_FALSE(model.indexOf({.testCase = {5, 0}, .output = {}}).isValid());
}

TEST_F(TestModelTest, TakesVerdictsWithTheirNumbers) {
    model.setRunning(model.allCases());
    EXPECT_EQ(model.state({0, 0}), TestState::Running);
    FileReport report;
    report.cases = {
        CaseReport{
            "forward", 0, bundled_program::Verdict::Fail, "output 1: wrong", {compared(0), compared(3)}},
        CaseReport{"encode", 0, bundled_program::Verdict::Pass, "", {compared(0)}},
        CaseReport{"unheard of", 0, bundled_program::Verdict::Pass, "", {}},
        CaseReport{"encode", 99, bundled_program::Verdict::Pass, "", {}}};
    model.setReport(report);
    EXPECT_EQ(model.state({0, 0}), TestState::Fail);
    EXPECT_EQ(model.state({0, 1}), TestState::Running);
    EXPECT_EQ(model.state({1, 0}), TestState::Pass);
    EXPECT_EQ(cell(testCase(0, 0), TestModel::Message), QStringLiteral("output 1: wrong"));
    EXPECT_EQ(cell(testCase(0, 0), TestModel::Mismatches), QString()) << "two outputs have two numbers";
    EXPECT_EQ(cell(model.index(1, 0, testCase(0, 0)), TestModel::Mismatches), QStringLiteral("3 of 10"));
    EXPECT_EQ(cell(model.index(0, 0, testCase(0, 0)), TestModel::Verdict), stateName(TestState::Pass));
    EXPECT_EQ(cell(testCase(1, 0), TestModel::MaxAbsolute), QStringLiteral("0.25"));
    EXPECT_EQ(cell(testCase(1, 0), TestModel::Ulp), QStringLiteral("7"));
    EXPECT_EQ(cell(suite(0), TestModel::Verdict), QStringLiteral("✗ 1 of 2 failed"));
    EXPECT_EQ(cell(suite(1), TestModel::Verdict), QStringLiteral("✓ 1 of 1 passed"));
    EXPECT_THAT(model.failedCases(), ElementsAre(CaseRef{0, 0}));
    EXPECT_TRUE(suite(0).siblingAtColumn(TestModel::Verdict).data(Qt::ForegroundRole).isValid());
}

TEST_F(TestModelTest, UnfinishedTestsAreNotRunOrErrors) {
    model.setRunning({{0, 0}});
    model.stopRunning({});
    EXPECT_EQ(model.state({0, 0}), TestState::NotRun);
    model.setRunning({{0, 0}});
    model.stopRunning(QStringLiteral("crashed"));
    EXPECT_EQ(model.state({0, 0}), TestState::Error);
    EXPECT_EQ(model.message({0, 0}), QStringLiteral("crashed"));
    EXPECT_EQ(model.state({0, 1}), TestState::NotRun);
    EXPECT_EQ(model.count(TestState::NotRun), 2U);
}

TEST_F(TestModelTest, EmptiesAndStartsAnew) {
    model.setRunning(model.allCases());
    model.setBundle(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_TRUE(model.allCases().empty());
    model.setBundle(bundle());
    EXPECT_EQ(model.state({0, 0}), TestState::NotRun);
}

}  // namespace

}  // namespace et::visualizers
