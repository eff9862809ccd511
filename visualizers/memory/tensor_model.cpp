#include "visualizers/memory/tensor_model.h"

#include "inspector/events/event_fields.h"
#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace et::visualizers {

using inspector::PlannedTensor;

namespace {

struct TensorColumnTraits {
    const char* title;  ///< untranslated
    const char* tip;
    bool numeric;
    /// Whether one comes before another; null: keeps row order.
    bool (*before)(const PlannedTensor& one, const PlannedTensor& other);
};

template <auto Member>
bool byMember(const PlannedTensor& one, const PlannedTensor& other) {
    return one.*Member < other.*Member;
}

/// In the order of TensorModel::Column.
constexpr std::array<TensorColumnTraits, TensorModel::columnTotal> columns{{
    {"Value", "Value id in the program", true, byMember<&PlannedTensor::value>},
    {"Kind", "Role of the tensor in the method", false, byMember<&PlannedTensor::kind>},
    {"Bytes", "Size in the arena", true, byMember<&PlannedTensor::bytes>},
    {"Tensor", "Type and shape", false, byMember<&PlannedTensor::type>},
    {"Written by", "First operator or delegate that writes it", false,
     byMember<&PlannedTensor::producerName>},
    {"Alive", "From the first write to the last use", false, byMember<&PlannedTensor::firstStep>},
    {"Offset", "Bytes from the start of the arena", true, byMember<&PlannedTensor::offset>},
    {"Module", "Module of that operator (from the ETRecord)", false, nullptr},
    {"Source", "Python line of that operator (from the ETRecord)", false, nullptr},
}};

QString moduleText(const std::vector<const etrecord::Node*>& nodes) {
    const inspector::format::Cell module = inspector::events::commonModule(nodes);
    const auto* const name = std::get_if<std::string>(&module);
    return name == nullptr ? QString() : toQString(*name);
}

QString sourceText(const std::vector<const etrecord::Node*>& nodes) {
    const inspector::format::List lines = inspector::events::sourceLines(nodes);
    if (lines.empty()) {
        return {};
    }
    const QString first = toQString(std::get<std::string>(lines.front()));
    return lines.size() == 1 ? first : QStringLiteral("%1 and %2 more").arg(first).arg(lines.size() - 1);
}

}  // namespace

TensorModel::TensorModel(QObject* parent) : QAbstractTableModel(parent) {
}

void TensorModel::setTensors(std::shared_ptr<const MemoryPlan> of, std::vector<std::size_t> tensors) {
    beginResetModel();
    plan = std::move(of);
    all = std::move(tensors);
    arrange();
    endResetModel();
}

void TensorModel::setFilter(const QString& text) {
    beginResetModel();
    filter = text;
    arrange();
    endResetModel();
}

bool TensorModel::matches(const PlannedTensor& tensor, const QString& text) {
    const auto has = [&](std::string_view field) {
        return toQString(field).contains(text, Qt::CaseInsensitive);
    };
    return text.isEmpty() || has(tensor.producerName) || has(inspector::readableWriter(tensor)) ||
           has(inspector::tensorKindName(tensor.kind)) || has(tensor.type) || has(tensor.name) ||
           QString::number(tensor.value.value) == text;
}

void TensorModel::arrange() {
    rows.clear();
    std::ranges::copy_if(all, std::back_inserter(rows), [this](std::size_t tensor) {
        return filter.isEmpty() || matches(plan->timeline.tensors[tensor], filter);
    });
    const auto before = sortColumn < 0 ? nullptr : columns.at(static_cast<std::size_t>(sortColumn)).before;
    if (before != nullptr) {
        std::ranges::stable_sort(rows, [&](std::size_t one, std::size_t other) {
            const auto& tensors = plan->timeline.tensors;
            return sortOrder == Qt::AscendingOrder ? before(tensors[one], tensors[other])
                                                   : before(tensors[other], tensors[one]);
        });
    }
}

void TensorModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> tensors;
    for (const QModelIndex& index : before) {
        tensors.push_back(tensorAt(index.row()));
    }
    sortColumn = column;
    sortOrder = order;
    arrange();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const int row = rowOf(tensors[static_cast<std::size_t>(i)]);
        after.append(row < 0 ? QModelIndex() : index(row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

int TensorModel::rowOf(std::size_t tensor) const {
    const auto found = std::ranges::find(rows, tensor);
    return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

std::uint64_t TensorModel::bytesShown() const {
    std::uint64_t sum = 0;
    for (const std::size_t tensor : rows) {
        sum += plan->timeline.tensors[tensor].bytes;
    }
    return sum;
}

int TensorModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows.size());
}

int TensorModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QString TensorModel::text(const PlannedTensor& tensor, Column column) const {
    const auto nodes = [&] {
        return tensor.producer ? plan->nodes.nodesOf(tensor.producer->instruction)
                               : std::vector<const etrecord::Node*>();
    };
    switch (column) {
        case Value:
            return QString::number(tensor.value.value);
        case Kind:
            return toQString(inspector::tensorKindName(tensor.kind));
        case Bytes:
            return QString::fromStdString(inspector::format::readableBytes(tensor.bytes));
        case Type:
            return toQString(tensor.type);
        case Operator:
            return tensor.producerName.empty() ? QString() : toQString(inspector::readableWriter(tensor));
        case Alive:
            return QString::fromStdString(inspector::lifeText(tensor, plan->timeline));
        case Offset:
            return QString::number(tensor.offset);
        case Module:
            return moduleText(nodes());
        case Source:
            return sourceText(nodes());
    }
    return {};
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const PlannedTensor& tensor = plan->timeline.tensors[tensorAt(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return text(tensor, column);
        case Qt::ToolTipRole:
            return toQStringLines(describe(tensor, plan->view()));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                (columns.at(static_cast<std::size_t>(column)).numeric ? Qt::AlignRight : Qt::AlignLeft) |
                Qt::AlignVCenter);
        default:
            return {};
    }
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    const TensorColumnTraits& info = columns.at(static_cast<std::size_t>(section));
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromUtf8(info.title);
        case Qt::ToolTipRole:
            return QString::fromUtf8(info.tip);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((info.numeric ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default:
            return {};
    }
}

}  // namespace et::visualizers
