#include "app/output/report/timeline_picture.h"

#include "app/output/report/page_events.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/slices.h"
#include "inspector/format/quantities.h"
#include "inspector/plot/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {

namespace plot = inspector::plot;

namespace {

using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;
using inspector::TimeScale;
using inspector::events::RunSlices;
using inspector::events::Slice;

constexpr double pictureWidth = 1150;
constexpr double margin = 8;
constexpr double rowHeight = 22;
constexpr double axisHeight = 24;
constexpr std::size_t deepest = 12;  ///< rows of one kind; deeper nesting is not drawn
constexpr std::size_t maxDrawn = 5000;

constexpr plot::Style barStyle(std::string_view name, plot::Tone fill, double opacity = 1) {
    return {.name = name, .fill = fill, .stroke = plot::Tone::Ink, .width = 0.4, .opacity = opacity};
}

constexpr plot::Style onDarkBar{.name = "on-dark", .fill = plot::Tone::Page};

/// How the slices of a kind are drawn.
struct SliceStyle {
    std::string_view group;
    plot::Style bar;
    plot::Style label;
};
/// In the order of PageKind.
constexpr std::array sliceStyles{
    SliceStyle{.group = "op k0", .bar = barStyle("bar runtime", plot::Tone::Faint), .label = onDarkBar},
    SliceStyle{.group = "op k1", .bar = barStyle("bar kernel", plot::Tone::Kernel), .label = onDarkBar},
    SliceStyle{.group = "op k2", .bar = barStyle("bar delegate", plot::Tone::Delegate), .label = onDarkBar},
    SliceStyle{.group = "op k3",
               .bar = barStyle("bar delegated", plot::Tone::Delegate, 0.45),
               .label = plot::inkStyle},
};

const Block* largestBlock(const EventBlocks& blocks) {
    const Block* largest = nullptr;
    for (const Block& block : blocks.blocks()) {
        const bool timed =
            std::ranges::any_of(block.events, [](const Event& each) { return !each.samples.empty(); });
        if (timed && (largest == nullptr || block.runs.size() > largest->runs.size())) {
            largest = &block;
        }
    }
    return largest;
}

/// The longest event of a block gives the length of its runs.
std::uint32_t medianRun(const Block& block) {
    const Event* whole = nullptr;
    for (const Event& event : block.events) {
        if (event.samples.size() == block.runs.size() &&
            (whole == nullptr || event.statistics.p50 > whole->statistics.p50)) {
            whole = &event;
        }
    }
    if (whole == nullptr || whole->samples.empty()) {
        return block.runs.front();
    }
    std::vector<std::size_t> order(whole->samples.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::ranges::nth_element(order, middle, {}, [&](std::size_t at) { return whole->samples[at]; });
    return block.runs[*middle];
}

RunSlices collectSlices(const etdump::Trace& trace, std::uint32_t run) {
    inspector::events::SliceReader reader(trace);
    RunSlices slices;
    for (std::uint32_t i = 0; i <= run; ++i) {
        slices = reader.next(trace.runs()[i]);
    }
    return slices;
}

/// Position of a slice: nested slices are one row lower.
struct Placed {
    const Slice* slice;
    std::size_t row;
};

std::vector<Placed> placed(std::span<const Slice> slices, bool delegated, std::size_t firstRow) {
    std::vector<Placed> out;
    std::vector<std::uint64_t> ends;
    for (const Slice& slice : slices) {
        if (slice.delegated != delegated) {
            continue;
        }
        while (!ends.empty() && ends.back() <= slice.start) {
            ends.pop_back();
        }
        if (ends.size() < deepest) {
            out.push_back({.slice = &slice, .row = firstRow + ends.size()});
            ends.push_back(slice.end);
        }
    }
    return out;
}

/// Draws one run.
class RunPicture {
  public:
    RunPicture(const EventBlocks& of, const PageEvents& with, const RunSlices& run)
        : blocks(of), known(with) {
        for (const Slice& slice : run.slices) {
            start = std::min(start, slice.start);
            end = std::max(end, slice.end);
        }
        places = placed(run.slices, false, 0);
        const std::vector<Placed> inside = placed(run.slices, true, rows());
        places.insert(places.end(), inside.begin(), inside.end());
        frame.area.height = static_cast<double>(rows()) * rowHeight;
    }

    std::string draw(std::size_t& drawn) {
        plot::Scene scene{.area = frame.area};
        plot::addTimeAxis(scene, frame, 0, length(),
                          inspector::format::measureOf(blocks.options().clock.unit));
        keepVisible();
        for (const Placed& each : places) {
            addSlice(scene, each);
        }
        drawn = places.size();
        return plot::svgText(scene, pictureWidth, frame.bottom() + margin);
    }

  private:
    [[nodiscard]] std::size_t rows() const {
        std::size_t count = 0;
        for (const Placed& each : places) {
            count = std::max(count, each.row + 1);
        }
        return count;
    }

    [[nodiscard]] double length() const {
        return static_cast<double>(std::max<std::uint64_t>(end - start, 1));
    }

    [[nodiscard]] double xOf(std::uint64_t tick) const {
        return frame.onScreen({.x = static_cast<double>(tick - start) / length()}).x;
    }

    /// Drops slices thinner than a line; of too many, keeps the longest.
    void keepVisible() {
        constexpr double thinnest = 0.3;
        std::erase_if(places, [&](const Placed& each) {
            return xOf(each.slice->end) - xOf(each.slice->start) < thinnest;
        });
        if (places.size() > maxDrawn) {
            std::ranges::nth_element(places, places.begin() + maxDrawn, std::greater{},
                                     [](const Placed& each) { return each.slice->end - each.slice->start; });
            places.resize(maxDrawn);
        }
    }

    [[nodiscard]] std::string timeText(std::uint64_t ticks) const {
        const TimeScale source = blocks.options().clock.unit;
        return inspector::format::readableTime(static_cast<double>(ticks), source);
    }

    void addSlice(plot::Scene& scene, const Placed& each) const {
        const double left = xOf(each.slice->start);
        const double width = xOf(each.slice->end) - left;
        const double top = frame.area.y + static_cast<double>(each.row) * rowHeight;
        const auto [name, kind] = nameAndKind(*each.slice);
        const SliceStyle& style = sliceStyles[static_cast<std::size_t>(kind)];
        const std::size_t item = scene.items.size();
        scene.items.push_back(
            {.kind = style.group,
             .tip = fmt::format("{}\n{}", name, timeText(each.slice->end - each.slice->start))});
        scene.marks.push_back(
            {.shape = plot::Box{.x = left, .y = top, .width = width, .height = rowHeight - 3},
             .style = style.bar,
             .item = item});
        if (std::string shown = frame.fitted(name, width - 6); !shown.empty()) {
            scene.text({.x = left + 3, .y = top + rowHeight - 8}, std::move(shown), style.label);
            scene.marks.back().item = item;
        }
    }

    /// An event that was repeated within its run has no row, so only the trace's own name is known.
    [[nodiscard]] std::pair<std::string, PageKind> nameAndKind(const Slice& slice) const {
        if (const auto row = known.rowOf(slice.event)) {
            const inspector::events::EventRow& of = known.rows()[*row];
            return {inspector::events::readableName(*of.block, *of.event), pageKind(*of.event)};
        }
        return {std::string(blocks.trace().text(nameOf(blocks.trace(), slice.event))),
                slice.delegated ? PageKind::Delegated : PageKind::Runtime};
    }

    /// Delegates identify their events by number or text.
    static etdump::NameId nameOf(const etdump::Trace& trace, etdump::EventIndex event) {
        const etdump::EventColumns& events = trace.events();
        const etdump::NameId own = events.delegateString[event];
        return own != etdump::noName && !trace.text(own).empty() ? own : events.name[event];
    }

    const EventBlocks& blocks;
    const PageEvents& known;
    std::uint64_t start = ~std::uint64_t{0};
    std::uint64_t end = 0;
    std::vector<Placed> places;
    plot::Frame frame{
        .area = {.x = margin, .y = axisHeight, .width = pictureWidth - 2 * margin, .height = 0}};
};

}  // namespace

std::uint32_t findMedianRun(const EventBlocks& blocks) {
    const Block* const block = largestBlock(blocks);
    return block == nullptr || block->runs.empty() ? 0 : medianRun(*block);
}

std::optional<TimelinePicture> timelinePicture(const EventBlocks& blocks) {
    const Block* const block = largestBlock(blocks);
    if (block == nullptr || block->runs.empty()) {
        return std::nullopt;
    }
    TimelinePicture picture;
    picture.run = medianRun(*block);
    RunSlices run = collectSlices(blocks.trace(), picture.run);
    const PageEvents known(blocks);
    known.leaveOutWrappers(run.slices);
    if (run.slices.empty()) {
        return std::nullopt;
    }
    picture.events = run.slices.size();
    picture.svg = RunPicture(blocks, known, run).draw(picture.drawn);
    return picture;
}

}  // namespace et::output
