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

/// What to compare with, while nothing is compared: files beside the open ones, baselines, another run.
class CompareOffers : public CardPage {
    Q_OBJECT

  public:
    explicit CompareOffers(QWidget* parent = nullptr);

    /// Offers what there is for the session; null: nothing is open. `baselines`: the store of baselines,
    /// empty: the usual one.
    void setSession(const std::shared_ptr<const inspector::Session>& session,
                    const std::filesystem::path& baselines);

  signals:
    void openWanted();
    void baselineWanted();
    void runWanted();
    void filesChosen(const std::vector<std::filesystem::path>& files);
    void baselineChosen(const QString& name);

  private:
    /// What is on this machine to compare with.
    struct Found {
        std::vector<std::filesystem::path> files;  ///< traces and programs, those written last first
        std::vector<std::string> baselines;
        visualizers::ReportRows operators;  ///< of the open trace, those that take most first
    };
    [[nodiscard]] static Found look(const std::vector<std::filesystem::path>& open,
                                    const std::filesystem::path& baselines,
                                    const inspector::EventBlocks* blocks);
    void show(const Found& now);
    void follow(const QString& link);

    Background<Found> looking;
    Found found;
    std::vector<std::filesystem::path> openFiles;
    visualizers::ReportTable* operators;  ///< what is compared as soon as there is a B
    std::size_t filesCard;
    std::size_t baselinesCard;
    std::size_t runCard;
};

}  // namespace et::studio
