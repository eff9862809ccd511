// Construction of the lab: its tools and pages, and their connections with each other and the selection.
#include "app/studio/card_page.h"
#include "app/studio/extract_command.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/lab/lab_panel.h"
#include "app/studio/lab/lab_sites.h"
#include "app/studio/panel_command.h"
#include "inspector/format/table.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/scheme_delegate.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/report_table.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/table_view.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QProgressBar>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

namespace et::studio {

namespace {

constexpr int labProgressWidth = 160;
constexpr int mostSeconds = 86400;
constexpr int usualSeconds = 60;
constexpr int widestSiteColumn = 220;

}  // namespace

void LabPanel::createTools() {
    costBox->setObjectName(QStringLiteral("labCost"));
    costBox->addItem(QStringLiteral("Error over bytes"));
    costBox->addItem(QStringLiteral("Error over time"));
    costBox->setToolTip(QStringLiteral("Horizontal axis of the plot"));
    seconds->setObjectName(QStringLiteral("labSeconds"));
    seconds->setRange(1, mostSeconds);
    seconds->setValue(usualSeconds);
    seconds->setSuffix(QStringLiteral(" s"));
    seconds->setToolTip(QStringLiteral("Duration of a search for better programs"));
    seconds->setAccessibleName(QStringLiteral("Search time in seconds"));
    costBox->setAccessibleName(QStringLiteral("Cost"));
    createCommands();
    tools->addActions({studyAction, searchAction});
    tools->addWidget(seconds);
    tools->addAction(cancelAction);
    tools->addSeparator();
    tools->addWidget(costBox);
    progress->setMaximumWidth(labProgressWidth);
    progressPlace = tools->addWidget(progress);
    connect(costBox, &QComboBox::currentIndexChanged, this, &LabPanel::showPlot);
}

void LabPanel::createCommands() {
    studyAction =
        addCommand(*this, QStringLiteral("Measure &Sensitivity"), QKeySequence(Qt::Key_F9), &LabPanel::study);
    studyAction->setToolTip(
        QStringLiteral("Quantize each site alone, and compare the outputs with the float model"));
    searchAction = addCommand(*this, QStringLiteral("Search &Programs"), QKeySequence(Qt::SHIFT | Qt::Key_F9),
                              &LabPanel::search);
    searchAction->setToolTip(
        QStringLiteral("Search for the sites to keep in float that give the least error"));
    cancelAction = addCommand(*this, QStringLiteral("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period),
                              &LabPanel::cancel);
    openAction = addCommand(*this, QStringLiteral("&Open This Program"),
                            QKeySequence(Qt::CTRL | Qt::Key_Return), &LabPanel::openProgram);
    openAction->setToolTip(QStringLiteral(
        "Open the program with the selected schemes and its ETRecord, in place of the current one"));
    compareAction =
        addCommand(*this, QStringLiteral("Co&mpare with the Open Program"), {}, &LabPanel::compareProgram);
    QAction* const save =
        addCommand(*this, QStringLiteral("Sa&ve This Program…"), {}, &LabPanel::saveProgram);
    save->setToolTip(QStringLiteral(
        "Write the program with the selected schemes, its ETRecord, and a Python script that builds it"));
    choiceActions = {
        openAction,
        save,
        addCommand(*this, QStringLiteral("All in &int8"), {}, &LabPanel::quantizeAll),
        addCommand(*this, QStringLiteral("All in &Float"), {}, &LabPanel::keepAll),
        addCommand(*this, QStringLiteral("Copy Comman&d of This Program"), {}, &LabPanel::copyCommand),
        addCommand(*this, QStringLiteral("Save the P&lot as SVG or PNG…"), QKeySequence(Qt::CTRL | Qt::Key_E),
                   &LabPanel::askForPlot),
        addCommand(*this, QStringLiteral("Copy the Plot"), {}, &LabPanel::copyPlot),
        addCommand(*this, QStringLiteral("Choose Other Inp&uts"), {}, &LabPanel::editInputs)};
}

QWidget* LabPanel::createStart() {
    start = new CardPage(this);
    start->addCard(QStringLiteral("Sensitivity"), QStringLiteral("Measure Sensitivity (F9)"));
    start->addCard(QStringLiteral("Inputs for calibration"), QStringLiteral("Choose…"));
    start->addCard(QStringLiteral("Inputs for comparing outputs"), QStringLiteral("Choose…"));
    start->addCard(QStringLiteral("Float model"), QStringLiteral("Open…"));
    connect(start, &CardPage::acted, this, &LabPanel::act);
    knownSites = new LabKnownSites(start);
    start->setBelow(knownSites);
    connect(knownSites, &LabKnownSites::summarized, this, [this](const QString& line) {
        knownLine = line;
        showStart();
    });
    connect(knownSites, &LabKnownSites::siteChosen, this,
            [this](const QString& method, std::span<const core::DebugHandle> own) {
                selection.setHandles(method.toStdString(), {own.begin(), own.end()});
            });
    return start;
}

QWidget* LabPanel::createSites() {
    sorted->setSourceModel(model);
    sorted->setSortRole(visualizers::SiteModel::SortRole);
    table->setObjectName(QStringLiteral("labSites"));
    table->setAccessibleName(QStringLiteral("Sites"));
    table->setRootIsDecorated(false);
    table->setModel(sorted);
    visualizers::dressTable(*table);
    table->setItemDelegateForColumn(visualizers::SiteModel::Scheme, new visualizers::SchemeDelegate(table));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    visualizers::keyedAction(*table, QStringLiteral("&Next Scheme of Selected Sites"),
                             QKeySequence(Qt::Key_Space), [this] { goOnSelected(); });
    visualizers::keyedAction(*table, QStringLiteral("Choose &Scheme…"), QKeySequence(Qt::Key_F2),
                             [this] { editScheme(); });
    connect(table, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == visualizers::SiteModel::Scheme &&
            QApplication::keyboardModifiers() == Qt::NoModifier) {
            editScheme();
        }
    });
    visualizers::addCopyActions(*table, [this](inspector::format::Format format) {
        return QString::fromStdString(inspector::format::render(model->table(selectedRows()), format));
    });
    offerOnRightClick(*table, table->actions());
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LabPanel::selectSite);
    connect(model, &visualizers::SiteModel::choiceEdited, this, &LabPanel::takeEdit);
    connect(model, &QAbstractItemModel::modelReset, this,
            [this] { visualizers::fitColumns(*table, 0, widestSiteColumn); });
    return table;
}

QWidget* LabPanel::createResult() {
    auto* const above = new QWidget(this);
    auto* const layout = new QVBoxLayout(above);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(figuresLabel);
    layout->addWidget(pareto, 1);
    programTable->view().setAccessibleName(QStringLiteral("Programs"));
    programTable->setHint(QStringLiteral("No programs yet."));
    down = new visualizers::Splitter(Qt::Vertical, this);
    down->addWidget(above);
    down->addWidget(programTable);
    down->setStretchFactor(0, 3);
    down->setStretchFactor(1, 1);
    down->setChildrenCollapsible(false);
    across = new visualizers::Splitter(Qt::Horizontal, this);
    across->addWidget(createSites());
    across->addWidget(down);
    across->setStretchFactor(0, 2);
    across->setStretchFactor(1, 3);
    across->setChildrenCollapsible(false);
    QList<QAction*> offered{openAction, compareAction};
    offered += QList<QAction*>(choiceActions.begin() + 1, choiceActions.end());
    offerOnRightClick(*pareto, offered);
    programTable->view().addActions(offered);
    addActions(pareto->actions());
    connect(pareto, &visualizers::ParetoWidget::candidateChosen, this, &LabPanel::chooseCandidate);
    connect(pareto, &visualizers::ParetoWidget::candidateOpened, this, [this](std::size_t candidate) {
        chooseCandidate(candidate);
        openProgram();
    });
    connect(programTable, &visualizers::ReportTable::rowChosen, this, &LabPanel::chooseCandidate);
    return across;
}

void LabPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    constexpr int linesOfAll = 28;  // below this height, the figures are reduced to one line to make space
                                    // for the plot
    figuresLabel->setCompact(height() < linesOfAll * fontMetrics().height());
}

void LabPanel::connectJobs() {
    connect(&jobs, &LabJobs::studied, this, &LabPanel::takeStudy);
    connect(&jobs, &LabJobs::found, this, &LabPanel::takeCandidates);
    connect(&jobs, &LabJobs::written, this, &LabPanel::takeWritten);
    connect(&jobs, &LabJobs::measuredOne, this,
            [this](const visualizers::LabChoice& choice, const visualizers::LabFigures& figures) {
                if (choice.size() == current->sites.size()) {
                    takeCandidates({{.choice = choice, .figures = figures}});
                }
            });
    connect(&jobs, &LabJobs::notMeasured, this,
            [this](const visualizers::LabChoice& choice, const QString& problem) {
                unmeasurable.emplace_back(choice, problem);
            });
    connect(&jobs, &LabJobs::failed, this, [this](const QString& problem) {
        wanted = AfterBuild::None;
        failure = problem;
        if (!problem.isEmpty()) {
            emit noticed(problem);
        }
    });
    connect(&jobs, &LabJobs::progressed, this, [this](const RunProgress& now) {
        progress->setRange(0, static_cast<int>(now.total));
        progress->setValue(static_cast<int>(now.done));
        progress->setFormat(now.total > 0 ? QStringLiteral("%1 %v / %m").arg(now.phase) : now.phase);
    });
    connect(&jobs, &LabJobs::stateChanged, this, [this] {
        showState();
        measureNext();
    });
}

std::vector<std::size_t> LabPanel::selectedRows() const {
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : table->selectionModel()->selectedRows()) {
        rows.push_back(static_cast<std::size_t>(sorted->mapToSource(index).row()));
    }
    const int shown = rows.empty() ? sorted->rowCount() : 0;  // like other tables: all rows if none is
                                                              // selected
    for (int row = 0; row < shown; ++row) {
        rows.push_back(static_cast<std::size_t>(sorted->mapToSource(sorted->index(row, 0)).row()));
    }
    return rows;
}

void LabPanel::goOnSelected() {
    if (current && table->selectionModel()->hasSelection()) {
        model->goOn(selectedRows());
    }
}

void LabPanel::editScheme() {
    const QModelIndex scheme = table->currentIndex().siblingAtColumn(visualizers::SiteModel::Scheme);
    if (scheme.flags().testFlag(Qt::ItemIsEditable)) {
        table->edit(scheme);
    }
}

/// Selects a site in all views, by the debug handles of its nodes.
void LabPanel::selectSite() {
    const QModelIndex index = sorted->mapToSource(table->currentIndex());
    if (following || !current || !index.isValid()) {
        return;
    }
    const auto& own = handles[static_cast<std::size_t>(index.row())];
    if (!own.empty()) {
        following = true;
        selection.setHandles(current->method.toStdString(), own);
        following = false;
    }
}

void LabPanel::followSelection() {
    if (following || !current || !hasContent()) {
        return;
    }
    const auto wantedHandles = selection.currentHandles();
    const auto site = siteOf(wantedHandles, handles);
    if (site) {
        following = true;
        const QModelIndex index = sorted->mapFromSource(model->index(static_cast<int>(*site), 0));
        table->setCurrentIndex(index);
        table->scrollTo(index);
        following = false;
    }
}

}  // namespace et::studio
