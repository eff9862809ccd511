#pragma once

#include "inspector/comparison/comparison.h"
#include "inspector/format/time_scale.h"
#include "visualizers/toolkit/tree_model.h"

#include <QColor>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace et::visualizers {

/// Position of a time in a comparison: a method or one of its rows.
struct ComparisonRef {
    std::size_t method = 0;
    std::optional<std::size_t> row;
    bool operator==(const ComparisonRef&) const = default;
};

/// Two measurements by method, and below each its operators, largest effect first. Rows have the error colour
/// if B is slower and the kernel colour if it is faster, stronger with a larger difference.
class ComparisonModel : public TwoLevelModel {
    Q_OBJECT

  public:
    enum Column : int { Name, Verdict, MedianA, MedianB, Difference, Change, Interval, Runs, Kind, Aligned };
    static constexpr int columnTotal = Aligned + 1;
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString
        DecidedRole,              ///< bool: slower, faster, added or removed
    };

    using TwoLevelModel::TwoLevelModel;

    /// Shows times in `unit` (not cycles), or in ticks if the comparison has ticks. Null empties the model.
    void setComparison(std::shared_ptr<const inspector::Comparison> compared, inspector::TimeScale unit);
    [[nodiscard]] const inspector::Comparison* comparison() const { return pair.get(); }
    [[nodiscard]] inspector::TimeScale timeScale() const { return scale; }
    /// A time of the comparison converted to the display unit.
    [[nodiscard]] double inUnit(double time) const { return time / unitLength; }

    [[nodiscard]] std::optional<ComparisonRef> placeOf(const QModelIndex& index) const;
    /// The statistical test of a method or row.
    [[nodiscard]] const inspector::TimeTest& test(const ComparisonRef& place) const;
    /// Null for a method.
    [[nodiscard]] const inspector::ComparisonRow* row(const ComparisonRef& place) const;
    [[nodiscard]] std::span<const double> samplesA(const ComparisonRef& place) const;
    [[nodiscard]] std::span<const double> samplesB(const ComparisonRef& place) const;
    [[nodiscard]] QString nameOf(const ComparisonRef& place) const;

  private:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] std::size_t topRows() const override;
    [[nodiscard]] std::size_t rowsBelowTop(std::size_t top) const override;
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] static ComparisonRef placeOfNode(TreeNode node);
    [[nodiscard]] QVariant text(const ComparisonRef& place, Column column) const;
    [[nodiscard]] QVariant sortKey(const ComparisonRef& place, Column column) const;
    [[nodiscard]] bool oneSided(const ComparisonRef& place) const;
    [[nodiscard]] QString verdictText(const ComparisonRef& place) const;
    [[nodiscard]] QString timeText(double time) const;

    std::shared_ptr<const inspector::Comparison> pair;
    inspector::TimeScale scale = inspector::TimeScale::Milliseconds;
    double unitLength = 1;  ///< in the unit of the comparison's times
};

/// Background colour of a verdict; invalid for `Same` and `Undecided`. A factor of two in either direction
/// gives the strongest colour.
[[nodiscard]] QColor verdictColour(const inspector::TimeTest& test);

}  // namespace et::visualizers
