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

/// A program with its ETRecord.
struct LabProgram {
    std::filesystem::path program;
    std::filesystem::path record;
};

/// The processes of a lab. What a person asks for (a study, a search, a program to keep) runs in one; behind
/// it another one measures programs, one at a time, while the first has nothing to do. Nothing blocks.
class LabJobs : public QObject {
    Q_OBJECT

  public:
    enum class Kind : std::uint8_t { None, Study, Search, Write };

    /// `settings` says where et-inspect is, and must outlive this object.
    explicit LabJobs(const QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] Kind running() const { return kind; }
    [[nodiscard]] bool measuring() const { return measuredChoice.has_value(); }
    /// What is measured now; nothing: nothing is.
    [[nodiscard]] const std::optional<visualizers::LabChoice>& measured() const { return measuredChoice; }

    /// Each only while nothing runs in front; what is being measured is given up.
    void study(const LabRequest& request);
    void search(const LabRequest& request, int seconds, std::shared_ptr<const visualizers::LabStudy> of);
    /// Makes a program of sites with these schemes (visualizers::schemeEntries()), its record beside it and,
    /// in a .py file, the recipe.
    void write(const LabRequest& request, const QStringList& schemes, const std::filesystem::path& program);
    /// Error and bytes first, then the time. Not while something runs or is measured.
    void measure(const LabRequest& request, const QStringList& schemes, const visualizers::LabChoice& choice);
    /// Asks what runs in front to end.
    void cancel() { front.cancel(); }
    void giveUpMeasuring();
    /// The program of a choice that was measured; nothing: there is none.
    [[nodiscard]] std::optional<LabProgram> programOf(const visualizers::LabChoice& choice) const;

    /// Where a program may go that nobody keeps.
    [[nodiscard]] std::filesystem::path temporaryProgram() const;
    /// "model.pte": its record and its recipe are model.etrecord and model.py.
    [[nodiscard]] static std::filesystem::path recordBeside(const std::filesystem::path& program);
    [[nodiscard]] static std::filesystem::path recipeBeside(const std::filesystem::path& program);

  signals:
    void studied(const std::shared_ptr<const et::visualizers::LabStudy>& study);
    void found(const std::vector<et::visualizers::LabCandidate>& candidates);
    void measuredOne(const et::visualizers::LabChoice& choice, const et::visualizers::LabFigures& figures);
    void notMeasured(const et::visualizers::LabChoice& choice, const QString& problem);
    void written(const et::studio::LabProgram& program);
    /// Empty: a person cancelled it.
    void failed(const QString& problem);
    void progressed(const et::studio::RunProgress& progress);
    /// Something began or ended.
    void stateChanged();

  private:
    void start(Kind next, const QStringList& arguments, RunProcess::Telling telling);
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
    std::shared_ptr<const visualizers::LabStudy> searched;  ///< whose sites the search speaks of
    std::filesystem::path writing;
    std::optional<visualizers::LabChoice> measuredChoice;
    bool timing = false;                         ///< error and bytes of it are known
    std::vector<visualizers::LabChoice> made{};  ///< by the number of their files
};

}  // namespace et::studio
