#pragma once

#include "app/studio/lab/lab_request.h"
#include "app/studio/run_process.h"
#include "visualizers/lab/lab_study.h"

#include <QObject>
#include <QTemporaryDir>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace et::studio {

/// A program and its ETRecord.
struct LabProgram {
    std::filesystem::path program;
    std::filesystem::path record;
};

/// Processes of the lab. User requests (a study, a search, writing a program) run in the foreground process;
/// a background process measures programs, one at a time, while the foreground process is idle. Non-blocking.
class LabJobs : public QObject {
    Q_OBJECT

  public:
    enum class Kind : std::uint8_t { None, Study, Search, Write };

    /// `settings` contains the path of et-inspect, and must outlive this object.
    explicit LabJobs(const QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] Kind running() const { return kind; }
    [[nodiscard]] bool measuring() const { return measuredChoice.has_value(); }
    /// The choice that is being measured, or nothing.
    [[nodiscard]] const std::optional<visualizers::LabChoice>& measured() const { return measuredChoice; }

    /// These must only be called while no foreground process runs; they abort a running measurement.
    void study(const LabRequest& request);
    void search(const LabRequest& request, int seconds, const tasks::OptimizeBudget& budget,
                std::shared_ptr<const visualizers::LabStudy> of);
    /// Writes a program with these schemes for its sites (visualizers::schemeEntries()), with its record and,
    /// as a .py file, the recipe.
    void write(const LabRequest& request, const QStringList& schemes, const std::filesystem::path& program);
    /// Measures error and bytes first, then the time. Must not be called while a process runs.
    void measure(const LabRequest& request, const QStringList& schemes, const visualizers::LabChoice& choice);
    /// Asks the foreground process to end.
    void cancel() { front.cancel(); }
    void cancelMeasurements();
    /// Returns the program of a measured choice, or nothing.
    [[nodiscard]] std::optional<LabProgram> programOf(const visualizers::LabChoice& choice) const;

    /// Path for a temporary program.
    [[nodiscard]] std::filesystem::path temporaryProgram() const;
    /// For "model.pte", the record is model.etrecord and the recipe model.py.
    [[nodiscard]] static std::filesystem::path adjacentRecord(const std::filesystem::path& program);
    [[nodiscard]] static std::filesystem::path adjacentRecipe(const std::filesystem::path& program);

  signals:
    void studied(const std::shared_ptr<const et::visualizers::LabStudy>& study);
    /// During a search and at its end.
    void found(const std::vector<et::visualizers::LabCandidate>& candidates);
    void searched();
    void measuredOne(const et::visualizers::LabChoice& choice, const et::visualizers::LabFigures& figures);
    void notMeasured(const et::visualizers::LabChoice& choice, const QString& problem);
    void written(const et::studio::LabProgram& program);
    /// Empty if cancelled by the user.
    void failed(const QString& problem);
    void progressed(const et::studio::RunProgress& progress);
    /// A process started or ended.
    void stateChanged();

  private:
    void start(Kind next, const QStringList& arguments, RunProcess::ProgressOutput telling);
    void takeProgress(const RunProgress& now);
    void takeFront(const RunEnd& end);
    void takeStudy(const RunEnd& end);
    void takeSearch(const RunEnd& end);
    void takeProgram(const RunEnd& end);
    void takeMeasured(const RunEnd& end);
    void endMeasuring(const QString& problem);
    [[nodiscard]] std::filesystem::path fileOf(std::size_t number) const;

    const QSettings& store;
    QTemporaryDir folder;
    RunProcess front;
    RunProcess behind;
    Kind kind = Kind::None;
    std::shared_ptr<const visualizers::LabStudy>
        searchedStudy;  ///< the study whose sites the search refers to
    std::filesystem::path writing;
    std::optional<visualizers::LabChoice> measuredChoice;
    bool timing = false;                         ///< error and bytes are already measured
    std::vector<visualizers::LabChoice> made{};  ///< indexed by the number of their files
};

}  // namespace et::studio
