#include "visualizers/sql/sql_completion.h"

#include "inspector/store/session/session_tables.h"

#include <QRegularExpression>

namespace et::visualizers {

namespace {

using inspector::store::SessionColumn;
using inspector::store::SessionTable;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QStringList columnsOf(const SessionTable& table) {
    QStringList names;
    for (const SessionColumn& column : table.columns) {
        names.append(fromView(column.name));
    }
    return names;
}

QStringList everything() {
    QStringList names;
    QStringList columns;
    for (const SessionTable& table : inspector::store::sessionTables()) {
        names.append(fromView(table.name));
        columns.append(columnsOf(table));
    }
    columns.removeDuplicates();
    columns.sort();
    names.append(columns);
    names.append(sqlKeywords());
    names.removeDuplicates();
    return names;
}

/// The table with the name or alias `name` ("FROM events e", "JOIN events AS e").
const SessionTable* tableOf(const QString& name, const QString& whole) {
    if (const SessionTable* const found = inspector::store::findSessionTable(name.toLower().toStdString())) {
        return found;
    }
    static const QRegularExpression naming(QStringLiteral(R"((?:from|join|,)\s+(\w+)\s+(?:as\s+)?(\w+))"),
                                           QRegularExpression::CaseInsensitiveOption);
    for (const QRegularExpressionMatch& match : naming.globalMatch(whole)) {
        if (match.captured(2).compare(name, Qt::CaseInsensitive) == 0) {
            return inspector::store::findSessionTable(match.captured(1).toLower().toStdString());
        }
    }
    return nullptr;
}

}  // namespace

const QStringList& sqlKeywords() {
    static const QStringList words =
        QStringLiteral(
            "SELECT FROM WHERE GROUP ORDER BY HAVING LIMIT OFFSET JOIN LEFT INNER CROSS NATURAL USING ON AS "
            "WITH RECURSIVE UNION ALL EXCEPT INTERSECT DISTINCT AND OR NOT IN IS NULL LIKE GLOB BETWEEN CASE "
            "WHEN THEN ELSE END ASC DESC OVER PARTITION ROWS EXISTS CAST VALUES EXPLAIN QUERY PLAN count "
            "sum avg min max total group_concat round abs length printf coalesce row_number")
            .split(QLatin1Char(' '));
    return words;
}

QString wordBefore(const QString& before) {
    static const QRegularExpression word(QStringLiteral(R"(\w*$)"));
    return word.match(before).captured();
}

QStringList sqlCompletions(const QString& before, const QString& whole) {
    static const QRegularExpression dotted(QStringLiteral(R"((\w+)\.\w*$)"));
    const QRegularExpressionMatch match = dotted.match(before);
    if (!match.hasMatch()) {
        static const QStringList all = everything();
        return all;
    }
    const SessionTable* const table = tableOf(match.captured(1), whole);
    return table == nullptr ? QStringList() : columnsOf(*table);
}

}  // namespace et::visualizers
