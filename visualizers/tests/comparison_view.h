#pragma once

#include "bundled_program/tolerance.h"
#include "visualizers/tests/value_panel.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace et::visualizers {

/// What to set side by side. A missing side has its reason.
struct ComparedValues {
    std::shared_ptr<const TensorValues> expected;
    std::shared_ptr<const TensorValues> actual;
    QString noExpected;
    QString noActual;
    std::optional<bundled_program::Tolerance> tolerance;  ///< marks what is out of it
    std::vector<std::int64_t> worst;  ///< index of the element to show first; empty: the first
};

/// An output to expect, the one that was given, and their difference: as numbers and as heat maps, with one
/// cursor and one slice. Expected and actual share their colours.
class ComparisonView : public QWidget {
    Q_OBJECT

  public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// What the sides are called, if not "Expected" and "Actual".
    void setNames(const QString& expected, const QString& actual);
    void setComparison(ComparedValues values);
    /// Leaves room for the first side only: there is nothing to compare it with.
    void setAlone(bool alone);
    /// Shows an element: its slice, with the cursor at it. An index of other sizes is ignored.
    void showElement(std::span<const std::int64_t> index);

    [[nodiscard]] ValuePanel& expected() { return *panels[0]; }
    [[nodiscard]] ValuePanel& actual() { return *panels[1]; }
    [[nodiscard]] ValuePanel& difference() { return *panels[2]; }
    /// Elements that are marked as out of tolerance.
    [[nodiscard]] std::size_t markedCount() const;
    [[nodiscard]] QString cursorText() const;
    /// The largest scores of both sides; empty where the tensors are no scores.
    [[nodiscard]] QString largestText() const;

  private:
    [[nodiscard]] const TensorValues* shape() const;
    void buildSliceBoxes();
    void showSlice();
    void showLargest();
    void setCursor(SliceCell cell);
    void jumpToNext();

    ComparedValues shown;
    std::array<QString, 3> sideNames;
    std::shared_ptr<const TensorValues> errors;
    std::shared_ptr<const std::vector<bool>> marks;
    Slice slice;
    SliceCell cursor;
    std::array<ValuePanel*, 3> panels{};
    QWidget* sliceBar;
    QHBoxLayout* sliceLayout;
    std::vector<QSpinBox*> sliceBoxes;
    QLabel* cursorLabel;
    QLabel* largestLabel;
};

}  // namespace et::visualizers
