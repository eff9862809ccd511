#include "visualizers/overview/operator_bars.h"

#include "inspector/format/quantities.h"
#include "visualizers/overview/overview.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

namespace et::visualizers {

namespace {

using inspector::events::SlowOperator;

constexpr int barSpacing = 8;

/// Draws a bar of a fraction of its width.
class FractionBar : public QWidget {
  public:
    FractionBar(double part, QWidget* parent) : QWidget(parent), fraction(part) {
        setMinimumWidth(fontMetrics().averageCharWidth() * 6);
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {fontMetrics().averageCharWidth() * 12, fontMetrics().height()};
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(QRectF(0, 2, width() * fraction, height() - 4),
                         meaningColour(inspector::format::Meaning::Kernel, palette()));
    }

  private:
    double fraction;
};

QLabel* plainCell(const QString& text, Qt::Alignment side, QWidget* parent) {
    auto* const label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(side | Qt::AlignVCenter);
    return label;
}

}  // namespace

OperatorBars::OperatorBars(const inspector::Answers& answers, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("operatorBars"));
    setAccessibleName(QStringLiteral("Slowest operators"));
    auto* const grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(barSpacing);
    grid->setVerticalSpacing(barSpacing / 2);
    const double most = answers.slowest.empty() ? 1 : answers.slowest.front().share;
    int row = 0;
    for (const SlowOperator& each : answers.slowest) {
        auto* const name = new QLabel(QStringLiteral("<a href=\"%1\">%2</a>")
                                          .arg(operatorLink(each), toQString(each.name).toHtmlEscaped()),
                                      this);
        name->setTextFormat(Qt::RichText);
        name->setTextInteractionFlags(Qt::TextBrowserInteraction);
        name->setToolTip(toQString(each.source));
        connect(name, &QLabel::linkActivated, this, &OperatorBars::linkFollowed);
        grid->addWidget(name, row, 0);
        grid->addWidget(new FractionBar(each.share / most, this), row, 1);
        grid->addWidget(plainCell(timeText(each.time, answers.scale), Qt::AlignRight, this), row, 2);
        grid->addWidget(
            plainCell(toQString(inspector::format::readablePercent(each.share)), Qt::AlignRight, this), row,
            3);
        grid->addWidget(plainCell(toQString(each.source), Qt::AlignLeft, this), row, 4);
        ++row;
    }
    grid->setColumnStretch(1, 1);
}

}  // namespace et::visualizers
