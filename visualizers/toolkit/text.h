#pragma once

#include "inspector/format/time_scale.h"

#include <QString>

#include <cstddef>
#include <string_view>

namespace et::visualizers {

/// Text of a file for a widget: UTF-8, with control characters and invalid bytes written as \xNN.
[[nodiscard]] QString toQString(std::string_view text);

/// Like toQString, but line breaks and tabs stay (stack traces).
[[nodiscard]] QString toQStringLines(std::string_view text);

/// A time in the unit that fits it: "12.35 µs".
[[nodiscard]] QString timeText(double time, inspector::TimeScale scale);

/// "Nodes inside" of "nodes inside": titles of columns begin alike in all tables.
[[nodiscard]] QString capitalized(QString text);

/// "1 run" or "20 runs": `one` as it is, `many` with the number for its %1.
[[nodiscard]] QString counted(std::size_t number, const QString& one, const QString& many);

}  // namespace et::visualizers
