#include "visualizers/compare/comparison_model.h"

#include "inspector/comparison/readable_times.h"
#include "inspector/format/change_text.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QGuiApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::Comparison;
using inspector::ComparisonRow;
using inspector::MethodComparison;
using inspector::TimeTest;
using inspector::TimeVerdict;

struct ComparisonColumnTraits {
    const char* title;
    bool numeric;  ///< right-aligned
};
constexpr std::array<ComparisonColumnTraits, ComparisonModel::columnTotal> columnsShown{{
    {"Operator", false},
    {"Verdict", false},
    {"A p50", true},
    {"B p50", true},
    {"B - A", true},
    {"Change", true},
    {"Confidence interval", true},
    {"Runs", true},
    {"Kind", false},
    {"Matched by", false},
}};

struct ComparisonVerdictTraits {
    TimeVerdict verdict;
    const char* text;
};
constexpr std::array verdicts{
    ComparisonVerdictTraits{TimeVerdict::Same, "= same"},
    ComparisonVerdictTraits{TimeVerdict::Slower, "▲ slower"},
    ComparisonVerdictTraits{TimeVerdict::Faster, "▼ faster"},
    ComparisonVerdictTraits{TimeVerdict::Undecided, "? undecided"},
};

constexpr int weakest = 0x28;
constexpr int strongest = 0x78;  // keeps text on it readable
constexpr int digits = 5;

QString changeText(double ratio) {
    return toQString(inspector::format::readableChange(ratio));
}

/// "debug handle": identifiers with spaces instead of underscores.
QString spacedName(std::string_view name) {
    return toQString(name).replace(u'_', u' ');
}

QString kindName(inspector::OperatorKind kind) {
    return spacedName(
        std::ranges::find(inspector::operatorKinds, kind, &inspector::OperatorKindInfo::kind)->name);
}

QString alignmentName(inspector::Alignment alignment) {
    return spacedName(
        std::ranges::find(inspector::alignments, alignment, &inspector::AlignmentInfo::alignment)->name);
}

}  // namespace

QColor verdictColour(const TimeTest& test) {
    if (test.verdict != TimeVerdict::Slower && test.verdict != TimeVerdict::Faster) {
        return {};
    }
    using inspector::format::Meaning;
    QColor colour = meaningColour(test.verdict == TimeVerdict::Slower ? Meaning::Error : Meaning::Kernel,
                                  QGuiApplication::palette());
    const double octaves = test.ratio && *test.ratio > 0 ? std::abs(std::log2(*test.ratio)) : 1;
    const double part = std::min(octaves, 1.0);
    colour.setAlpha(static_cast<int>(weakest + (strongest - weakest) * part));
    return colour;
}

void ComparisonModel::setComparison(std::shared_ptr<const Comparison> compared, inspector::TimeScale unit) {
    beginResetModel();
    pair = std::move(compared);
    const bool ticks = pair && pair->a->cycles;
    scale = ticks ? inspector::TimeScale::Cycles : unit;
    unitLength = ticksPerUnit(ticks ? scale : inspector::TimeScale::Nanoseconds, scale);
    endResetModel();
}

ComparisonRef ComparisonModel::placeOfNode(TreeNode node) {
    return {.method = topOf(node), .row = isTop(node) ? std::nullopt : std::optional(lowOf(node))};
}

std::optional<ComparisonRef> ComparisonModel::placeOf(const QModelIndex& index) const {
    return index.isValid() ? std::optional(placeOfNode(nodeOf(index))) : std::nullopt;
}

const TimeTest& ComparisonModel::test(const ComparisonRef& place) const {
    const MethodComparison& method = pair->methods[place.method];
    return place.row ? method.rows[*place.row].test : method.total;
}

const ComparisonRow* ComparisonModel::row(const ComparisonRef& place) const {
    return place.row ? &pair->methods[place.method].rows[*place.row] : nullptr;
}

std::span<const double> ComparisonModel::samplesA(const ComparisonRef& place) const {
    const ComparisonRow* const known = row(place);
    return known != nullptr ? known->samplesA()
                            : std::span<const double>(pair->methods[place.method].a->total);
}

std::span<const double> ComparisonModel::samplesB(const ComparisonRef& place) const {
    const ComparisonRow* const known = row(place);
    return known != nullptr ? known->samplesB()
                            : std::span<const double>(pair->methods[place.method].b->total);
}

QString ComparisonModel::nameOf(const ComparisonRef& place) const {
    const ComparisonRow* const known = row(place);
    return toQString(known != nullptr ? known->name() : pair->methods[place.method].a->method);
}

std::size_t ComparisonModel::topRows() const {
    return pair ? pair->methods.size() : 0;
}

std::size_t ComparisonModel::rowsBelowTop(std::size_t top) const {
    return pair->methods[top].rows.size();
}

bool ComparisonModel::oneSided(const ComparisonRef& place) const {
    const ComparisonRow* const known = row(place);
    return known != nullptr && (known->a == nullptr || known->b == nullptr);
}

QString ComparisonModel::verdictText(const ComparisonRef& place) const {
    if (oneSided(place)) {
        return row(place)->a == nullptr ? QStringLiteral("+ added") : QStringLiteral("− removed");
    }
    return QString::fromUtf8(
        std::ranges::find(verdicts, test(place).verdict, &ComparisonVerdictTraits::verdict)->text);
}

QString ComparisonModel::timeText(double time) const {
    return visualizers::timeText(inUnit(time), scale);
}

QVariant ComparisonModel::text(const ComparisonRef& place, Column column) const {
    const TimeTest& result = test(place);
    const ComparisonRow* const known = row(place);
    switch (column) {
        case Name:
            return known != nullptr ? toQString(inspector::readableName(known->shown())) : nameOf(place);
        case Verdict:
            return verdictText(place);
        case MedianA:
            return result.countA > 0 ? QVariant(timeText(result.medianA)) : QVariant();
        case MedianB:
            return result.countB > 0 ? QVariant(timeText(result.medianB)) : QVariant();
        case Difference:
            return QStringLiteral("%1%2").arg(result.difference > 0 ? QStringLiteral("+") : QString(),
                                              timeText(result.difference));
        case Change:
            return result.ratio && !oneSided(place) ? QVariant(changeText(*result.ratio)) : QVariant();
        case Interval:
            return result.ratioInterval && !oneSided(place)
                       ? QVariant(QStringLiteral("%1 to %2")
                                      .arg(changeText(result.ratioInterval->low),
                                           changeText(result.ratioInterval->high)))
                       : QVariant();
        case Runs:
            return QStringLiteral("%1, %2").arg(result.countA).arg(result.countB);
        case Kind:
            return known != nullptr ? QVariant(kindName(known->shown().kind)) : QVariant();
        case Aligned:
            return known != nullptr ? QVariant(alignmentName(known->alignment)) : QVariant();
    }
    return {};
}

QVariant ComparisonModel::sortKey(const ComparisonRef& place, Column column) const {
    const TimeTest& result = test(place);
    switch (column) {
        case MedianA:
            return result.medianA;
        case MedianB:
            return result.medianB;
        case Difference:
            return result.difference;
        case Change:
        case Interval:
            return result.ratio.value_or(oneSided(place) ? HUGE_VAL : 1.0);
        default:
            return text(place, column);
    }
}

QVariant ComparisonModel::cellData(TreeNode node, int at, int role) const {
    const ComparisonRef place = placeOfNode(node);
    const auto column = static_cast<Column>(at);
    switch (role) {
        case Qt::DisplayRole:
            return text(place, column);
        case Qt::ToolTipRole:
            return column == Name ? QVariant(nameOf(place)) : QVariant();
        case SortRole:
            return sortKey(place, column);
        case DecidedRole:
            return oneSided(place) || verdictColour(test(place)).isValid();
        case Qt::TextAlignmentRole:
            return columnsShown[static_cast<std::size_t>(column)].numeric
                       ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter))
                       : QVariant();
        case Qt::BackgroundRole: {
            const bool graded = column == Verdict || column == Difference || column == Change;
            const QColor colour = graded && !oneSided(place) ? verdictColour(test(place)) : QColor();
            return colour.isValid() ? QVariant(colour) : QVariant();
        }
        default:
            return {};
    }
}

QVariant ComparisonModel::titleData(int column, int role) const {
    const ComparisonColumnTraits& known = columnsShown[static_cast<std::size_t>(column)];
    if (role == Qt::TextAlignmentRole && known.numeric) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return QString::fromUtf8(known.title);
}

}  // namespace et::visualizers
