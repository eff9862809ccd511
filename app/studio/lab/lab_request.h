#pragma once

#include "app/tasks/lab/optimize_budget.h"
#include "inspector/session/session.h"

#include <QString>
#include <QStringList>

#include <filesystem>

namespace et::studio {

/// Input files of the lab.
struct LabRequest {
    std::filesystem::path record;         ///< record of a float model
    std::filesystem::path calibration{};  ///< inputs for choosing ranges
    std::filesystem::path evaluation{};   ///< inputs for comparing outputs; empty: those of `calibration`

    bool operator==(const LabRequest&) const = default;
};

/// One sentence about why the lab cannot be used; empty if the session has the ETRecord of a float model.
[[nodiscard]] QString missingForLab(const inspector::Session* session);

/// Arguments of et-inspect, starting with the command. `schemes`: from visualizers::schemeEntries().
[[nodiscard]] QStringList sensitivityArguments(const LabRequest& request);
[[nodiscard]] QStringList searchArguments(const LabRequest& request, int seconds,
                                          const tasks::OptimizeBudget& budget);
/// Writes a program and its record, and measures its outputs; with `recipe`, prints the equivalent Python
/// code.
[[nodiscard]] QStringList programArguments(const LabRequest& request, const QStringList& schemes,
                                           const std::filesystem::path& program,
                                           const std::filesystem::path& record, bool recipe = false);
[[nodiscard]] QStringList timeArguments(const std::filesystem::path& program);

}  // namespace et::studio
