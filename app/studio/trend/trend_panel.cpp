#include "app/studio/trend/trend_panel.h"

#include "app/studio/file_dialog.h"
#include "app/studio/panel_command.h"
#include "inspector/store/store_location.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/trend_text.h"
#include "visualizers/open_session.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"
#include "visualizers/trend/trend_plot.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTimer>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace et::studio {

namespace fs = std::filesystem;
using inspector::store::TrendStore;
using visualizers::toQString;

namespace {

constexpr int placeLetters = 40;
constexpr int byLetters = 18;
/// Maximum number of charts per model.
constexpr std::size_t maxCharts = 50;

QString placeText(const fs::path& place) {
    return QFile::decodeName(place.c_str());
}

fs::path pathNamed(const QString& text) {
    return {QFile::encodeName(text).toStdString()};
}

}  // namespace

TrendPanel::TrendPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      openAlone(context.openAlone),
      enter(context.enter),
      settings(context.settings),
      reading(this),
      tools(new QToolBar(this)),
      place(new QLineEdit(this)),
      model(new QComboBox(this)),
      by(new QLineEdit(this)),
      head(visualizers::plainLabel("trendsSummary", this, {.margin = 4, .selectable = true})),
      hint(visualizers::hintLabel("trendsHint", this, {.selectable = true})),
      scroll(new QScrollArea(this)),
      chartList(new QWidget(this)),
      table(new visualizers::ReportTable(this)),
      pages(new QStackedLayout) {
    createTools();
    auto* const split = new visualizers::Splitter(Qt::Vertical, this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(chartList);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // the charts take the focus
    scroll->setAccessibleName(QStringLiteral("Histories"));
    new QVBoxLayout(chartList);
    split->addParts({{scroll, 3}, {table, 1}});
    split->setCollapsible(0, false);
    split->setSizes({3000, 1000});  // proportions; the table's preferred size is larger
    table->view().setAccessibleName(QStringLiteral("Changes"));
    table->setHint(QStringLiteral("No significant change"));
    auto* const button = new QPushButton(QStringLiteral("Open Store…"), this);
    connect(button, &QPushButton::clicked, this, &TrendPanel::promptForStore);
    pages->addWidget(visualizers::hintPage(*hint, *button, this));
    pages->addWidget(split);
    visualizers::fillColumn(*this, {tools, head, pages});
    setFocusProxy(place);
    connect(table, &visualizers::ReportTable::rowChosen, this, &TrendPanel::showChange);
    connect(&context.opened, &visualizers::OpenSession::changed, this, [this] {
        if (std::exchange(comparing, false)) {
            QTimer::singleShot(0, this, [this] { enter("compare"); });  // after the window shows the opened
                                                                        // traces
        }
    });
    showRead(Read{});
}

void TrendPanel::createTools() {
    QAction* const openAction =
        addCommand(*this, QStringLiteral("Open &Store…"), {}, &TrendPanel::promptForStore);
    openAction->setToolTip(QStringLiteral("Open a store filled by 'et-inspect import'"));
    QAction* const reloadAction = addCommand(*this, QStringLiteral("&Reload Store"), {}, &TrendPanel::load);
    tools->addActions({openAction, reloadAction});
    place->setObjectName(QStringLiteral("trendsStore"));
    place->setAccessibleName(QStringLiteral("Store"));
    place->setPlaceholderText(QStringLiteral("File, or postgresql://HOST/DATABASE"));
    place->setMinimumWidth(fontMetrics().averageCharWidth() * placeLetters / 2);
    place->setMaximumWidth(fontMetrics().averageCharWidth() * placeLetters);
    model->setObjectName(QStringLiteral("trendsModel"));
    model->setAccessibleName(QStringLiteral("Model"));
    model->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    by->setObjectName(QStringLiteral("trendsBy"));
    by->setAccessibleName(QStringLiteral("Tags that distinguish devices"));
    by->setText(QStringLiteral("device,commit"));
    by->setToolTip(QStringLiteral(
        "Tags that distinguish devices; add commit to combine the measurements of each commit into one "
        "point"));
    by->setMaximumWidth(fontMetrics().averageCharWidth() * byLetters);
    tools->addWidget(place);
    tools->addWidget(model);
    tools->addWidget(by);
    connect(place, &QLineEdit::returnPressed, this, &TrendPanel::openNamedStore);
    connect(by, &QLineEdit::returnPressed, this, &TrendPanel::load);
    connect(model, &QComboBox::activated, this, &TrendPanel::load);
}

QString TrendPanel::summary() const {
    return head->text();
}

QByteArray TrendPanel::saveState() const {
    // An address may contain a password, which must not be stored.
    return visualizers::packed(inspector::store::isServer(store) ? QString() : place->text(), by->text());
}

/// Does not open the store automatically: it may be remote, or gone.
void TrendPanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QString, QString>(state)) {
        place->setText(std::get<0>(*read));
        by->setText(std::get<1>(*read));
    }
}

bool TrendPanel::takeStore(const fs::path& opened) {
    if (!inspector::store::isStore(opened)) {
        return false;
    }
    store = inspector::store::isServer(opened) ? opened : fs::absolute(opened);
    place->setText(placeText(opened));
    model->clear();
    load();
    return true;
}

void TrendPanel::promptForStore() {
    chooseFilesToOpen(
        this, settings, optionsForOpening(QStringLiteral("Open Store")),
        [this](const std::vector<fs::path>& paths) {
            if (!takeStore(paths.front())) {
                emit noticed(
                    QStringLiteral("%1: expected a store of measurements").arg(placeText(paths.front())));
            }
        });
}

void TrendPanel::openNamedStore() {
    if (!takeStore(pathNamed(place->text()))) {
        emit noticed(QStringLiteral("%1: expected a store of measurements").arg(place->text()));
    }
}

TrendPanel::Read TrendPanel::read(const fs::path& place, const std::string& model,
                                  const std::vector<std::string>& by) {
    Read outcome;
    const auto failed = [&](const core::Error& error) {
        outcome.problem = toQString(error.toString());
        return outcome;
    };
    const auto opened = TrendStore::open(place, {.mode = inspector::store::OpenMode::Reading});
    if (!opened) {
        return failed(opened.error());
    }
    const auto models = opened->models();
    if (!models) {
        return failed(models.error());
    }
    for (const inspector::store::TrendModel& each : *models) {
        outcome.models.push_back(each.name);
    }
    if (outcome.models.empty()) {
        outcome.problem =
            QStringLiteral("This store has no measurements: run et-inspect import FILE… --store STORE");
        return outcome;
    }
    outcome.model = std::ranges::contains(outcome.models, model) ? model : outcome.models.front();
    const auto measured = opened->load(outcome.model);
    if (!measured) {
        return failed(measured.error());
    }
    auto found = inspector::findTrend(*measured, {.grouping = {.by = by}});
    if (!found) {
        return failed(found.error());
    }
    outcome.trend = std::make_shared<const inspector::Trend>(*std::move(found));
    return outcome;
}

void TrendPanel::load() {
    if (store.empty()) {
        return;
    }
    std::vector<std::string> tags;
    for (const QString& each : by->text().split(u',', Qt::SkipEmptyParts)) {
        tags.push_back(each.trimmed().toStdString());
    }
    hint->setText(QStringLiteral("Reading %1…").arg(place->text()));
    reading.start(
        [from = store, name = model->currentText().toStdString(), tags] { return read(from, name, tags); },
        [this](const Read& outcome) { showRead(outcome); });
}

void TrendPanel::showRead(const Read& outcome) {
    const QSignalBlocker quiet(model);
    model->clear();
    for (const std::string& each : outcome.models) {
        model->addItem(toQString(each));
    }
    model->setCurrentText(toQString(outcome.model));
    model->setEnabled(!outcome.models.empty());
    trend = outcome.trend;
    hint->setText(outcome.problem.isEmpty()
                      ? QStringLiteral("Open a store of measurements to see when a model became "
                                       "slower, on which devices, and which operators caused it.")
                      : outcome.problem);
    showCharts();
    pages->setCurrentIndex(trend ? 1 : 0);
    if (!outcome.problem.isEmpty()) {
        emit noticed(outcome.problem);
    } else if (trend) {
        emit noticed({});
        emit entryWanted();
    }
}

void TrendPanel::showCharts() {
    for (visualizers::TrendPlot* const plot : std::exchange(plots, {})) {
        plot->deleteLater();
    }
    const std::size_t groups = trend ? trend->groups.size() : 0;
    for (std::size_t group = 0; group < std::min(groups, maxCharts); ++group) {
        auto* const plot = new visualizers::TrendPlot(chartList);
        plot->setGroup(trend, group);
        connect(plot, &visualizers::TrendPlot::pointWanted, this,
                [this, group](std::size_t point) { compare(group, point); });
        chartList->layout()->addWidget(plot);
        plots.push_back(plot);
    }
    visualizers::TrendTable rows = trend ? visualizers::trendRows(*trend) : visualizers::TrendTable{};
    about = std::move(rows.about);
    table->setRows(std::move(rows.rows));
    table->view().expandAll();
    table->fitColumns();
    QString text;
    if (trend) {
        text = visualizers::counted(groups, QStringLiteral("1 history"), QStringLiteral("%1 histories"));
        text += trend->changes.empty()
                    ? QStringLiteral(" · no significant change")
                    : QStringLiteral(" · ") + visualizers::counted(trend->changes.size(),
                                                                   QStringLiteral("1 change"),
                                                                   QStringLiteral("%1 changes"));
        text += trend->slower() ? QStringLiteral(" · slower now") : QString();
        text += groups > maxCharts ? QStringLiteral(" · the first %1 are drawn").arg(maxCharts) : QString();
        text += QStringLiteral(" · click a point to open its trace and the previous one");
    }
    head->setText(text);
    head->setVisible(!text.isEmpty());
}

/// Shows the subject of a row in its chart, at the commit where it changed.
void TrendPanel::showChange(std::size_t row) {
    const visualizers::TrendRow& shown = about.at(row);
    const inspector::TrendChange& change = trend->changes[shown.change];
    for (visualizers::TrendPlot* const plot : plots) {
        const bool isIt = plot->group() == change.group;
        plot->setOperator(isIt ? shown.operation : std::nullopt);
        if (isIt) {
            plot->choose(change.at);
            scroll->ensureWidgetVisible(plot);
        }
    }
}

/// A file imported on this machine is at its original path; one imported elsewhere may be next to its store.
std::optional<fs::path> TrendPanel::traceAt(const std::string& origin) const {
    const fs::path path(origin);
    const fs::path folder = inspector::store::isServer(store) ? fs::path() : store.parent_path();
    for (const fs::path& each : {path, folder / path, folder / path.filename()}) {
        std::error_code unknown;
        if (each.is_absolute() && fs::is_regular_file(each, unknown)) {
            return each;
        }
    }
    return std::nullopt;
}

void TrendPanel::compare(std::size_t group, std::size_t point) {
    const std::vector<inspector::TrendPoint>& points = trend->groups[group].points;
    if (point == 0) {
        emit noticed(QStringLiteral("This is the first point: there is no earlier one to compare it with."));
        return;
    }
    std::vector<fs::path> found;
    for (const std::size_t at : {point - 1, point}) {
        if (points[at].traces.empty()) {
            emit noticed(QStringLiteral("%1 was not measured with a trace: there is no file to open.")
                             .arg(toQString(pointLabel(points[at]))));
            return;
        }
        const auto trace = traceAt(points[at].traces.front());
        if (!trace) {
            emit noticed(QStringLiteral("%1: this trace was not found on this machine.")
                             .arg(toQString(points[at].traces.front())));
            return;
        }
        found.push_back(*trace);
    }
    emit noticed({});
    comparing = true;
    openAlone(found);
}

}  // namespace et::studio
