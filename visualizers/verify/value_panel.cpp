#include "visualizers/verify/value_panel.h"

#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <utility>

namespace et::visualizers {

namespace {

constexpr int columnLetters = 16;
constexpr int fewestNumberRows = 2;  // includes the header; the heat map above takes the remaining height
constexpr int padding = 6;           // total pixels above and below the text of a row

}  // namespace

ValuePanel::ValuePanel(ColourScale::Kind kind, QWidget* parent)
    : QWidget(parent),
      heading(new QLabel(this)),
      map(new HeatMap(kind, this)),
      numbers(new QTableView(this)),
      cells(new SliceModel(this)) {
    heading->setTextFormat(Qt::PlainText);
    heading->setMargin(4);
    heading->setWordWrap(true);
    numbers->setModel(cells);
    numbers->setFrameShape(QFrame::NoFrame);
    numbers->setSelectionMode(QAbstractItemView::SingleSelection);
    numbers->setWordWrap(false);
    const QFontMetrics metrics = numbers->fontMetrics();
    numbers->setMinimumHeight(fewestNumberRows * (metrics.height() + padding));
    // Fixed sizes, because measuring a million cells is slow.
    numbers->horizontalHeader()->setDefaultSectionSize(metrics.averageCharWidth() * columnLetters);
    numbers->verticalHeader()->setDefaultSectionSize(metrics.height() + padding);
    numbers->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    auto* const parts = new Splitter(Qt::Vertical, this);
    parts->addWidget(map);
    parts->addWidget(numbers);
    parts->setSizes({200, 100});  // two thirds for the heat map
    fillColumn(*this, {heading, parts});
    connect(map, &HeatMap::cellChosen, this, &ValuePanel::cellChosen);
    connect(numbers->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid()) {
                    emit cellChosen({now.row(), now.column()});
                }
            });
}

void ValuePanel::setTitle(const QString& title) {
    name = title;
    showHeading();
}

void ValuePanel::showHeading() {
    const QString all = caption();
    const bool fits = heading->fontMetrics().horizontalAdvance(all) + 2 * heading->margin() <= width();
    heading->setText(fits || !values ? all : name);
    heading->setToolTip(all);
}

/// In a narrow panel, the type would take lines that the heat map needs.
void ValuePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showHeading();
}

QString ValuePanel::caption() const {
    return QStringLiteral("%1   %2").arg(name, values ? toQString(values->type) : missing);
}

void ValuePanel::setValues(std::shared_ptr<const TensorValues> tensor, const ColourScale& colours,
                           const QString& absence) {
    values = std::move(tensor);
    missing = absence;
    showHeading();
    map->setValues(values, colours);
}

void ValuePanel::setMarks(std::shared_ptr<const std::vector<bool>> marks) {
    cells->setMarks(std::move(marks));
}

void ValuePanel::setSlice(const Slice& part) {
    map->setSlice(part);
    cells->setValues(values, part);
}

void ValuePanel::setCursor(SliceCell cell) {
    map->setCursor(cell);
    const QModelIndex index = cells->index(static_cast<int>(cell.row), static_cast<int>(cell.column));
    if (index.isValid() && index != numbers->currentIndex()) {
        numbers->setCurrentIndex(index);
    }
}

}  // namespace et::visualizers
