#include "visualizers/compare/aligned_steps.h"

#include "visualizers/toolkit/text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <set>

namespace et::visualizers {

namespace {

using inspector::Change;
using inspector::MethodDiff;
using inspector::StepDiff;

QString textOf(const StepDiff& step, const std::optional<std::size_t>& number) {
    return number ? QStringLiteral("%1 %2").arg(*number).arg(toQString(step.name)) : QString();
}

QString changesOf(const StepDiff& step) {
    QStringList lines{toQString(std::string(inspector::traits(step.change).name))};
    if (step.moved) {
        lines.append(QStringLiteral("runs in a different order"));
    }
    for (const inspector::AttributeChange& each : step.attributes) {
        lines.append(QStringLiteral("%1: %2 → %3")
                         .arg(toQString(each.name), toQString(each.before), toQString(each.after)));
    }
    return lines.join(u'\n');
}

/// Builds the rows of a method and records the rows of its steps.
class MethodRows {
  public:
    MethodRows(AlignedSteps& into, const MethodDiff& from) : out(into), method(from) { findInside(); }

    void add() {
        for (std::size_t at = 0; at < method.steps.size() && out.rows.size() < AlignedSteps::maxRows;) {
            const std::size_t same = sameFrom(at);
            if (same >= AlignedSteps::fewestFolded) {
                addFolded(at, same);
                at += same;
            } else {
                addStep(method.steps[at]);
                if (inside[at] != nullptr) {
                    addInside(inside[at]->nodes);
                }
                ++at;
            }
        }
    }
    void addArrows(std::size_t side, const inspector::StepLinks& links) {
        std::set<AlignedSteps::Arrow> arrows;
        for (const auto& [from, to] : links) {
            const auto source = places[side].find(static_cast<std::size_t>(from));
            const auto target = places[side].find(static_cast<std::size_t>(to));
            if (source != places[side].end() && target != places[side].end() &&
                source->second != target->second) {
                arrows.emplace(source->second, target->second);
            }
        }
        out.arrows[side].insert(out.arrows[side].end(), arrows.begin(), arrows.end());
    }

  private:
    [[nodiscard]] std::size_t sameFrom(std::size_t at) const {
        std::size_t count = 0;
        while (at + count < method.steps.size() && !method.steps[at + count].differs() &&
               inside[at + count] == nullptr) {
            ++count;
        }
        return count;
    }
    /// Finds the changes inside the delegate that each step calls; null: unknown. The first program calls its
    /// delegates in order.
    void findInside() {
        std::size_t calls = 0;
        for (const StepDiff& step : method.steps) {
            const bool isCall = step.before && std::ranges::contains(method.delegates, step.name,
                                                                     &inspector::DelegateDiff::backend);
            const std::size_t number = isCall ? calls++ : 0;
            const auto found = std::ranges::find_if(method.delegates, [&](const auto& each) {
                return isCall && each.before == number && each.backend == step.name &&
                       std::ranges::any_of(each.nodes, &StepDiff::differs);
            });
            inside.push_back(found == method.delegates.end() ? nullptr : &*found);
        }
    }
    void remember(const StepDiff& step, std::size_t row) {
        if (step.chain == 0 && step.before) {
            places[0].emplace(*step.before, row);
        }
        if (step.chain == 0 && step.after) {
            places[1].emplace(*step.after, row);
        }
    }
    void addStep(const StepDiff& step) {
        remember(step, out.rows.size());
        AlignedRow row{.change = step.change,
                       .moved = step.moved,
                       .texts = {textOf(step, step.before), textOf(step, step.after)},
                       .tip = changesOf(step)};
        if (step.before && step.chain == 0) {
            row.first =
                OperatorRef{.method = method.name,
                            .instruction = core::InstructionId(static_cast<std::int32_t>(*step.before))};
        }
        out.rows.push_back(std::move(row));
    }
    void addInside(const std::vector<StepDiff>& nodes) {
        for (std::size_t at = 0; at < nodes.size();) {
            const auto end = std::find_if(nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.end(),
                                          [](const StepDiff& node) { return node.differs(); });
            const std::size_t same = static_cast<std::size_t>(end - nodes.begin()) - at;
            if (same >= AlignedSteps::fewestFolded) {
                fold(same);
                at += same;
                continue;
            }
            out.rows.push_back(
                {.kind = AlignedRow::Kind::Inside,
                 .change = nodes[at].change,
                 .moved = nodes[at].moved,
                 .texts = {textOf(nodes[at], nodes[at].before), textOf(nodes[at], nodes[at].after)},
                 .tip = changesOf(nodes[at])});
            ++at;
        }
    }
    void addFolded(std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count; ++i) {
            remember(method.steps[i], out.rows.size());
        }
        fold(count);
    }
    void fold(std::size_t count) {
        const QString text = QStringLiteral("%1 equal").arg(count);
        out.rows.push_back({.kind = AlignedRow::Kind::Same, .texts = {text, text}, .tip = text});
    }

    AlignedSteps& out;
    const MethodDiff& method;
    std::vector<const inspector::DelegateDiff*> inside;        ///< by step; null: nothing to show
    std::array<std::map<std::size_t, std::size_t>, 2> places;  ///< rows by step of the first chain
};

}  // namespace

AlignedSteps AlignedSteps::of(const inspector::ProgramDiff& diff, const std::array<LinksByMethod, 2>& links) {
    AlignedSteps out;
    for (const MethodDiff& method : diff.methods) {
        if (diff.methods.size() > 1) {
            const QString name = toQString(method.name);
            out.rows.push_back({.kind = AlignedRow::Kind::Method,
                                .change = method.change,
                                .texts = {method.change == Change::Added ? QString() : name,
                                          method.change == Change::Removed ? QString() : name},
                                .tip = name});
        }
        MethodRows rows(out, method);
        rows.add();
        for (std::size_t side = 0; side < links.size(); ++side) {
            if (const auto found = links[side].find(method.name); found != links[side].end()) {
                rows.addArrows(side, found->second);
            }
        }
    }
    return out;
}

std::optional<std::size_t> AlignedSteps::difference(std::optional<std::size_t> from, int by) const {
    const auto count = static_cast<std::ptrdiff_t>(rows.size());
    const std::ptrdiff_t start = from ? static_cast<std::ptrdiff_t>(*from) + by : (by > 0 ? 0 : count - 1);
    for (std::ptrdiff_t at = start; at >= 0 && at < count; at += by) {
        const AlignedRow& row = rows[static_cast<std::size_t>(at)];
        if (row.kind != AlignedRow::Kind::Same && (row.change != Change::Same || row.moved)) {
            return static_cast<std::size_t>(at);
        }
    }
    return std::nullopt;
}

}  // namespace et::visualizers
