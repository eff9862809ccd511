#pragma once

#include "bundled_program/tolerance.h"
#include "visualizers/verify/value_panel.h"

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

/// Tensors to compare. A missing side has a reason.
struct ComparedValues {
    std::shared_ptr<const TensorValues> expected;
    std::shared_ptr<const TensorValues> actual;
    QString noExpected;
    QString noActual;
    std::optional<bundled_program::Tolerance> tolerance;  ///< elements outside of it are marked
    std::vector<std::int64_t> worst;  ///< index of the element to show initially; empty: the first
};

/// Expected output, actual output and their difference as numbers and heat maps, with a common cursor and
/// slice. Expected and actual share a colour scale.
class ComparisonView : public QWidget {
    Q_OBJECT

  public:
    explicit ComparisonView(QWidget* parent = nullptr);

    /// Names of the sides, by default "Expected" and "Actual".
    void setNames(const QString& expected, const QString& actual);
    void setComparison(ComparedValues values);
    /// Shows only the first side, if there is nothing to compare it with.
    void setAlone(bool alone);
    /// Shows the slice of an element and moves the cursor to it. An index of other sizes is ignored.
    void showElement(std::span<const std::int64_t> index);

    [[nodiscard]] ValuePanel& expected() { return *panels[0]; }
    [[nodiscard]] ValuePanel& actual() { return *panels[1]; }
    [[nodiscard]] ValuePanel& difference() { return *panels[2]; }
    /// Number of elements marked as out of tolerance.
    [[nodiscard]] std::size_t markedCount() const;
    [[nodiscard]] QString cursorText() const;
    /// The largest scores of both sides; empty if the tensors are not scores.
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
