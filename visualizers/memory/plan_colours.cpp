#include "visualizers/memory/plan_colours.h"

#include "inspector/memory/memory_text.h"
#include "inspector/memory/plan_plot.h"
#include "visualizers/toolkit/name_colour.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace et::visualizers {

namespace {

using inspector::MemoryTimeline;
using inspector::PlannedTensor;

constexpr std::size_t maxEntries = 12;

/// "float32" from "float32 [1, 16, 48, 48]", without "up to …".
std::string_view typeOf(const PlannedTensor& tensor) {
    const std::string_view text = tensor.type;
    return text.substr(0, text.find(' '));
}

/// The colour at a position of the palette, which repeats.
QRgb paletteColour(std::size_t place) {
    constexpr QRgb opaque = 0xff000000;
    return opaque | inspector::tensorKindColours[place % inspector::tensorKindColours.size()];
}

/// Colours tensors by groups of names: `colourOf` maps a name and the number of names before it to a colour.
template <class NameOf, class ColourOf>
PlanColours byName(const MemoryTimeline& timeline, NameOf nameOf, ColourOf colourOf) {
    struct Group {
        QRgb colour = 0;
        std::uint64_t bytes = 0;
        std::size_t count = 0;
    };
    std::map<std::string, Group> groups;
    PlanColours out;
    for (const PlannedTensor& tensor : timeline.tensors) {
        const auto [group, fresh] = groups.try_emplace(std::string(nameOf(tensor)));
        if (fresh) {
            group->second.colour = colourOf(tensor, groups.size() - 1);
        }
        group->second.bytes += tensor.bytes;
        ++group->second.count;
        out.tensors.push_back(group->second.colour);
    }
    std::vector<std::pair<std::string, Group>> sorted(groups.begin(), groups.end());
    std::ranges::stable_sort(sorted, std::greater{}, [](const auto& each) { return each.second.bytes; });
    sorted.resize(std::min(sorted.size(), maxEntries));
    for (const auto& [name, group] : sorted) {
        out.legend.push_back(
            {QColor::fromRgb(group.colour), QStringLiteral("%1 (%2)").arg(toQString(name)).arg(group.count)});
    }
    return out;
}

/// Short lifetimes are light, long ones dark.
PlanColours byLifetime(const MemoryTimeline& timeline) {
    constexpr int hue = 210;
    constexpr int saturation = 150;
    constexpr double lightest = 215;
    constexpr double darkest = 70;
    const auto all = static_cast<double>(timeline.steps.size() + 2);
    const auto colourOf = [&](double part) {
        return QColor::fromHsl(hue, saturation, static_cast<int>(lightest + (darkest - lightest) * part));
    };
    PlanColours out;
    for (const PlannedTensor& tensor : timeline.tensors) {
        const auto alive =
            static_cast<double>(std::max<inspector::Step>(tensor.lastStep - tensor.firstStep, 0) + 1);
        out.tensors.push_back(colourOf(std::min(alive / all, 1.0)).rgb());
    }
    for (const double part : {0.0, 0.5, 1.0}) {
        out.legend.push_back({colourOf(part), QStringLiteral("%1 % of the run").arg(part * 100)});
    }
    return out;
}

}  // namespace

PlanColours planColours(const MemoryTimeline& timeline, ColourBy by, bool dark) {
    switch (by) {
        case ColourBy::Kind:
            return byName(
                timeline, [](const PlannedTensor& each) { return inspector::tensorKindName(each.kind); },
                [](const PlannedTensor& each, std::size_t) {
                    return paletteColour(static_cast<std::size_t>(each.kind));
                });
        case ColourBy::Type:
            return byName(timeline, typeOf,
                          [](const PlannedTensor&, std::size_t place) { return paletteColour(place + 3); });
        case ColourBy::Operator:
            return byName(timeline, inspector::readableWriter,
                          [dark](const PlannedTensor& each, std::size_t) {
                              return barColour(inspector::readableWriter(each), dark).rgb();
                          });
        case ColourBy::Lifetime:
            break;
    }
    return byLifetime(timeline);
}

}  // namespace et::visualizers
