#include "visualizers/verify/worst_elements.h"

#include "visualizers/verify/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace et::visualizers {

namespace {

/// Absolute difference: 0 if both are the same, infinite if only one is not finite.
double distance(double left, double right) {
    if (left == right || (std::isnan(left) && std::isnan(right))) {
        return 0;
    }
    const double apart = std::abs(left - right);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<ElementPair> worstElements(const TensorValues& expected, const TensorValues& actual,
                                       std::size_t max) {
    if (expected.sizes != actual.sizes || expected.numbers.size() != actual.numbers.size()) {
        return {};
    }
    std::vector<std::pair<double, std::size_t>> apart;
    for (std::size_t i = 0; i < expected.numbers.size(); ++i) {
        if (const double each = distance(expected.numbers[i], actual.numbers[i]); each > 0) {
            apart.emplace_back(-each, i);  // of equal ones, the first
        }
    }
    const auto count = static_cast<std::ptrdiff_t>(std::min(max, apart.size()));
    std::ranges::partial_sort(apart, apart.begin() + count);
    std::vector<ElementPair> worst;
    for (const auto& [nearness, place] : std::span(apart).first(static_cast<std::size_t>(count))) {
        const double left = expected.numbers[place];
        const double right = actual.numbers[place];
        worst.push_back({.index = elementIndex(place, expected.sizes),
                         .expected = left,
                         .actual = right,
                         .difference = right - left});
    }
    return worst;
}

void WorstElementsModel::setElements(std::vector<ElementPair> shown, bool integral) {
    beginResetModel();
    pairs = std::move(shown);
    whole = integral;
    endResetModel();
}

void WorstElementsModel::setNames(const QString& expected, const QString& actual) {
    names[0] = expected;
    names[1] = actual;
    emit headerDataChanged(Qt::Horizontal, Expected, Actual);
}

int WorstElementsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(pairs.size());
}

int WorstElementsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant WorstElementsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return index.column() == Index ? QVariant() : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const ElementPair& pair = pairs[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case Index:
            return indexText(pair.index);
        case Expected:
            return numberText(pair.expected, whole);
        case Actual:
            return numberText(pair.actual, whole);
        default:
            return numberText(pair.difference, whole);
    }
}

QVariant WorstElementsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
        case Index:
            return QStringLiteral("Element");
        case Expected:
            return names[0];
        case Actual:
            return names[1];
        default:
            return QStringLiteral("Difference");
    }
}

}  // namespace et::visualizers
