#pragma once

#include "visualizers/toolkit/spoken_picture.h"

#include <QWidget>

#include <vector>

namespace et::visualizers {

class AnswerModel;

/// One numeric column of an answer, painted: few rows as bars with their names, many as a line.
class AnswerChart : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    /// Rows up to which there are bars.
    static constexpr int maxBars = 500;

    explicit AnswerChart(const AnswerModel& model, QWidget* parent = nullptr);

    /// The column to show; -1: none. Texts of the first column that holds texts name the bars.
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
    std::vector<double> numbers;  ///< one a row; NaN: none
    double min = 0;
    double max = 0;
};

}  // namespace et::visualizers
