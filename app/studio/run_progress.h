#pragma once

#include "visualizers/run/gauge_history.h"

#include <QByteArrayView>
#include <QString>

#include <optional>

namespace et::studio {

/// A line of `--progress json` (docs/reference/json.md).
struct RunProgress {
    QString phase;
    qint64 done = 0;
    qint64 total = 0;
    double seconds = 0;
    /// Times of executions since the previous line, and the state of the device; nothing if not reported.
    std::optional<visualizers::GaugeSample> gauge{};
};

/// Returns nothing if `line` is not a progress line.
[[nodiscard]] std::optional<RunProgress> readProgress(QByteArrayView line);

}  // namespace et::studio
