#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <vector>

namespace et::test {

/// Rows of cells, header first.
using TextTable = QList<QStringList>;

/// Output of `et-inspect FILES ARGUMENTS` run as a process. Fails the test if the command fails.
[[nodiscard]] QString inspectOutput(const std::vector<std::filesystem::path>& files,
                                    const QStringList& arguments);

/// Cells of the printed grid without row numbers.
[[nodiscard]] TextTable gridCells(const QString& grid);

/// The TSV output without row numbers.
[[nodiscard]] QString withoutRowNumbers(const QString& tsv);

}  // namespace et::test
