#pragma once

#include "visualizers/run/gauge_history.h"

#include <QByteArrayView>
#include <QString>

#include <optional>

namespace et::studio {

/// A line of `--progress json` (docs/json.md).
struct RunProgress {
    QString phase;
    qint64 done = 0;
    qint64 total = 0;
    double seconds = 0;
    /// What executions took since the line before, and the device; nothing: the line does not tell.
    std::optional<visualizers::GaugeSample> gauge{};
};

/// Nothing where `line` is none.
[[nodiscard]] std::optional<RunProgress> readProgress(QByteArrayView line);

}  // namespace et::studio
