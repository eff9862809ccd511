#pragma once

#include "inspector/format/table.h"

#include <QString>

#include <filesystem>

class QAbstractItemView;
class QWidget;

namespace et::studio {

/// Writes what is on screen of a widget: as a drawing that scales where the name ends in ".svg", else as PNG.
/// Empty: done; else why not, in a line.
[[nodiscard]] QString writePicture(QWidget& shown, const QString& file);

/// The table of a room: the one that has the focus, else the largest on screen. Null: it shows none.
[[nodiscard]] const QAbstractItemView* tableOf(const QWidget& room);

/// The format that a file name asks for; CSV where it asks for none that we have.
[[nodiscard]] inspector::report::Format tableFormatOf(const std::filesystem::path& path);
/// The endings of these, as a file dialog offers them.
[[nodiscard]] QString tableFilter();
/// Writes a table in the format that the name asks for. Empty: done; else why not, in a line.
[[nodiscard]] QString writeTable(const inspector::report::Table& table, const QString& file);

}  // namespace et::studio
