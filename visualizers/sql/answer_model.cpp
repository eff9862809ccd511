#include "visualizers/sql/answer_model.h"

#include "visualizers/toolkit/text.h"

#include <utility>
#include <variant>

namespace et::visualizers {

using inspector::format::Cell;

namespace {

/// A number with a readable number of digits; a text without line breaks.
QString shown(const Cell& cell, const inspector::format::Column& column) {
    constexpr int digits = 6;
    if (const auto* const real = std::get_if<double>(&cell)) {
        return QString::number(*real, 'g', digits);
    }
    return toQString(inspector::format::cellText(cell, column));
}

/// All digits, and full text.
QString exact(const Cell& cell, const inspector::format::Column& column) {
    return toQString(inspector::format::cellText(cell, column));
}

QVariant numberOf(const Cell& cell) {
    if (const auto* const whole = std::get_if<std::int64_t>(&cell)) {
        return QVariant::fromValue<qlonglong>(*whole);
    }
    const auto* const real = std::get_if<double>(&cell);
    return real == nullptr ? QVariant() : QVariant(*real);
}

}  // namespace

AnswerModel::AnswerModel(QObject* parent) : QAbstractTableModel(parent) {
}

void AnswerModel::setTable(std::shared_ptr<const inspector::format::Table> table) {
    beginResetModel();
    rows = std::move(table);
    endResetModel();
}

int AnswerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || rows == nullptr ? 0 : static_cast<int>(rows->rows.size());
}

int AnswerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || rows == nullptr ? 0 : static_cast<int>(rows->columns.size());
}

QVariant AnswerModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto column = static_cast<std::size_t>(index.column());
    const Cell& cell = rows->rows[static_cast<std::size_t>(index.row())][column];
    switch (role) {
        case Qt::ToolTipRole:
            return exact(cell, rows->columns[column]);
        case Qt::DisplayRole:
            return shown(cell, rows->columns[column]);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (rows->columns[column].numeric ? Qt::AlignRight : Qt::AlignLeft));
        case numberRole:
            return numberOf(cell);
        default:
            return {};
    }
}

QVariant AnswerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || rows == nullptr) {
        return {};
    }
    if (orientation == Qt::Vertical) {
        return section + 1;
    }
    return section < columnCount() ? toQString(rows->columns[static_cast<std::size_t>(section)].header)
                                   : QVariant();
}

std::optional<int> AnswerModel::columnOf(const QString& name) const {
    for (int i = 0; i < columnCount(); ++i) {
        if (headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() == name) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<qint64> AnswerModel::number(int row, const QString& column) const {
    const auto at = columnOf(column);
    const QVariant value = at ? index(row, *at).data(numberRole) : QVariant();
    return value.isValid() ? std::optional(value.toLongLong()) : std::nullopt;
}

QString AnswerModel::text(int row, const QString& column) const {
    const auto at = columnOf(column);
    return at ? index(row, *at).data().toString() : QString();
}

}  // namespace et::visualizers
