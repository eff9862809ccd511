#pragma once

#include "inspector/format/table.h"

#include <QByteArray>
#include <QString>

#include <filesystem>

class QAbstractItemView;
class QWidget;

namespace et::studio {

/// Replaces a file. Returns an empty text or a one-line error.
[[nodiscard]] QString writeContent(const QString& file, const QByteArray& content);

/// Writes the visible content of a widget: as SVG if the name ends in ".svg", else as PNG. Returns an empty
/// text or a one-line error.
[[nodiscard]] QString writePicture(QWidget& shown, const QString& file);

/// Returns the table of a panel: the one with the focus, else the largest visible one. Null if there is none.
[[nodiscard]] const QAbstractItemView* tableOf(const QWidget& panel);

/// Returns the format for a file name; CSV for unknown extensions.
[[nodiscard]] inspector::format::Format parseTableFormat(const std::filesystem::path& path);
/// The extensions of these formats, as a filter for file dialogs.
[[nodiscard]] QString tableFilter();
/// Writes a table in the format of the file name. Returns an empty text or a one-line error.
[[nodiscard]] QString writeTable(const inspector::format::Table& table, const QString& file);

}  // namespace et::studio
