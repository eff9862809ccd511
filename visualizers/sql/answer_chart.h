#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

#include <vector>

namespace et::visualizers {

class AnswerModel;

/// Chart of one numeric column of a query result: bars with names for few rows, a line for many.
class AnswerChart : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    /// Maximum number of rows drawn as bars.
    static constexpr int maxBars = 500;

    explicit AnswerChart(const AnswerModel& model, QWidget* parent = nullptr);

    /// The column to show; -1: none. The first text column provides the names of bars.
    void setColumn(int column);
    [[nodiscard]] int column() const { return shownColumn; }
    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] int labelColumn() const;
    [[nodiscard]] int rowHeight() const;
    void paintBars(QPainter& painter, const QRect& exposed) const;
    void paintLine(QPainter& painter) const;

    const AnswerModel& answers;
    int shownColumn = -1;
    std::vector<double> numbers;  ///< by row; NaN: none
    double min = 0;
    double max = 0;
};

}  // namespace et::visualizers
