#include "visualizers/verify/number_text.h"

#include <QStringList>

#include <cmath>

namespace et::visualizers {

QString numberText(double number, bool integral) {
    constexpr double exact = 9007199254740992;  // 2^53: beyond it, not every integer is a double
    constexpr int digits = 7;
    if (integral && std::abs(number) <= exact) {
        return QString::number(static_cast<qlonglong>(number));
    }
    return QString::number(number, 'g', digits);
}

QString indexText(std::span<const std::int64_t> index) {
    QStringList parts;
    for (const std::int64_t each : index) {
        parts.append(QString::number(each));
    }
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace et::visualizers
