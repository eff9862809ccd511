#pragma once

#include "runtime/core/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace et::visualizers {

/// Measurement at one size of a dimension.
struct SizePoint {
    qint64 size = 0;
    double nanoseconds = 0;       ///< median of one execution
    std::optional<double> bytes;  ///< in addition to the memory planned for all sizes; nothing: not measured
};

/// Time and memory over the size of one dimension, with the others as exported.
struct SizeCurve {
    QString dimension;
    std::vector<SizePoint> points;  ///< sorted by size, at least one
    double base = 0;                ///< nanoseconds = base + slope * size, up to linearUntil
    double slope = 0;
    std::optional<qint64> linearUntil{};  ///< largest size for which the line is valid
    QStringList notes{};                  ///< causes of the end of the line and of steps
};

/// A tested size.
struct TriedSize {
    QString verdict;  ///< "pass", "allowed", "unchecked", "fail"
    QString place;    ///< "maximum", "beyond"
    QString what;     ///< "s0 = 128"
    QString reason;
    QString culprit;  ///< the wrong operator; empty: unknown
};

/// Content of `et-inspect shapes --format json` (docs/reference/json.md).
struct ShapeStudy {
    QString method;
    QStringList bounds{};  ///< one line per dynamic size
    std::vector<TriedSize> tried{};
    std::vector<SizeCurve> curves{};
    int failed = 0;  ///< of `tried`
};

/// Errors: Format (different text or schema, or a curve whose lists have different lengths).
[[nodiscard]] core::Result<ShapeStudy> readShapeStudy(const QByteArray& json);

}  // namespace et::visualizers
