#include "visualizers/verify/comparison_view.h"

#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/widgets.h"
#include "visualizers/verify/largest_elements.h"
#include "visualizers/verify/number_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace et::visualizers {

namespace {

/// True if an element differs from the expected one by more than the tolerance; NaN equals NaN, and
/// infinities equal themselves.
bool outOfTolerance(double given, double expected, const bundled_program::Tolerance& allowed) {
    if (given == expected || (std::isnan(given) && std::isnan(expected))) {
        return false;
    }
    return !(std::abs(given - expected) <= allowed.absolute + allowed.relative * std::abs(expected)) ||
           !std::isfinite(expected);
}

std::shared_ptr<const std::vector<bool>> marksOf(const ComparedValues& values) {
    if (!values.expected || !values.actual || !values.tolerance ||
        values.expected->numbers.size() != values.actual->numbers.size()) {
        return nullptr;
    }
    auto marks = std::make_shared<std::vector<bool>>(values.expected->numbers.size());
    for (std::size_t i = 0; i < marks->size(); ++i) {
        (*marks)[i] =
            outOfTolerance(values.actual->numbers[i], values.expected->numbers[i], *values.tolerance);
    }
    return marks;
}

/// "3 (0.5953), 7 (0.1654)": the classes with the largest scores, and the scores.
QString scoresText(const TensorValues& tensor) {
    constexpr std::size_t shownScores = 5;
    QStringList texts;
    for (const RankedElement& each : largestElements(tensor, shownScores)) {
        texts.append(QStringLiteral("%1 (%2)").arg(each.place).arg(each.number, 0, 'g', 4));
    }
    return texts.join(QStringLiteral(", "));
}

/// A common colour scale for both sides.
ColourScale sharedScale(const ComparedValues& values) {
    std::vector<double> ends;
    for (const auto& side : {values.expected, values.actual}) {
        if (side) {
            const ColourScale own(ColourScale::Kind::Sequential, side->numbers);
            ends.insert(ends.end(), {own.lowest(), own.highest()});
        }
    }
    return {ColourScale::Kind::Sequential, ends};
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      sliceBar(new QWidget(this)),
      sliceLayout(new QHBoxLayout(sliceBar)),
      cursorLabel(new QLabel(this)),
      largestLabel(new QLabel(this)) {
    auto* const sides = new Splitter(this);
    sides->setChildrenCollapsible(false);
    panels = {new ValuePanel(ColourScale::Kind::Sequential, sides),
              new ValuePanel(ColourScale::Kind::Sequential, sides),
              new ValuePanel(ColourScale::Kind::Diverging, sides)};
    setNames(QStringLiteral("Expected"), QStringLiteral("Actual"));
    cursorLabel->setObjectName(QStringLiteral("cursor"));
    largestLabel->setObjectName(QStringLiteral("largest"));
    for (QLabel* const label : {cursorLabel, largestLabel}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setMargin(4);
        label->setWordWrap(true);  // otherwise the text determines the panel's minimum width
    }
    sliceLayout->setContentsMargins(4, 2, 4, 2);
    fillColumn(*this, {sliceBar, sides, cursorLabel, largestLabel}, sides);
    for (ValuePanel* const panel : panels) {
        sides->addWidget(panel);
        connect(panel, &ValuePanel::cellChosen, this, &ComparisonView::setCursor);
    }
    keyedAction(*this, QStringLiteral("&Next Element out of Tolerance"), Qt::Key_N, [this] { jumpToNext(); });
    setComparison({});
}

const TensorValues* ComparisonView::shape() const {
    return shown.expected ? shown.expected.get() : shown.actual.get();
}

void ComparisonView::setComparison(ComparedValues values) {
    shown = std::move(values);
    errors = nullptr;
    QString noDifference;
    if (shown.expected && shown.actual) {
        if (auto made = visualizers::difference(*shown.actual, *shown.expected)) {
            made->type =
                QStringLiteral("%1 - %2").arg(sideNames[1].toLower(), sideNames[0].toLower()).toStdString();
            errors = std::make_shared<TensorValues>(*std::move(made));
        } else {
            noDifference = QStringLiteral("sizes differ");
        }
    }
    marks = marksOf(shown);
    const ColourScale scale = sharedScale(shown);
    panels[0]->setValues(shown.expected, scale, shown.noExpected);
    panels[1]->setValues(shown.actual, scale, shown.noActual);
    panels[2]->setValues(errors,
                         errors ? ColourScale(ColourScale::Kind::Diverging, errors->numbers) : ColourScale(),
                         noDifference);
    for (ValuePanel* const panel : panels) {
        panel->setMarks(marks);
    }
    buildSliceBoxes();
    showLargest();
    showElement(shown.worst);
}

void ComparisonView::showLargest() {
    QStringList parts;
    const std::array sides{shown.expected.get(), shown.actual.get()};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] != nullptr && isRowOfScores(*sides[i])) {
            parts.append(QStringLiteral("%1 %2").arg(sideNames[i].toLower(), scoresText(*sides[i])));
        }
    }
    largestLabel->setText(parts.isEmpty()
                              ? QString()
                              : QStringLiteral("Largest: %1").arg(parts.join(QStringLiteral("   ·   "))));
    largestLabel->setVisible(!parts.isEmpty());
}

void ComparisonView::setNames(const QString& expected, const QString& actual) {
    sideNames = {expected, actual, QStringLiteral("Difference")};
    for (std::size_t i = 0; i < panels.size(); ++i) {
        panels[i]->setTitle(sideNames[i]);
    }
}

void ComparisonView::setAlone(bool alone) {
    panels[1]->setVisible(!alone);
    panels[2]->setVisible(!alone);
}

void ComparisonView::showElement(std::span<const std::int64_t> index) {
    const TensorValues* const tensor = shape();
    const bool known = tensor != nullptr && !index.empty() && index.size() == tensor->sizes.size();
    for (std::size_t i = 0; known && i < sliceBoxes.size(); ++i) {
        const QSignalBlocker quiet(sliceBoxes[i]);
        sliceBoxes[i]->setValue(static_cast<int>(index[i]));
    }
    showSlice();
    if (known) {
        setCursor(cellOf(slice, index));
    }
}

void ComparisonView::buildSliceBoxes() {
    while (const std::unique_ptr<QLayoutItem> item{sliceLayout->takeAt(0)}) {
        delete item->widget();
    }
    sliceBoxes.clear();
    const TensorValues* const tensor = shape();
    const std::size_t outer = tensor ? Slice::outerDimensions(tensor->sizes) : 0;
    sliceBar->setVisible(outer > 0);
    if (outer == 0) {
        return;
    }
    sliceLayout->addWidget(new QLabel(QStringLiteral("Slice ["), sliceBar));
    for (std::size_t dim = 0; dim < outer; ++dim) {
        auto* const box = new QSpinBox(sliceBar);
        box->setRange(0, static_cast<int>(std::max<std::int64_t>(tensor->sizes[dim] - 1, 0)));
        box->setToolTip(QStringLiteral("Index in dimension %1, of %2").arg(dim).arg(tensor->sizes[dim]));
        connect(box, &QSpinBox::valueChanged, this, &ComparisonView::showSlice);
        sliceLayout->addWidget(box);
        sliceBoxes.push_back(box);
    }
    sliceLayout->addWidget(new QLabel(QStringLiteral(", :, : ]"), sliceBar));
    sliceLayout->addStretch();
}

void ComparisonView::showSlice() {
    std::vector<std::int64_t> place;
    for (const QSpinBox* const box : sliceBoxes) {
        place.push_back(box->value());
    }
    const std::array sides{shown.expected.get(), shown.actual.get(), errors.get()};
    for (std::size_t i = 0; i < panels.size(); ++i) {
        // A side with other sizes shows its first slice.
        const bool same = sides[i] != nullptr && sides[i]->sizes == shape()->sizes;
        panels[i]->setSlice(sides[i] == nullptr
                                ? Slice()
                                : Slice(sides[i]->sizes, same ? place : std::vector<std::int64_t>()));
    }
    slice = shape() != nullptr ? Slice(shape()->sizes, place) : Slice();
    setCursor(cursor.row < slice.rows() && cursor.column < slice.columns() ? cursor : SliceCell{});
}

void ComparisonView::setCursor(SliceCell cell) {
    cursor = cell;
    for (ValuePanel* const panel : panels) {
        panel->setCursor(cell);
    }
    if (slice.empty() || cell.row >= slice.rows() || cell.column >= slice.columns()) {
        cursorLabel->clear();
        return;
    }
    const std::size_t place = slice.place(cell.row, cell.column);
    QStringList parts{indexText(slice.index(cell.row, cell.column))};
    const std::array sides{shown.expected.get(), shown.actual.get(), errors.get()};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] != nullptr && sides[i]->sizes == shape()->sizes) {
            parts.append(QStringLiteral("%1 %2").arg(
                sideNames[i].toLower(), numberText(sides[i]->numbers[place], sides[i]->integral)));
        }
    }
    if (shown.tolerance && shown.actual) {
        parts.append(QStringLiteral("tolerance rtol %1, atol %2")
                         .arg(shown.tolerance->relative)
                         .arg(shown.tolerance->absolute));
    }
    if (marks && (*marks)[place]) {
        parts.append(QStringLiteral("out of tolerance"));
    }
    cursorLabel->setText(parts.join(QStringLiteral("   ·   ")));
}

void ComparisonView::jumpToNext() {
    if (!marks || slice.empty()) {
        return;
    }
    const std::size_t from = slice.place(cursor.row, cursor.column) + 1;
    const auto after = std::find(marks->begin() + static_cast<std::ptrdiff_t>(from), marks->end(), true);
    const auto found = after != marks->end() ? after : std::find(marks->begin(), marks->end(), true);
    if (found == marks->end()) {
        return;
    }
    shown.worst.assign(shape()->sizes.size(), 0);
    auto rest = static_cast<std::int64_t>(found - marks->begin());
    for (std::size_t dim = shown.worst.size(); dim-- > 0;) {
        shown.worst[dim] = rest % shape()->sizes[dim];
        rest /= shape()->sizes[dim];
    }
    showElement(shown.worst);
}

std::size_t ComparisonView::markedCount() const {
    return marks ? static_cast<std::size_t>(std::ranges::count(*marks, true)) : 0;
}

QString ComparisonView::cursorText() const {
    return cursorLabel->text();
}

QString ComparisonView::largestText() const {
    return largestLabel->text();
}

}  // namespace et::visualizers
