#pragma once

#include "app/studio/background.h"
#include "inspector/session/session.h"
#include "runtime/core/strong_id.h"
#include "visualizers/lab/lab_study.h"

#include <QWidget>

#include <memory>
#include <span>
#include <vector>

class QSortFilterProxyModel;
class QTreeView;

namespace et::visualizers {
class SiteModel;
class Skeleton;
}  // namespace et::visualizers

namespace et::studio {

/// The sites of a float model before any measurement: the record's information about each, and how it would
/// be quantized. Read in the background when first shown.
class LabKnownSites : public QWidget {
    Q_OBJECT

  public:
    explicit LabKnownSites(QWidget* parent = nullptr);

    /// Requires the record of a float model; null shows nothing.
    void setSession(std::shared_ptr<const inspector::Session> session);

    [[nodiscard]] QTreeView& view() { return *table; }
    [[nodiscard]] visualizers::SiteModel& model() { return *sites; }
    [[nodiscard]] bool busy() const { return pending || reading.running(); }

  signals:
    /// A one-sentence summary, or the reason why there are no sites.
    void summarized(const QString& line);
    /// The user selected a site, for other views.
    void siteChosen(const QString& method, std::span<const et::core::DebugHandle> handles);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct Known {
        std::shared_ptr<const visualizers::LabStudy> study;  ///< null: see `problem`
        std::vector<std::vector<core::DebugHandle>> handles;
        QString problem;
    };
    [[nodiscard]] static Known read(const inspector::Session& session);
    void readNow();
    void take(const Known& now);
    void choose();

    Background<Known> reading;
    std::shared_ptr<const inspector::Session> shown;
    bool pending = false;  ///< waits until visible
    Known known{};
    visualizers::SiteModel* sites;
    QSortFilterProxyModel* sorted;
    QTreeView* table;
    visualizers::Skeleton* skeleton;
};

}  // namespace et::studio
