#pragma once

#include "app/studio/background.h"
#include "app/studio/card_page.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"
#include "visualizers/toolkit/report_table_model.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {
class ReportTable;
}

namespace et::studio {

/// Suggestions for a comparison, shown while nothing is compared: files next to the open ones, baselines,
/// another run.
class CompareOffers : public CardPage {
    Q_OBJECT

  public:
    explicit CompareOffers(QWidget* parent = nullptr);

    /// Offers candidates for the session; null: nothing is open. `baselines`: path of the baseline store;
    /// empty: the default store.
    void setSession(const std::shared_ptr<const inspector::Session>& session,
                    const std::filesystem::path& baselines);

  signals:
    void openWanted();
    void baselineWanted();
    void runWanted();
    void filesChosen(const std::vector<std::filesystem::path>& files);
    void baselineChosen(const QString& name);

  private:
    /// Candidates found on this machine.
    struct Found {
        std::vector<std::filesystem::path> files;  ///< traces and programs, most recently written first
        std::vector<std::string> baselines;
        visualizers::ReportRows operators;  ///< of the open trace, longest time first
    };
    [[nodiscard]] static Found look(const std::vector<std::filesystem::path>& open,
                                    const std::filesystem::path& baselines,
                                    const inspector::EventBlocks* blocks);
    void show(const Found& now);
    void follow(const QString& link);

    Background<Found> looking;
    Found found;
    std::vector<std::filesystem::path> openFiles;
    visualizers::ReportTable* operators;  ///< compared once a side B is chosen
    std::size_t filesCard;
    std::size_t baselinesCard;
    std::size_t runCard;
};

}  // namespace et::studio
