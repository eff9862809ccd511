#include "visualizers/verify/slice_model.h"

#include "visualizers/verify/number_text.h"

#include <QColor>

#include <utility>

namespace et::visualizers {

namespace {

/// Background of numbers out of tolerance, visible in light and dark appearance.
const QColor markColour(0xd0, 0x30, 0x30, 0x60);

}  // namespace

void SliceModel::setValues(std::shared_ptr<const TensorValues> tensor, const Slice& part) {
    beginResetModel();
    values = std::move(tensor);
    slice = part;
    endResetModel();
}

void SliceModel::setMarks(std::shared_ptr<const std::vector<bool>> marks) {
    beginResetModel();
    marked = std::move(marks);
    endResetModel();
}

int SliceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !values || slice.empty() ? 0 : static_cast<int>(slice.rows());
}

int SliceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !values || slice.empty() ? 0 : static_cast<int>(slice.columns());
}

QVariant SliceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const std::size_t place = slice.place(index.row(), index.column());
    switch (role) {
        case Qt::DisplayRole:
            return numberText(values->numbers[place], values->integral);
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::BackgroundRole:
            return marked && place < marked->size() && (*marked)[place] ? QVariant(markColour) : QVariant();
        case Qt::ToolTipRole:
            return QStringLiteral("%1: %2").arg(indexText(slice.index(index.row(), index.column())),
                                                QString::number(values->numbers[place], 'g', 17));
        default:
            return {};
    }
}

QVariant SliceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) {
        return {};
    }
    const bool isPart = orientation == Qt::Vertical && slice.wraps();  // shows the start position in the long
                                                                       // row
    return QVariant::fromValue<qlonglong>(isPart ? section * slice.columns() : section);
}

}  // namespace et::visualizers
