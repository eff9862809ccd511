#pragma once

#include "inspector/session/session.h"

#include <QString>
#include <QStringList>

#include <filesystem>

namespace et::studio {

/// What the lab works on.
struct LabRequest {
    std::filesystem::path record;         ///< of a float model
    std::filesystem::path calibration{};  ///< inputs to choose ranges from
    std::filesystem::path evaluation{};   ///< inputs to compare outputs on; empty: those of `calibration`

    bool operator==(const LabRequest&) const = default;
};

/// Why the lab has nothing to work on, in one sentence; empty: the session has the ETRecord of a float model.
[[nodiscard]] QString missingForLab(const inspector::Session* session);

/// Command lines of et-inspect, the verb first. `schemes`: as visualizers::schemeEntries() has them.
[[nodiscard]] QStringList sensitivityArguments(const LabRequest& request);
[[nodiscard]] QStringList searchArguments(const LabRequest& request, int seconds);
/// Makes a program and its record, and measures its outputs; with `recipe` it prints Python that does the
/// same.
[[nodiscard]] QStringList programArguments(const LabRequest& request, const QStringList& schemes,
                                           const std::filesystem::path& program,
                                           const std::filesystem::path& record, bool recipe = false);
[[nodiscard]] QStringList timeArguments(const std::filesystem::path& program);

}  // namespace et::studio
