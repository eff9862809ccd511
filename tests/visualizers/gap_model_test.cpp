#include "visualizers/gap/gap_model.h"

#include "visualizers/gap/gap_filter.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace et::visualizers {
namespace {

inspector::GapReportRow row(const char* name, std::optional<double> mse, std::optional<bool> diverges) {
    inspector::GapReportRow made;
    made.runtimeOps = {name};
    made.referenceHandles = {core::DebugHandle(7)};
    made.outputs.emplace_back();
    made.outputs.front().numbers[inspector::GapMetric::Mse] = mse;
    if (diverges) {
        made.own = inspector::OwnError{.own = 2, .diverges = *diverges, .reason = {}};
    }
    return made;
}

TEST(GapModel, ListsSortsAndFilters) {
    auto report = std::make_shared<inspector::GapReport>();
    report->rows = {row("conv", 1e-3, false), row("add", std::nullopt, std::nullopt), row("relu", 0.5, true)};
    report->bisected = true;
    GapModel model;
    GapFilter filter;
    filter.setSourceModel(&model);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setReport(report, {});
    EXPECT_EQ(model.index(0, GapModel::Metric).data().toString(), QStringLiteral("0.001"));
    EXPECT_EQ(model.index(1, GapModel::Metric).data().toString(), QString());
    EXPECT_EQ(model.index(2, GapModel::Verdict).data().toString(), QStringLiteral("diverges"));
    const auto names = [&] {
        QStringList texts;
        for (int i = 0; i < filter.rowCount(); ++i) {
            texts.append(filter.index(i, GapModel::Operator).data().toString());
        }
        return texts.join(u' ');
    };
    filter.sort(GapModel::Metric, Qt::DescendingOrder);
    EXPECT_EQ(names(), QStringLiteral("relu conv add"));
    filter.sort(GapModel::Metric, Qt::AscendingOrder);
    EXPECT_EQ(names(), QStringLiteral("conv relu add")) << "what has no number is last";
    filter.sort(-1);
    filter.setFilterFixedString(QStringLiteral("CO"));
    EXPECT_EQ(names(), QStringLiteral("conv"));
    filter.setFilterFixedString({});
    filter.setDivergingOnly(true);
    EXPECT_EQ(names(), QStringLiteral("relu"));
}

}  // namespace
}  // namespace et::visualizers
