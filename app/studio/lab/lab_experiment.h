#pragma once

#include "app/studio/lab/lab_request.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/session/session.h"
#include "runtime/core/strong_id.h"
#include "visualizers/lab/lab_prediction.h"
#include "visualizers/lab/lab_study.h"

#include <QDateTime>
#include <QString>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace et::studio {

/// The study of a model, the programs measured after it, and the predictions computed from both. Without a
/// study, only hasStudy(), candidates() and isOf() may be called.
class LabExperiment {
  public:
    LabExperiment() = default;
    /// `from`: inputs of the study; `record`: content of its record.
    LabExperiment(std::shared_ptr<const visualizers::LabStudy> of, LabRequest from,
                  const etrecord::Record& record);

    [[nodiscard]] bool hasStudy() const { return sites != nullptr; }
    /// True if the study was made with this file, which has not been modified since.
    [[nodiscard]] bool isOf(const std::filesystem::path& record) const;
    [[nodiscard]] const std::shared_ptr<const visualizers::LabStudy>& study() const { return sites; }
    [[nodiscard]] const LabRequest& request() const { return inputs; }
    /// Debug handles by site.
    [[nodiscard]] const std::vector<std::vector<core::DebugHandle>>& handles() const { return siteHandles; }
    [[nodiscard]] const std::shared_ptr<const inspector::SiteErrors>& errors() const { return siteErrors; }
    [[nodiscard]] const std::vector<visualizers::LabCandidate>& candidates() const { return known; }

    void add(const std::vector<visualizers::LabCandidate>& candidates);
    /// Shares of the time of a run by site; empty: unknown.
    void setTimes(std::vector<double> times);
    /// Marks a choice that cannot be measured, with the reason.
    void setProblem(const visualizers::LabChoice& choice, const QString& problem);

    /// Returns the measured figures of a choice, which may be incomplete.
    [[nodiscard]] visualizers::LabFigures figuresOf(const visualizers::LabChoice& choice) const;
    [[nodiscard]] visualizers::LabFigures predict(const visualizers::LabChoice& choice) const;
    /// Returns why a choice cannot be measured; empty if it can.
    [[nodiscard]] QString problemOf(const visualizers::LabChoice& choice) const;
    /// Returns `choice` if it has not been measured, else a base choice of all predictions that has not.
    [[nodiscard]] std::optional<visualizers::LabChoice> nextToMeasure(
        const visualizers::LabChoice& choice) const;

  private:
    [[nodiscard]] bool isMeasured(const visualizers::LabChoice& choice) const;

    std::shared_ptr<const visualizers::LabStudy> sites;
    LabRequest inputs{};
    QDateTime recordTime;  ///< modification time of the study's record
    std::vector<std::vector<core::DebugHandle>> siteHandles;
    std::shared_ptr<const inspector::SiteErrors> siteErrors;
    std::vector<double> shares;
    std::vector<visualizers::LabCandidate> known;
    std::optional<visualizers::LabPrediction> prediction;
    std::vector<std::pair<visualizers::LabChoice, QString>> unmeasurable;
};

}  // namespace et::studio
