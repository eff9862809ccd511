// Construction of the lab: its tools and pages, and their connections with each other and the selection.
#include "app/studio/card_page.h"
#include "app/studio/extract_command.h"
#include "app/studio/lab/lab_figures.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/lab/lab_room.h"
#include "app/studio/lab/lab_sites.h"
#include "app/studio/room_command.h"
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

void LabRoom::createTools() {
    costBox->setObjectName(QStringLiteral("labCost"));
    costBox->addItem(tr("Error over bytes"));
    costBox->addItem(tr("Error over time"));
    costBox->setToolTip(tr("What the plot shows to the right"));
    seconds->setObjectName(QStringLiteral("labSeconds"));
    seconds->setRange(1, mostSeconds);
    seconds->setValue(usualSeconds);
    seconds->setSuffix(tr(" s"));
    seconds->setToolTip(tr("How long a search looks for better programs"));
    seconds->setAccessibleName(tr("Seconds of a search"));
    costBox->setAccessibleName(tr("Cost"));
    createCommands();
    tools->addActions({studyAction, searchAction});
    tools->addWidget(seconds);
    tools->addAction(cancelAction);
    tools->addSeparator();
    tools->addWidget(costBox);
    progress->setMaximumWidth(labProgressWidth);
    progressPlace = tools->addWidget(progress);
    connect(costBox, &QComboBox::currentIndexChanged, this, &LabRoom::showPlot);
}

void LabRoom::createCommands() {
    studyAction = addCommand(*this, tr("Measure &Sensitivity"), QKeySequence(Qt::Key_F9), &LabRoom::study);
    studyAction->setToolTip(
        tr("Quantize every site alone, and compare the outputs with those of the float model"));
    searchAction =
        addCommand(*this, tr("Search &Programs"), QKeySequence(Qt::SHIFT | Qt::Key_F9), &LabRoom::search);
    searchAction->setToolTip(tr("Look for the sites to keep in float that leave the least error"));
    cancelAction =
        addCommand(*this, tr("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period), &LabRoom::cancel);
    openAction = addCommand(*this, tr("&Open This Program"), QKeySequence(Qt::CTRL | Qt::Key_Return),
                            &LabRoom::openProgram);
    openAction->setToolTip(
        tr("Open the program of the chosen sites, with its ETRecord, in place of this one"));
    compareAction = addCommand(*this, tr("Co&mpare with the Open Program"), {}, &LabRoom::compareProgram);
    QAction* const save = addCommand(*this, tr("Sa&ve This Program…"), {}, &LabRoom::saveProgram);
    save->setToolTip(tr("Write the program of the chosen sites, its ETRecord, and the Python that makes it"));
    choiceActions = {openAction,
                     save,
                     addCommand(*this, tr("All in &int8"), {}, &LabRoom::quantizeAll),
                     addCommand(*this, tr("All in &Float"), {}, &LabRoom::keepAll),
                     addCommand(*this, tr("Copy Comman&d of This Program"), {}, &LabRoom::copyCommand),
                     addCommand(*this, tr("Save the P&lot as SVG or PNG…"),
                                QKeySequence(Qt::CTRL | Qt::Key_E), &LabRoom::askForPlot),
                     addCommand(*this, tr("Copy the Plot"), {}, &LabRoom::copyPlot),
                     addCommand(*this, tr("Choose Other Inp&uts"), {}, &LabRoom::editInputs)};
}

QWidget* LabRoom::createStart() {
    start = new CardPage(this);
    start->addCard(tr("Sensitivity"), tr("Measure Sensitivity (F9)"));
    start->addCard(tr("Inputs to calibrate on"), tr("Choose…"));
    start->addCard(tr("Inputs to compare outputs on"), tr("Choose…"));
    start->addCard(tr("Float model"), tr("Open…"));
    connect(start, &CardPage::acted, this, &LabRoom::act);
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

QWidget* LabRoom::createSites() {
    sorted->setSourceModel(model);
    sorted->setSortRole(visualizers::SiteModel::SortRole);
    table->setObjectName(QStringLiteral("labSites"));
    table->setAccessibleName(tr("Sites"));
    table->setRootIsDecorated(false);
    table->setModel(sorted);
    visualizers::dressTable(*table);
    table->setItemDelegateForColumn(visualizers::SiteModel::Scheme, new visualizers::SchemeDelegate(table));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    visualizers::keyedAction(*table, tr("&Next Scheme of Selected Sites"), QKeySequence(Qt::Key_Space),
                             [this] { goOnSelected(); });
    visualizers::keyedAction(*table, tr("Choose &Scheme…"), QKeySequence(Qt::Key_F2),
                             [this] { editScheme(); });
    connect(table, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == visualizers::SiteModel::Scheme &&
            QApplication::keyboardModifiers() == Qt::NoModifier) {
            editScheme();
        }
    });
    visualizers::addCopyActions(*table, [this](inspector::report::Format format) {
        return QString::fromStdString(inspector::report::render(model->table(selectedRows()), format));
    });
    offerOnRightClick(*table, table->actions());
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LabRoom::selectSite);
    connect(model, &visualizers::SiteModel::choiceEdited, this, &LabRoom::takeEdit);
    connect(model, &QAbstractItemModel::modelReset, this,
            [this] { visualizers::fitColumns(*table, 0, widestSiteColumn); });
    return table;
}

QWidget* LabRoom::createResult() {
    auto* const above = new QWidget(this);
    auto* const layout = new QVBoxLayout(above);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(figuresLabel);
    layout->addWidget(pareto, 1);
    programTable->view().setAccessibleName(tr("Programs"));
    programTable->setHint(tr("No program was made yet."));
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
    connect(pareto, &visualizers::ParetoWidget::candidateChosen, this, &LabRoom::chooseCandidate);
    connect(pareto, &visualizers::ParetoWidget::candidateOpened, this, [this](std::size_t candidate) {
        chooseCandidate(candidate);
        openProgram();
    });
    connect(programTable, &visualizers::ReportTable::rowChosen, this, &LabRoom::chooseCandidate);
    return across;
}

void LabRoom::resizeEvent(QResizeEvent* event) {
    Room::resizeEvent(event);
    constexpr int linesOfAll = 28;  // below this height, the figures are reduced to one line to make space
                                    // for the plot
    figuresLabel->setCompact(height() < linesOfAll * fontMetrics().height());
}

void LabRoom::connectJobs() {
    connect(&jobs, &LabJobs::studied, this, &LabRoom::takeStudy);
    connect(&jobs, &LabJobs::found, this, &LabRoom::takeCandidates);
    connect(&jobs, &LabJobs::written, this, &LabRoom::takeWritten);
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
        wanted = Wish::None;
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

std::vector<std::size_t> LabRoom::selectedRows() const {
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

void LabRoom::goOnSelected() {
    if (current && table->selectionModel()->hasSelection()) {
        model->goOn(selectedRows());
    }
}

void LabRoom::editScheme() {
    const QModelIndex scheme = table->currentIndex().siblingAtColumn(visualizers::SiteModel::Scheme);
    if (scheme.flags().testFlag(Qt::ItemIsEditable)) {
        table->edit(scheme);
    }
}

/// Selects a site in all views, by the debug handles of its nodes.
void LabRoom::selectSite() {
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

void LabRoom::followSelection() {
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
