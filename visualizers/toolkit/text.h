#pragma once

#include "inspector/format/time_scale.h"

#include <QString>

#include <cstddef>
#include <string_view>

namespace et::visualizers {

/// File text for a widget: UTF-8, with control characters and invalid bytes escaped as \xNN.
[[nodiscard]] QString toQString(std::string_view text);

/// Same as toQString(), but line breaks and tabs are kept (stack traces).
[[nodiscard]] QString toQStringLines(std::string_view text);

/// A time in a suitable unit: "12.35 µs".
[[nodiscard]] QString timeText(double time, inspector::TimeScale scale);

/// "Nodes inside" for "nodes inside": consistent column titles in all tables.
[[nodiscard]] QString capitalized(QString text);

/// "1 run" or "20 runs": `one` unchanged, or `many` with the number for its %1.
[[nodiscard]] QString counted(std::size_t number, const QString& one, const QString& many);

}  // namespace et::visualizers
