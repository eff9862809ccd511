#include "app/studio/lab/lab_site_table.h"

#include "app/studio/extract_command.h"
#include "app/studio/lab/lab_experiment.h"
#include "app/studio/lab/lab_sites.h"
#include "inspector/format/table.h"
#include "visualizers/lab/scheme_delegate.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/copy_actions.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/table_view.h"

#include <QApplication>
#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace et::studio {

using visualizers::SiteModel;

namespace {

constexpr int widestSiteColumn = 220;

}  // namespace

LabSiteTable::LabSiteTable(const LabExperiment& of, visualizers::Selection& shared, QWidget* parent)
    : QTreeView(parent),
      experiment(of),
      selection(shared),
      source(new SiteModel(this)),
      sorted(new QSortFilterProxyModel(this)) {
    sorted->setSourceModel(source);
    sorted->setSortRole(SiteModel::SortRole);
    setObjectName(QStringLiteral("labSites"));
    setAccessibleName(QStringLiteral("Sites"));
    setRootIsDecorated(false);
    setModel(sorted);
    visualizers::dressTable(*this);
    setItemDelegateForColumn(SiteModel::Scheme, new visualizers::SchemeDelegate(this));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    visualizers::keyedAction(*this, QStringLiteral("&Next Scheme of Selected Sites"),
                             QKeySequence(Qt::Key_Space), [this] { chooseNextScheme(); });
    visualizers::keyedAction(*this, QStringLiteral("Choose &Scheme…"), QKeySequence(Qt::Key_F2),
                             [this] { editScheme(); });
    connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == SiteModel::Scheme && QApplication::keyboardModifiers() == Qt::NoModifier) {
            editScheme();
        }
    });
    visualizers::addCopyActions(*this, [this](inspector::format::Format format) {
        return QString::fromStdString(inspector::format::render(source->table(selectedSites()), format));
    });
    offerOnRightClick(*this, actions());
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LabSiteTable::selectSite);
    connect(source, &QAbstractItemModel::modelReset, this,
            [this] { visualizers::fitColumns(*this, 0, widestSiteColumn); });
}

void LabSiteTable::showStudy() {
    source->setStudy(experiment.study());
    sortByColumn(SiteModel::Only, Qt::AscendingOrder);
}

const visualizers::LabChoice& LabSiteTable::choice() const {
    return source->choice();
}

std::vector<std::size_t> LabSiteTable::selectedSites() const {
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) {
        rows.push_back(static_cast<std::size_t>(sorted->mapToSource(index).row()));
    }
    const int shown = rows.empty() ? sorted->rowCount() : 0;
    for (int row = 0; row < shown; ++row) {
        rows.push_back(static_cast<std::size_t>(sorted->mapToSource(sorted->index(row, 0)).row()));
    }
    return rows;
}

void LabSiteTable::chooseNextScheme() {
    if (experiment.hasStudy() && selectionModel()->hasSelection()) {
        source->nextScheme(selectedSites());
    }
}

void LabSiteTable::editScheme() {
    const QModelIndex scheme = currentIndex().siblingAtColumn(SiteModel::Scheme);
    if (scheme.flags().testFlag(Qt::ItemIsEditable)) {
        edit(scheme);
    }
}

/// Selects a site in all views, by the debug handles of its nodes.
void LabSiteTable::selectSite() {
    const QModelIndex index = sorted->mapToSource(currentIndex());
    if (following || !experiment.hasStudy() || !index.isValid()) {
        return;
    }
    const auto& own = experiment.handles()[static_cast<std::size_t>(index.row())];
    if (!own.empty()) {
        following = true;
        selection.setHandles(experiment.study()->method.toStdString(), own);
        following = false;
    }
}

void LabSiteTable::followSelection() {
    if (following || !experiment.hasStudy()) {
        return;
    }
    if (const auto site = siteOf(selection.currentHandles(), experiment.handles())) {
        following = true;
        const QModelIndex index = sorted->mapFromSource(source->index(static_cast<int>(*site), 0));
        setCurrentIndex(index);
        scrollTo(index);
        following = false;
    }
}

}  // namespace et::studio
