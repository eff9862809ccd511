#include "tests/studio/cli_output.h"

#include <QProcess>

#include <gtest/gtest.h>

namespace et::test {

QString inspectOutput(const std::vector<std::filesystem::path>& files, const QStringList& arguments) {
    QStringList all;
    for (const std::filesystem::path& file : files) {
        all.append(QString::fromStdString(file.string()));
    }
    QProcess process;
    process.start(QStringLiteral(ET_INSPECT_PROGRAM), all + arguments);
    EXPECT_TRUE(process.waitForFinished());
    EXPECT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
    return QString::fromUtf8(process.readAllStandardOutput());
}

TextTable gridCells(const QString& grid) {
    TextTable table;
    for (const QString& line : grid.split(u'\n')) {
        if (!line.startsWith(u'│')) {
            continue;
        }
        QStringList cells;
        for (const QString& cell : line.split(u'│').sliced(2)) {
            cells.append(cell.trimmed());
        }
        cells.removeLast();
        table.append(cells);
    }
    return table;
}

QString withoutRowNumbers(const QString& tsv) {
    QStringList lines = tsv.split(u'\n');
    for (QString& line : lines) {
        line.remove(0, line.indexOf(u'\t') + 1);
    }
    return lines.join(u'\n');
}

}  // namespace et::test
