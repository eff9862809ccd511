#include "visualizers/gap/gap_model.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QGuiApplication>
#include <QPalette>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::visualizers {

namespace {

using inspector::GapMetric;
using inspector::GapReportRow;
using inspector::OwnError;
using inspector::format::Cell;
using inspector::format::optionalCell;

/// Input of a cell.
struct CellSource {
    const GapReportRow& row;
    std::size_t place;
    GapMetric metric;
    std::span<const std::string> sets;
};

template <double OwnError::* Field>
Cell ownCell(const CellSource& source) {
    return source.row.own ? Cell((*source.row.own).*Field) : Cell();
}

template <GapMetric Metric>
Cell metricCell(const CellSource& source) {
    return optionalCell(metricOf(source.row, Metric));
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& each : texts) {
        all += (all.empty() ? "" : ", ") + each;
    }
    return all;
}

Cell verdictCell(const CellSource& source) {
    if (source.row.sensitivity) {
        return "sensitivity " + gapNumberText(*source.row.sensitivity).toStdString();
    }
    return source.row.own ? Cell(std::string(source.row.own->diverges ? "diverges" : "ok")) : Cell();
}

struct GapColumnTraits {
    const char* id;
    const char* header;  ///< of Metric: the metric's own header
    const char* meaning;
    bool numeric;
    bool needsBisection;
    Cell (*cell)(const CellSource& source);
};

/// In the order of Column.
constexpr std::array columns{
    GapColumnTraits{"place", "#", "Position in execution order", true, false,
                    [](const CellSource& source) { return Cell(static_cast<std::uint64_t>(source.place)); }},
    GapColumnTraits{"runtime_ops", "runtime", "Runtime event or delegate operator", false, false,
                    [](const CellSource& source) { return Cell(joined(source.row.runtimeOps)); }},
    GapColumnTraits{"aot_debug_handle", "handles", "Debug handles", false, false,
                    [](const CellSource& source) { return Cell(handlesText(source.row).toStdString()); }},
    GapColumnTraits{"inputs", "inputs", "Input set with the largest error", false, false,
                    [](const CellSource& source) {
                        return source.row.set < source.sets.size() ? Cell(source.sets[source.row.set])
                                                                   : Cell();
                    }},
    GapColumnTraits{
        "gap", "", "Selected metric; the largest of several outputs", true, false,
        [](const CellSource& source) { return optionalCell(metricOf(source.row, source.metric)); }},
    GapColumnTraits{"own_error", "own", "Max error on the runtime's own inputs", true, true,
                    ownCell<&OwnError::own>},
    GapColumnTraits{"inherited_error", "inherited", "Max error caused by these inputs", true, true,
                    ownCell<&OwnError::inherited>},
    GapColumnTraits{"own_steps", "steps", "Own error in rounding steps", true, true,
                    ownCell<&OwnError::ownSteps>},
    GapColumnTraits{"verdict", "verdict", "Whether the own error exceeds rounding", false, true, verdictCell},
    GapColumnTraits{"max_abs", "max abs", "Largest absolute difference", true, false,
                    metricCell<GapMetric::MaxAbsolute>},
    GapColumnTraits{"snr", "SNR (dB)", "Signal-to-noise ratio; inf: equal", true, false,
                    metricCell<GapMetric::Snr>},
    GapColumnTraits{"aot_ops", "graph", "Nodes of the exported program; inside delegates, of the Edge graph",
                    false, false,
                    [](const CellSource& source) { return Cell(joined(source.row.referenceOps)); }},
    GapColumnTraits{"module", "module", "Innermost Python module", false, false,
                    [](const CellSource& source) { return Cell(source.row.module); }},
    GapColumnTraits{"source", "source", "Innermost Python line", false, false,
                    [](const CellSource& source) { return Cell(pythonLineOf(source.row)); }},
};
static_assert(columns.size() == GapModel::columnTotal);

const GapColumnTraits& gapColumnInfo(int column) {
    return columns[static_cast<std::size_t>(column)];
}

QString textOf(const Cell& cell) {
    if (const auto* const number = std::get_if<double>(&cell)) {
        return gapNumberText(*number);
    }
    if (const auto* const whole = std::get_if<std::uint64_t>(&cell)) {
        return QString::number(*whole);
    }
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr ? QString() : toQString(*text);
}

}  // namespace

QString gapNumberText(double number) {
    return QString::number(number, 'g', 4);
}

QString operatorText(const inspector::GapOperator& row) {
    if (row.place == inspector::GapLevel::Delegate && !row.name.empty()) {
        return toQString(row.name);
    }
    if (row.runtimeOps.empty()) {
        return toQString(joined(row.referenceOps));
    }
    std::vector<std::string> readable;
    for (const std::string& event : row.runtimeOps) {
        const std::string_view kernel = inspector::names::detail::kernelOperator(event);
        const bool call = event == inspector::names::detail::delegateCall && !row.backend.empty();
        readable.push_back(call ? row.backend : kernel.empty() ? event : inspector::plainOperator(kernel));
    }
    return toQString(joined(readable));
}

QString handlesText(const inspector::GapOperator& row) {
    QStringList texts;
    for (const core::DebugHandle each : row.referenceHandles) {
        texts.append(QString::number(each.value));
    }
    return texts.join(QStringLiteral(", "));
}

void GapModel::setReport(std::shared_ptr<const inspector::GapReport> shown,
                         std::vector<std::string> setNames) {
    beginResetModel();
    gap = std::move(shown);
    sets = std::move(setNames);
    endResetModel();
}

void GapModel::setMetric(GapMetric chosen) {
    metric = chosen;
    emit headerDataChanged(Qt::Horizontal, Metric, Metric);
    if (rowCount() > 0) {
        emit dataChanged(index(0, Metric), index(rowCount() - 1, Metric));
    }
}

void GapModel::setPale(bool stale) {
    pale = stale;
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1), {Qt::ForegroundRole});
    }
}

bool GapModel::isFilled(Column column) const {
    if (column == Inputs) {
        return !sets.empty();
    }
    return !gapColumnInfo(column).needsBisection || (gap && gap->bisected);
}

const GapReportRow* GapModel::row(const QModelIndex& index) const {
    return index.isValid() && gap ? &gap->rows[static_cast<std::size_t>(index.row())] : nullptr;
}

Cell GapModel::cell(const QModelIndex& index) const {
    return gapColumnInfo(index.column())
        .cell({.row = *row(index),
               .place = static_cast<std::size_t>(index.row()),
               .metric = metric,
               .sets = sets});
}

inspector::format::Column GapModel::reportColumn(Column column) const {
    return {.id = gapColumnInfo(column).id,
            .header = column == Metric ? std::string(inspector::traits(metric).title)
                                       : QString::fromUtf8(gapColumnInfo(column).header).toStdString(),
            .numeric = gapColumnInfo(column).numeric};
}

int GapModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !gap ? 0 : static_cast<int>(gap->rows.size());
}

int GapModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnTotal;
}

QVariant GapModel::sortKey(const QModelIndex& index) const {
    const Cell value = cell(index);
    if (!gapColumnInfo(index.column()).numeric) {
        return textOf(value);
    }
    if (const auto* const whole = std::get_if<std::uint64_t>(&value)) {
        return static_cast<double>(*whole);
    }
    const auto* const number = std::get_if<double>(&value);
    return number == nullptr ? std::numeric_limits<double>::quiet_NaN() : *number;
}

QString GapModel::toolTip(const GapReportRow& row) const {
    QStringList lines{operatorText(row)};
    for (const auto* const names : {&row.runtimeOps, &row.referenceOps}) {
        const QString text = toQString(joined(*names));
        if (!text.isEmpty() && !lines.contains(text)) {
            lines.append(text);
        }
    }
    if (row.own && !row.own->reason.empty()) {
        lines.append(toQString(row.own->reason));
    }
    for (const std::string& each : {row.module, pythonLineOf(row)}) {
        if (!each.empty()) {
            lines.append(toQString(each));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant GapModel::data(const QModelIndex& index, int role) const {
    const GapReportRow* const shown = row(index);
    if (shown == nullptr) {
        return {};
    }
    const bool diverges = shown->own && shown->own->diverges;
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == Operator ? operatorText(*shown) : textOf(cell(index));
        case Qt::ToolTipRole:
            return toolTip(*shown);
        case Qt::TextAlignmentRole:
            return gapColumnInfo(index.column()).numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                         : QVariant();
        case Qt::ForegroundRole:
            if (pale) {
                return QGuiApplication::palette().color(QPalette::PlaceholderText);
            }
            return diverges && index.column() == Verdict
                       ? QVariant(
                             meaningColour(inspector::format::Meaning::Error, QGuiApplication::palette()))
                       : QVariant();
        case SortRole:
            return sortKey(index);
        case SearchRole: {
            QStringList texts;
            for (const Column column : {Operator, Nodes, Handles, Verdict, Module, Source}) {
                texts.append(textOf(cell(index.siblingAtColumn(column))));
            }
            texts.append(operatorText(*shown));
            return texts.join(QLatin1Char('\n'));
        }
        case DivergesRole:
            return diverges;
        default:
            return {};
    }
}

QVariant GapModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnTotal) {
        return {};
    }
    const bool ofMetric = section == Metric;
    switch (role) {
        case Qt::DisplayRole:
            return ofMetric ? toQString(inspector::traits(metric).title)
                            : capitalized(QString::fromUtf8(gapColumnInfo(section).header));
        case Qt::ToolTipRole:
            return ofMetric ? toQString(inspector::traits(metric).meaning)
                            : QString::fromUtf8(gapColumnInfo(section).meaning);
        case Qt::TextAlignmentRole:
            return gapColumnInfo(section).numeric ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

}  // namespace et::visualizers
