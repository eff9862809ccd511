#include "visualizers/toolkit/report_table_model.h"

#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace et::visualizers {

namespace report = inspector::report;

namespace {

/// The number in a cell; nothing for texts, lists and no value.
std::optional<double> numberOf(const report::Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return static_cast<double>(*whole);
    }
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) {
        return static_cast<double>(*count);
    }
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

}  // namespace

ReportTableModel::ReportTableModel(QObject* parent) : QAbstractItemModel(parent) {
}

void ReportTableModel::setRows(ReportRows shown) {
    beginResetModel();
    content = std::move(shown);
    const std::size_t count = content.table.rows.size();
    top.clear();
    children.assign(count, {});
    places.assign(count, 0);
    for (std::size_t row = 0; row < count; ++row) {
        const auto above = row < content.parents.size() ? content.parents[row] : std::nullopt;
        std::vector<std::size_t>& siblings = above && *above < row ? children[*above] : top;
        places[row] = static_cast<int>(siblings.size());
        siblings.push_back(row);
    }
    endResetModel();
}

const std::vector<std::size_t>& ReportTableModel::below(const QModelIndex& parent) const {
    return parent.isValid() ? children[parent.internalId()] : top;
}

QModelIndex ReportTableModel::indexOf(std::size_t row) const {
    return row < places.size() ? createIndex(places[row], 0, row) : QModelIndex();
}

QModelIndex ReportTableModel::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent)
               ? createIndex(row, column, below(parent)[static_cast<std::size_t>(row)])
               : QModelIndex();
}

QModelIndex ReportTableModel::parent(const QModelIndex& child) const {
    const std::size_t row = child.internalId();
    const auto above = child.isValid() && row < content.parents.size() ? content.parents[row] : std::nullopt;
    return above && *above < row ? indexOf(*above) : QModelIndex();
}

int ReportTableModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(below(parent).size());
}

int ReportTableModel::columnCount(const QModelIndex&) const {
    return static_cast<int>(content.table.columns.size());
}

const report::Cell& ReportTableModel::cell(const QModelIndex& index) const {
    return content.table.rows[index.internalId()][static_cast<std::size_t>(index.column())];
}

NumberStyle ReportTableModel::styleOf(int column) const {
    const auto at = static_cast<std::size_t>(column);
    return at < content.styles.size() ? content.styles[at] : NumberStyle::Plain;
}

QString ReportTableModel::text(const QModelIndex& index, NumberStyle style) const {
    const report::Cell& shown = cell(index);
    const auto number = numberOf(shown);
    if (number && style == NumberStyle::Bytes && *number >= 0) {
        return QString::fromStdString(report::readableBytes(static_cast<std::uint64_t>(*number)));
    }
    if (number && style == NumberStyle::Bytes) {
        return u'−' + QString::fromStdString(report::readableBytes(static_cast<std::uint64_t>(-*number)));
    }
    if (number && style == NumberStyle::Percent) {
        return QStringLiteral("%1 %").arg(*number, 0, 'f', 1);
    }
    if (number && style == NumberStyle::Time) {
        constexpr double large = 10;
        return QString::number(*number, 'f', std::abs(*number) < large ? 6 : 3);
    }
    if (const auto* real = std::get_if<double>(&shown)) {
        return QString::fromStdString(report::pythonG(*real));
    }
    const auto column = static_cast<std::size_t>(index.column());
    return toQString(report::cellText(shown, content.table.columns[column]));
}

QVariant ReportTableModel::sortKey(const QModelIndex& index) const {
    if (const auto number = numberOf(cell(index))) {
        return *number;
    }
    return std::holds_alternative<std::monostate>(cell(index)) ? QVariant()
                                                               : QVariant(text(index, NumberStyle::Plain));
}

QVariant ReportTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    switch (role) {
        case Qt::DisplayRole:
            return text(index, styleOf(index.column()));
        case Qt::ToolTipRole:  // all of it, and bytes to the last one
            return text(index, NumberStyle::Plain);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                (content.table.columns[static_cast<std::size_t>(index.column())].numeric ? Qt::AlignRight
                                                                                         : Qt::AlignLeft) |
                Qt::AlignVCenter);
        case SortRole:
            return sortKey(index);
        case RowRole:
            return QVariant::fromValue(static_cast<qulonglong>(index.internalId()));
        default:
            return {};
    }
}

QVariant ReportTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const report::Column& column = content.table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((column.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return role == Qt::DisplayRole ? QVariant(toQString(column.header)) : QVariant();
}

}  // namespace et::visualizers
