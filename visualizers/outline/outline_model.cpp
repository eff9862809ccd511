#include "visualizers/outline/outline_model.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

using inspector::events::FlameNode;

void OutlineModel::setScene(std::shared_ptr<const FlameScene> shown) {
    beginResetModel();
    scene = std::move(shown);
    errors.clear();
    bytes = {};
    largestError = 0;
    placeNodes();
    endResetModel();
}

void OutlineModel::placeNodes() {
    places.assign(scene ? scene->tree().nodes.size() : 0, 0);
    for (std::size_t node = 0; node < places.size(); ++node) {
        const auto& children = scene->tree().nodes[node].children;
        for (std::size_t place = 0; place < children.size(); ++place) {
            places[children[place]] = place;
        }
    }
}

void OutlineModel::setBytes(WrittenBytes written) {
    emit layoutAboutToBeChanged();
    bytes = std::move(written);
    emit layoutChanged();
}

void OutlineModel::setGap(const inspector::GapReport* report) {
    if (!scene || (report == nullptr && errors.empty())) {
        return;
    }
    emit layoutAboutToBeChanged();
    const auto& nodes = scene->tree().nodes;
    errors.assign(report == nullptr ? 0 : nodes.size(), std::nullopt);
    largestError = 0;
    for (std::size_t i = report == nullptr ? 0 : errors.size(); i-- > 0;) {
        for (const std::size_t event : nodes[i].events) {
            const auto& of = scene->blocks().blocks()[scene->tree().block].events[event];
            const auto row = inspector::rowOfHandles(*report, of.handles);
            const auto error =
                row ? inspector::metricOf(report->rows[*row], inspector::GapMetric::Mse) : std::nullopt;
            errors[i] = std::max(errors[i], error);
        }
        if (nodes[i].parent) {
            errors[*nodes[i].parent] = std::max(errors[*nodes[i].parent], errors[i]);
        }
        largestError = std::max(largestError, errors[i].value_or(0));
    }
    emit layoutChanged();
}

std::optional<std::size_t> OutlineModel::nodeAt(const QModelIndex& index) const {
    return index.isValid() ? std::optional(static_cast<std::size_t>(nodeOf(index)) - 1) : std::nullopt;
}

std::vector<std::size_t> OutlineModel::hotPath() const {
    std::vector<std::size_t> path;
    if (!scene) {
        return path;
    }
    const auto& nodes = scene->tree().nodes;
    path.push_back(0);
    while (!nodes[path.back()].children.empty()) {
        path.push_back(*std::ranges::max_element(nodes[path.back()].children, {},
                                                 [&](std::size_t child) { return nodes[child].total; }));
    }
    return path;
}

std::size_t OutlineModel::rowsBelow(TreeNode node) const {
    if (!scene) {
        return 0;
    }
    return node == treeRoot ? 1 : scene->tree().nodes[node - 1].children.size();
}

TreeNode OutlineModel::nodeBelow(TreeNode node, std::size_t place) const {
    return node == treeRoot ? 1 : scene->tree().nodes[node - 1].children[place] + 1;
}

TreeNode OutlineModel::nodeAbove(TreeNode node) const {
    const auto parent = scene->tree().nodes[node - 1].parent;
    return parent ? *parent + 1 : treeRoot;
}

std::size_t OutlineModel::placeAmongSiblings(TreeNode node) const {
    return places[node - 1];
}

QString OutlineModel::textOf(std::size_t node, int column) const {
    const FlameNode& of = scene->tree().nodes[node];
    switch (column) {
        case Time:
            return timeText(of.total, scene->blocks().options().target);
        case Bytes:
            return node < bytes.byNode.size() && bytes.byNode[node] > 0
                       ? (bytes.isUpperBound[node] ? QStringLiteral("≤ ") : QString()) +
                             toQString(inspector::format::readableBytes(bytes.byNode[node]))
                       : QString();
        case Error:
            return node < errors.size() && errors[node] ? QString::number(*errors[node], 'g', 3) : QString();
        default:
            return toQString(of.name);
    }
}

QVariant OutlineModel::cellData(TreeNode row, int column, int role) const {
    const std::size_t node = row - 1;
    const FlameNode& of = scene->tree().nodes[node];
    const bool judged = node < errors.size() && errors[node].has_value();
    const double error = judged ? errors[node].value_or(0) : 0;
    switch (role) {
        case Qt::DisplayRole:
            return textOf(node, column);
        case Qt::ToolTipRole:
            return toQString(scene->tree().pathOf(node)) + u'\n' + textOf(node, Time);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (column == Name ? Qt::AlignLeft : Qt::AlignRight));
        case ShareRole:
            if (column == Time && scene->length() > 0) {
                return of.total / scene->length();
            }
            if (column == Bytes && node < bytes.byNode.size() && bytes.byNode.front() > 0) {
                return static_cast<double>(bytes.byNode[node]) / static_cast<double>(bytes.byNode.front());
            }
            return column == Error && judged && largestError > 0 ? QVariant(error / largestError)
                                                                 : QVariant();
        case SortRole:
            if (column == Name) {
                return static_cast<double>(places[node]);
            }
            if (column == Bytes) {
                return node < bytes.byNode.size() ? static_cast<double>(bytes.byNode[node]) : -1.0;
            }
            return column == Time ? of.total : judged ? error : -1.0;
        default:
            return {};
    }
}

QVariant OutlineModel::titleData(int column, int role) const {
    if (role == Qt::ToolTipRole && column == Error) {
        return QStringLiteral(
            "The largest mean squared error of its operators, as calculated by Operator Errors");
    }
    if (role == Qt::ToolTipRole && column == Bytes) {
        return QStringLiteral(
            "Bytes written by it; ≤: tensors of dynamic shape count with their largest size");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return column == Name    ? QStringLiteral("Model")
           : column == Time  ? QStringLiteral("Time")
           : column == Bytes ? QStringLiteral("Writes")
                             : QStringLiteral("Error");
}

}  // namespace et::visualizers
