#include "app/studio/lab/lab_known_sites.h"

#include "app/studio/lab/lab_sites.h"
#include "visualizers/lab/lab_text.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/toolkit/skeleton.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QSortFilterProxyModel>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace et::studio {

using visualizers::LabScheme;
using visualizers::LabSite;
using visualizers::LabStudy;
using visualizers::SiteModel;

namespace {

constexpr int widestKnownColumn = 320;

QString summaryOf(const LabStudy& study) {
    double before = 0;
    double after = 0;
    for (const LabSite& site : study.sites) {
        before += site.canChoose() ? site.weightBytes : 0;
        after += site.canChoose() ? site.bytesOfWeight(LabScheme::Static8) : 0;
    }
    return QStringLiteral(
               "%1 of %2 sites can be int8: their weights would take %3 instead of %4. The error is not "
               "measured yet.")
        .arg(std::ranges::count_if(study.sites, &LabSite::canChoose))
        .arg(study.sites.size())
        .arg(visualizers::labBytes(after), visualizers::labBytes(before));
}

}  // namespace

LabKnownSites::LabKnownSites(QWidget* parent)
    : QWidget(parent),
      reading(this),
      sites(new SiteModel(this)),
      sorted(new QSortFilterProxyModel(this)),
      table(new QTreeView(this)),
      skeleton(new visualizers::Skeleton(visualizers::Skeleton::Shape::Rows, table)) {
    sorted->setSourceModel(sites);
    sorted->setSortRole(SiteModel::SortRole);
    table->setObjectName(QStringLiteral("labKnownSites"));
    table->setAccessibleName(QStringLiteral("Sites of the ETRecord"));
    table->setRootIsDecorated(false);
    table->setModel(sorted);
    visualizers::dressTable(*table);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->sortByColumn(SiteModel::Saved, Qt::DescendingOrder);
    for (const int measured : {SiteModel::Only, SiteModel::AllBut}) {
        table->hideColumn(measured);
    }
    visualizers::fillColumn(*this, {table});
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LabKnownSites::choose);
}

void LabKnownSites::setSession(std::shared_ptr<const inspector::Session> session) {
    if (session == shown) {
        return;
    }
    const bool same = session && shown && session->record == shown->record;
    shown = std::move(session);
    if (same) {
        return;
    }
    reading.forget();
    skeleton->setWaiting(false);
    known = {};
    sites->setStudy(nullptr);
    pending = shown != nullptr;
    if (isVisible()) {
        readNow();
    }
}

/// Nothing is read until the widget is visible.
void LabKnownSites::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    readNow();
}

void LabKnownSites::readNow() {
    if (std::exchange(pending, false)) {
        skeleton->setWaiting(true);
        reading.start([session = shown] { return read(*session); }, [this](const Known& now) { take(now); });
    }
}

LabKnownSites::Known LabKnownSites::read(const inspector::Session& session) {
    auto study = knownSites(*session.record);
    if (!study) {
        return {.study = nullptr, .handles = {}, .problem = visualizers::toQString(study.error().toString())};
    }
    Known now{.study = std::make_shared<const LabStudy>(*std::move(study)), .handles = {}, .problem = {}};
    now.handles = labHandles(*session.record, *now.study);
    return now;
}

void LabKnownSites::take(const Known& now) {
    skeleton->setWaiting(false);
    known = now;
    sites->setStudy(known.study);
    visualizers::fitColumns(*table, 0, widestKnownColumn);
    emit summarized(known.study ? summaryOf(*known.study) : known.problem);
}

void LabKnownSites::choose() {
    const QModelIndex index = sorted->mapToSource(table->currentIndex());
    const auto row = static_cast<std::size_t>(index.row());
    if (index.isValid() && row < known.handles.size() && !known.handles[row].empty()) {
        emit siteChosen(known.study->method, known.handles[row]);
    }
}

}  // namespace et::studio
