#include "visualizers/toolkit/tree_model.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <vector>

namespace et::visualizers {

namespace {

/// A model with a given number of rows below each top-level row.
class Counted : public TwoLevelModel {
  public:
    explicit Counted(std::vector<std::size_t> below) : counts(std::move(below)) {}

    [[nodiscard]] QModelIndex low(std::size_t top, std::size_t row) const {
        return indexOfNode(lowNode(top, row), 1);
    }

  private:
    [[nodiscard]] int columns() const override { return 2; }
    [[nodiscard]] std::size_t topRows() const override { return counts.size(); }
    [[nodiscard]] std::size_t rowsBelowTop(std::size_t top) const override { return counts[top]; }
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override {
        if (role != Qt::DisplayRole) {
            return {};
        }
        const QString top = QString::number(topOf(node));
        return isTop(node) ? top : QStringLiteral("%1.%2:%3").arg(top).arg(lowOf(node)).arg(column);
    }
    [[nodiscard]] QVariant titleData(int column, int role) const override {
        return role == Qt::DisplayRole ? QVariant(column) : QVariant();
    }

    std::vector<std::size_t> counts;
};

TEST(TwoLevelModel, KeepsTheRulesOfQt) {
    Counted model({3, 0, 1});
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.rowCount(model.index(0, 0)), 3);
    EXPECT_EQ(model.rowCount(model.index(1, 0)), 0);
    EXPECT_EQ(model.rowCount(model.index(0, 1)), 0) << "only first columns have rows below";
    EXPECT_EQ(model.rowCount(model.index(0, 0, model.index(0, 0))), 0);
}

TEST(TwoLevelModel, IndicesMapToRows) {
    const Counted model({3, 0, 1});
    const QModelIndex index = model.low(0, 2);
    EXPECT_EQ(index, model.index(2, 1, model.index(0, 0)));
    EXPECT_EQ(index.parent(), model.index(0, 0));
    EXPECT_EQ(index.data().toString(), QStringLiteral("0.2:1"));
    EXPECT_EQ(model.index(2, 0).data().toString(), QStringLiteral("2"));
    EXPECT_FALSE(model.index(3, 0).isValid());
    EXPECT_FALSE(model.index(0, 0, model.index(1, 0)).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical).isValid());
    EXPECT_EQ(model.headerData(1, Qt::Horizontal).toInt(), 1);
}

}  // namespace

}  // namespace et::visualizers
