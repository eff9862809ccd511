#include "visualizers/trend/trend_rows.h"

#include "inspector/format/change_text.h"
#include "inspector/trend/trend_text.h"
#include "visualizers/toolkit/text.h"

#include <array>
#include <utility>

namespace et::visualizers {

namespace {

/// Builds rows in sequence, with the operators of a change below it.
class TrendTableMaker {
  public:
    explicit TrendTableMaker(const inspector::Trend& from) : trend(from) {
        constexpr std::array columns{
            std::pair("what", "Name"),   std::pair("change", "Change"), std::pair("before", "Before"),
            std::pair("after", "After"), std::pair("since", "Since"),   std::pair("measured", "Measured"),
        };
        out.rows.table.indexed = false;
        for (const auto& [id, header] : columns) {
            out.rows.table.columns.push_back({.id = id, .header = QString::fromUtf8(header).toStdString()});
        }
    }

    void add(std::size_t at) {
        const inspector::TrendChange& change = trend.changes[at];
        const inspector::TrendGroup& group = trend.groupOf(change);
        const std::size_t parent = out.about.size();
        append({.change = at}, std::nullopt,
               change.totalMoved
                   ? trendGroupName(trend, change.group)
                   : QStringLiteral("%1, operators only").arg(trendGroupName(trend, change.group)),
               changeText(change.total.before, change.total.after), change.total);
        for (const inspector::OperatorStep& each : change.operators) {
            const QString moved = each.presence == inspector::OperatorPresence::Both
                                      ? changeText(each.step.before, each.step.after)
                                      : toQString(inspector::name(each.presence));
            append({.change = at, .operation = each.index}, parent,
                   toQString(text(group.operators[each.index].key)), moved, each.step);
        }
    }

    TrendTable take() { return std::move(out); }

  private:
    void append(TrendRow about, std::optional<std::size_t> parent, const QString& what, const QString& moved,
                const inspector::LevelStep& step) {
        const inspector::TrendChange& change = trend.changes[about.change];
        const bool cycles = trend.groupOf(change).cycles;
        const inspector::TrendPoint& point = trend.pointOf(change);
        out.rows.table.rows.push_back(
            {what.toStdString(), moved.toStdString(), inspector::trendTime(step.before, cycles),
             inspector::trendTime(step.after, cycles), pointLabel(point), point.measured});
        out.rows.parents.push_back(parent);
        out.about.push_back(about);
    }

    const inspector::Trend& trend;
    TrendTable out;
};

}  // namespace

QString trendGroupName(const inspector::Trend& trend, std::size_t group) {
    const inspector::TrendGroup& shown = trend.groups[group];
    return shown.name.empty() ? toQString(shown.method)
                              : QStringLiteral("%1, %2").arg(toQString(shown.name), toQString(shown.method));
}

QString changeText(double before, double after) {
    return before > 0 ? toQString(inspector::format::readableChange(after / before)) : QStringLiteral("new");
}

TrendTable trendRows(const inspector::Trend& trend) {
    TrendTableMaker maker(trend);
    for (std::size_t i = trend.changes.size(); i > 0; --i) {
        maker.add(i - 1);
    }
    return maker.take();
}

}  // namespace et::visualizers
