#pragma once

#include "app/studio/lab/lab_jobs.h"
#include "app/studio/panel.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace et::studio {

class LabExperiment;
class LabSiteTable;

/// Builds the program of the chosen sites, and opens, compares or saves it. Programs that were built for a
/// measurement are used again.
class LabProgramBuilder : public QObject {
    Q_OBJECT

  public:
    /// `processes`, `of` and `chosen` must outlive this object.
    LabProgramBuilder(LabJobs& processes, const LabExperiment& of, const LabSiteTable& chosen,
                      const PanelContext& context, QWidget* parent);

    /// Replaces the session.
    void open() { use(AfterBuild::Open); }
    /// Compares with the open program or, if none is open, with the program of all sites in float.
    void compare() { use(AfterBuild::Compare); }
    [[nodiscard]] bool canCompare() const;
    /// Shows a dialog for the file; the record and the recipe are written next to it.
    void promptAndSave();
    void copyCommand() const;

  signals:
    void started();
    void saved(const std::filesystem::path& program);

  private:
    /// Action when the program has been built.
    enum class AfterBuild : std::uint8_t { None, Open, Compare };
    void use(AfterBuild wish);
    void use(const LabProgram& program, AfterBuild wish);
    void compareWith(const LabProgram& program);
    void write(const std::filesystem::path& file);
    void take(const LabProgram& program);
    /// The program with all sites in float, or nothing if it was not built.
    [[nodiscard]] std::optional<LabProgram> floatProgram() const;

    LabJobs& jobs;
    const LabExperiment& experiment;
    const LabSiteTable& sites;
    const visualizers::OpenSession& opened;
    QSettings& store;
    QWidget* window;
    std::function<void(const std::vector<std::filesystem::path>&)> openAlone;
    std::function<void(const std::vector<std::filesystem::path>&)> addTraces;
    AfterBuild wanted = AfterBuild::None;
};

}  // namespace et::studio
