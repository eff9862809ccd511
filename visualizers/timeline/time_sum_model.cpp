#include "visualizers/timeline/time_sum_model.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <array>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int sumColumns = TimeSumModel::Count + 1;

QVariant sortKeyOf(const TimeSum& sum, int column) {
    switch (column) {
        case TimeSumModel::Time:
            return sum.time;
        case TimeSumModel::Share:
            return sum.share;
        case TimeSumModel::Count:
            return static_cast<double>(sum.count);
        default:
            return sum.name;
    }
}

}  // namespace

TimeSumModel::TimeSumModel(const QString& title, const QString& countTitle, QObject* parent)
    : QAbstractTableModel(parent), nameTitle(title), lastTitle(countTitle) {
}

void TimeSumModel::setSums(std::vector<TimeSum> shown, inspector::TimeScale scale) {
    beginResetModel();
    all = std::move(shown);
    unit = scale;
    endResetModel();
}

int TimeSumModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(all.size());
}

int TimeSumModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : sumColumns;
}

QString TimeSumModel::textOf(const TimeSum& sum, int column) const {
    switch (column) {
        case Time:
            return timeText(sum.time, unit);
        case Share:
            return toQString(inspector::format::readablePercent(sum.share));
        case Count:
            return QString::number(sum.count);
        default:
            return sum.name;
    }
}

QVariant TimeSumModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const TimeSum& sum = all[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return textOf(sum, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter |
                                       (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
        case SortRole:
            return sortKeyOf(sum, index.column());
        case ShareRole:
            return index.column() == Share ? QVariant(sum.share) : QVariant();
        default:
            return {};
    }
}

QVariant TimeSumModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= sumColumns) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    }
    const std::array<QString, sumColumns> titles{nameTitle, QStringLiteral("Time"), QStringLiteral("Share"),
                                                 lastTitle};
    return role == Qt::DisplayRole ? QVariant(titles[static_cast<std::size_t>(section)]) : QVariant();
}

}  // namespace et::visualizers
