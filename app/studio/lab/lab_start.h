#pragma once

#include "app/studio/card_page.h"
#include "app/studio/lab/lab_jobs.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/lab/lab_request.h"

#include <QString>

#include <filesystem>

class QSettings;

namespace et::studio {

/// Information that the first page of the lab shows besides its inputs.
struct LabStartState {
    QString missing{};               ///< why the lab cannot be used; empty: it can
    QString failure{};               ///< error of the last process, or empty
    std::filesystem::path bundle{};  ///< bundled program of the session
    LabJobs::Kind running = LabJobs::Kind::None;
};

/// First page of the lab: cards to choose the inputs of a study and to start it, above the sites that are
/// known from the record.
class LabStart : public CardPage {
    Q_OBJECT

  public:
    LabStart(QSettings& settings, QWidget* parent);

    /// The inputs of the next study.
    [[nodiscard]] const LabRequest& request() const { return inputs; }
    void setRequest(const LabRequest& request) { inputs = request; }
    /// Starts with another record, or with none: forgets the inputs and the summary of sites.
    void setRecord(const std::filesystem::path& record);
    /// Calibrates with this file if none has been chosen.
    void offerCalibration(const std::filesystem::path& file);
    void showState(const LabStartState& state);
    [[nodiscard]] LabKnownSites& knownSites() { return *known; }

  signals:
    /// The user has chosen other inputs.
    void requestEdited();
    void studyWanted();
    /// The user wants to open a model.
    void filesWanted();

  private:
    void act(std::size_t card);
    void chooseInputs(std::filesystem::path LabRequest::* into);
    void showAgain();

    QSettings& store;
    LabRequest inputs{};
    LabStartState shown{};
    LabKnownSites* known;
    QString summary;  ///< of the known sites
};

}  // namespace et::studio
