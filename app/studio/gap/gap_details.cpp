#include "app/studio/gap/gap_details.h"

#include "visualizers/gap/gap_description.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace et::studio {

namespace {

using visualizers::ComparedValues;

constexpr std::size_t maxWorst = 100;
constexpr int margin = 6;
/// Widths in characters: all three parts (statistics, distributions, tensors) side by side, and each of the
/// first two.
constexpr int lettersSideBySide = 142;
constexpr int lettersOfNumbers = 36;
constexpr int lettersOfCurves = 58;
/// Minimum height of the scrolling parts in a low window: the tensors have priority.
constexpr int fewestLines = 3;

}  // namespace

GapDetails::GapDetails(const GapJob& job, QWidget* parent)
    : QWidget(parent),
      source(job),
      reading(this),
      title(new QLabel(this)),
      outputs(new QComboBox(this)),
      splitter(new visualizers::Splitter(this)),
      tabs(new QTabWidget(this)),
      figures(new visualizers::Splitter(splitter)),
      numbers(new QLabel(this)),
      distributions(new visualizers::OverlaidHistograms(this)),
      elements(new visualizers::WorstElementsModel(this)),
      worst(new QTableView(this)),
      channels(new visualizers::WorstChannelsModel(this)),
      worstOfChannels(new QTableView(this)),
      apart(new QTabWidget(this)),
      values(new visualizers::ComparisonView(this)) {
    title->setObjectName(QStringLiteral("gapOperator"));
    title->setTextFormat(Qt::RichText);
    title->setWordWrap(true);
    title->setMargin(margin);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(outputs, &QComboBox::activated, this, &GapDetails::showOutput);
    values->setNames(QStringLiteral("Reference"), QStringLiteral("Runtime"));
    figures->addParts({{createNumbers(), 0}, {createDistributions(), 1}});
    figures->setChildrenCollapsible(false);
    const int letter = fontMetrics().averageCharWidth();
    figures->setSizes({letter * lettersOfNumbers, letter * lettersOfCurves});
    figures->setMinimumWidth(letter * (lettersOfNumbers + lettersOfCurves));
    splitter->addParts({{figures, 0}, {values, 1}});
    splitter->setChildrenCollapsible(false);
    auto* const head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(outputs, 0, Qt::AlignTop);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(splitter, 1);
    layout->addWidget(tabs, 1);
    tabs->setObjectName(QStringLiteral("gapTabs"));
    tabs->setDocumentMode(true);
    tabs->hide();
    setRow(nullptr);
}

QWidget* GapDetails::createNumbers() {
    numbers->setObjectName(QStringLiteral("gapStatistics"));
    numbers->setTextFormat(Qt::RichText);
    numbers->setMargin(margin);
    numbers->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    numbers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* const area = new QScrollArea(this);
    area->setWidget(numbers);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setMinimumSize(fontMetrics().averageCharWidth() * lettersOfNumbers,
                         fewestLines * fontMetrics().height());
    return area;
}

QWidget* GapDetails::createDistributions() {
    distributions->setNames({.a = QStringLiteral("reference"),
                             .b = QStringLiteral("runtime"),
                             .oneSample = QStringLiteral("1 element"),
                             .manySamples = QStringLiteral("%1 elements")});
    elements->setNames(QStringLiteral("Reference"), QStringLiteral("Runtime"));
    worst->setObjectName(QStringLiteral("worstElements"));
    dressWorst(*worst, elements,
               QStringLiteral("Elements with the largest difference; select one to show its slice"));
    connect(worst->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid()) {
                    values->showElement(elements->elements()[static_cast<std::size_t>(row.row())].index);
                }
            });
    worstOfChannels->setObjectName(QStringLiteral("worstChannels"));
    dressWorst(*worstOfChannels, channels,
               QStringLiteral("Channels with the largest difference; select one to show its worst element"));
    connect(worstOfChannels->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid()) {
                    values->showElement(channels->channels()[static_cast<std::size_t>(row.row())].worst);
                }
            });
    apart->setObjectName(QStringLiteral("gapApart"));
    apart->setDocumentMode(true);
    apart->addTab(worst, QStringLiteral("Elements"));
    apart->addTab(worstOfChannels, QStringLiteral("Channels"));
    auto* const both = new visualizers::Splitter(Qt::Vertical, this);
    both->addWidget(distributions);
    both->addWidget(apart);
    both->setChildrenCollapsible(false);
    constexpr int letters = 26;
    both->setMinimumWidth(fontMetrics().averageCharWidth() * letters);
    return both;
}

void GapDetails::dressWorst(QTableView& table, QAbstractItemModel* model, const QString& tip) {
    table.setModel(model);
    table.setFrameShape(QFrame::NoFrame);
    table.setMinimumHeight(fewestLines * fontMetrics().height());
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setToolTip(tip);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(fontMetrics().height() + margin);
    // Measuring a hundred rows is fast.
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setStretchLastSection(true);
}

void GapDetails::setRow(const inspector::GapReportRow* row) {
    shown = row;
    title->setText(row == nullptr ? QString() : visualizers::operatorHtml(*row));
    outputs->clear();
    for (std::size_t i = 0; row != nullptr && i < row->outputs.size(); ++i) {
        outputs->addItem(QStringLiteral("Output %1").arg(i));
    }
    outputs->setVisible(outputs->count() > 1);
    showOutput();
}

void GapDetails::showOutput() {
    reading.forget();
    const int output = outputs->currentIndex();
    if (shown == nullptr || output < 0) {
        numbers->clear();
        show({});
        return;
    }
    const auto which = static_cast<std::size_t>(output);
    numbers->setText(visualizers::outputHtml(shown->outputs[which]));
    reading.start([reference = source.tensorFile(*shown, which, GapTensorSide::Reference),
                   runtime = source.tensorFile(*shown, which,
                                               GapTensorSide::Runtime)] { return load(reference, runtime); },
                  [this](const Loaded& loaded) { show(loaded); });
}

GapDetails::Loaded GapDetails::load(const std::filesystem::path& reference,
                                    const std::filesystem::path& runtime) {
    Loaded loaded;
    ComparedValues& sides = loaded.values;
    sides.expected = visualizers::shownValues(visualizers::readValues(reference), sides.noExpected);
    sides.actual = visualizers::shownValues(visualizers::readValues(runtime), sides.noActual);
    if (sides.expected && sides.actual) {
        loaded.distributions = visualizers::makeDistributions(sides.expected->numbers, sides.actual->numbers);
        loaded.worst = visualizers::worstElements(*sides.expected, *sides.actual, maxWorst);
        loaded.channels = visualizers::worstChannels(*sides.expected, *sides.actual);
    }
    if (!loaded.worst.empty()) {
        sides.worst = loaded.worst.front().index;
    }
    return loaded;
}

void GapDetails::show(const Loaded& loaded) {
    values->setComparison(loaded.values);
    distributions->setDistributions(loaded.distributions, {});
    const auto& sides = loaded.values;
    elements->setElements(
        loaded.worst, sides.expected && sides.actual && sides.expected->integral && sides.actual->integral);
    channels->setChannels(loaded.channels);
    apart->setTabEnabled(apart->indexOf(worstOfChannels), !loaded.channels.empty());
}

QString GapDetails::description() const {
    return title->text();
}

QString GapDetails::statistics() const {
    return numbers->text();
}

QByteArray GapDetails::saveState() const {
    return splitter->saveState();
}

void GapDetails::restoreState(const QByteArray& state) {
    splitter->restoreState(state);
}

bool GapDetails::inTabs() const {
    return tabs->count() > 0;
}

/// Places all parts side by side if they fit, otherwise as tabs.
void GapDetails::place() {
    const bool narrow = width() < fontMetrics().averageCharWidth() * lettersSideBySide;
    if (narrow == inTabs()) {
        return;
    }
    figures->setMinimumWidth(
        narrow ? 0 : fontMetrics().averageCharWidth() * (lettersOfNumbers + lettersOfCurves));
    if (narrow) {
        if (splitter->sizes().first() > 0) {
            wideSizes = splitter->sizes();
        }
        tabs->addTab(values, QStringLiteral("Tensors"));
        tabs->addTab(figures, QStringLiteral("Statistics"));
    } else {
        splitter->addWidget(figures);
        splitter->addWidget(values);
        figures->show();  // was hidden behind the other tab
        values->show();
        splitter->setSizes(wideSizes);
        splitter->restoreState(splitter->saveState());  // sizes chosen by the user have priority
    }
    splitter->setVisible(!narrow);
    tabs->setVisible(narrow);
}

void GapDetails::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

}  // namespace et::studio
