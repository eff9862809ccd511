#pragma once

#include "runtime/core/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace et::visualizers {

/// What was measured at one size of a dimension.
struct SizePoint {
    qint64 size = 0;
    double nanoseconds = 0;       ///< of one execution, median
    std::optional<double> bytes;  ///< beside what is planned for all sizes; nothing: not looked at
};

/// Time and memory over one dimension, the others as exported.
struct SizeCurve {
    QString dimension;
    std::vector<SizePoint> points;  ///< by size, at least one
    double base = 0;                ///< nanoseconds = base + slope * size, up to linearUntil
    double slope = 0;
    std::optional<qint64> linearUntil{};  ///< the largest size up to which the line is right
    QStringList notes{};                  ///< who makes that the line ends, and steps
};

/// One size that was tried.
struct TriedSize {
    QString verdict;  ///< "pass", "allowed", "unchecked", "fail"
    QString place;    ///< "maximum", "beyond"
    QString what;     ///< "s0 = 128"
    QString reason;
    QString culprit;  ///< the operator that is wrong; empty: not known
};

/// What `et-inspect shapes --format json` says (docs/json.md).
struct ShapeStudy {
    QString method;
    QStringList bounds{};  ///< a line for each dynamic size
    std::vector<TriedSize> tried{};
    std::vector<SizeCurve> curves{};
    int failed = 0;  ///< of `tried`
};

/// Errors: Format (another text, another schema, a curve whose lists are not of one length).
[[nodiscard]] core::Result<ShapeStudy> readShapeStudy(const QByteArray& json);

}  // namespace et::visualizers
