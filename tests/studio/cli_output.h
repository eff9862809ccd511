#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace et::test {

/// Rows of texts, the header first.
using TextTable = QList<QStringList>;

/// What `et-inspect FILES ARGUMENTS` prints, run as a program of its own. A test failure where it fails.
[[nodiscard]] QString inspectOutput(const std::vector<std::filesystem::path>& files,
                                    const QStringList& arguments);

/// Cells of the grid that it draws, without the row numbers.
[[nodiscard]] TextTable gridCells(const QString& grid);

/// Its TSV without the row numbers.
[[nodiscard]] QString withoutRowNumbers(const QString& tsv);

}  // namespace et::test
