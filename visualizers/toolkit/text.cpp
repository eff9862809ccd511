#include "visualizers/toolkit/text.h"

#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <QStringList>

#include <ranges>
#include <string>

namespace et::visualizers {

QString toQString(std::string_view text) {
    return QString::fromStdString(core::printable(text));
}

QString toQStringLines(std::string_view text) {
    QStringList lines;
    for (const auto line : std::views::split(text, '\n')) {
        std::string expanded;
        for (const char letter : line) {
            expanded += letter == '\t' ? "    " : std::string(1, letter);
        }
        lines.append(toQString(expanded));
    }
    return lines.join(QLatin1Char('\n'));
}

QString timeText(double time, inspector::TimeScale scale) {
    return QString::fromStdString(inspector::format::readableTime(time, scale));
}

QString capitalized(QString text) {
    // Identifiers such as "p50" are not capitalized.
    if (text.size() > 1 && text.at(1).isLower()) {
        text[0] = text.at(0).toUpper();
    }
    return text;
}

QString counted(std::size_t number, const QString& one, const QString& many) {
    return number == 1 ? one : many.arg(number);
}

}  // namespace et::visualizers
