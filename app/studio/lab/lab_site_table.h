#pragma once

#include "runtime/core/strong_id.h"
#include "visualizers/lab/lab_study.h"

#include <QTreeView>

#include <cstddef>
#include <memory>
#include <vector>

class QSortFilterProxyModel;

namespace et::visualizers {
class Selection;
class SiteModel;
}  // namespace et::visualizers

namespace et::studio {

class LabExperiment;

/// The sites of a study with the scheme chosen for each, linked with the selection of the window.
class LabSiteTable : public QTreeView {
    Q_OBJECT

  public:
    /// `of` and `shared` must outlive this object.
    LabSiteTable(const LabExperiment& of, visualizers::Selection& shared, QWidget* parent);

    /// Call after a new study: shows its sites, sorted by error.
    void showStudy();
    /// Selects the site of the window's selection.
    void followSelection();

    [[nodiscard]] visualizers::SiteModel& sites() { return *source; }
    [[nodiscard]] const visualizers::LabChoice& choice() const;

  private:
    /// Like other tables: all rows if none is selected.
    [[nodiscard]] std::vector<std::size_t> selectedSites() const;
    void chooseNextScheme();
    void editScheme();
    void selectSite();

    const LabExperiment& experiment;
    visualizers::Selection& selection;
    visualizers::SiteModel* source;
    QSortFilterProxyModel* sorted;
    bool following = false;  ///< the selection and this table are being synchronized
};

}  // namespace et::studio
