#include "app/output/report/timeline_picture.h"

#include "app/output/report/page_events.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/slices.h"
#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Block;
using inspector::Event;
using inspector::EventBlocks;
using inspector::TimeScale;
using inspector::events::RunSlices;
using inspector::events::Slice;
using inspector::format::SvgPicture;

constexpr double pictureWidth = 1150;
constexpr double margin = 8;
constexpr double rowHeight = 22;
constexpr double axisHeight = 24;
constexpr double fontSize = 11;
constexpr std::size_t deepest = 12;  ///< rows of one kind; deeper nesting is not drawn
constexpr std::size_t maxDrawn = 5000;

/// Colours by kind: those of the page (page.css), or those of its light theme in a standalone picture; dark
/// text on light fills.
constexpr std::string_view timelineStyles =
    ".op rect{stroke:#1f2328;stroke-width:.4;stroke-opacity:.5}.op text{fill:#000;font-size:11px}"
    ".k0 rect{fill:var(--k0,#7b818a)}.k1 rect{fill:var(--k1,#0072b2)}.k2 rect{fill:var(--k2,#007a5a)}.k3 "
    "rect{fill:var(--k3,#4ca18b)}"
    ".k1 text,.k2 text{fill:var(--page,#fff)}.op:hover rect{stroke-width:1.6;stroke-opacity:1}";

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
    }

    std::string draw(std::size_t& drawn) {
        SvgPicture picture(pictureWidth, axisHeight + static_cast<double>(rows()) * rowHeight + margin,
                           timelineStyles);
        picture.rect({.x = 0,
                      .y = 0,
                      .width = pictureWidth,
                      .height = axisHeight + static_cast<double>(rows()) * rowHeight + margin},
                     "page");
        drawAxis(picture);
        keepVisible();
        for (const Placed& each : places) {
            drawSlice(picture, each);
        }
        drawn = places.size();
        return std::move(picture).finish();
    }

  private:
    [[nodiscard]] std::size_t rows() const {
        std::size_t count = 0;
        for (const Placed& each : places) {
            count = std::max(count, each.row + 1);
        }
        return count;
    }

    [[nodiscard]] double xOf(std::uint64_t tick) const {
        const auto span = static_cast<double>(std::max<std::uint64_t>(end - start, 1));
        return margin + (pictureWidth - 2 * margin) * static_cast<double>(tick - start) / span;
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
        const TimeScale source = blocks.options().source;
        return inspector::format::readableTime(static_cast<double>(ticks), source);
    }

    void drawAxis(SvgPicture& picture) {
        constexpr int parts = 5;
        const double bottom = axisHeight + static_cast<double>(rows()) * rowHeight;
        for (int i = 0; i <= parts; ++i) {
            const double x = margin + (pictureWidth - 2 * margin) * i / parts;
            const auto anchor = i == 0       ? inspector::format::TextAnchor::Start
                                : i == parts ? inspector::format::TextAnchor::End
                                             : inspector::format::TextAnchor::Middle;
            picture.line(x, axisHeight - 6, x, bottom, "grid");
            picture.text(x, axisHeight - 10, timeText((end - start) / parts * static_cast<std::uint64_t>(i)),
                         "faint", anchor);
        }
    }

    void drawSlice(SvgPicture& picture, const Placed& each) {
        const double left = xOf(each.slice->start);
        const double length = xOf(each.slice->end) - left;
        const double top = axisHeight + static_cast<double>(each.row) * rowHeight;
        const auto [name, kind] = nameAndKind(*each.slice);
        picture.begin(fmt::format("op k{}", static_cast<int>(kind)),
                      fmt::format("{}\n{}", name, timeText(each.slice->end - each.slice->start)));
        picture.rect({.x = left, .y = top, .width = length, .height = rowHeight - 3}, "slice");
        const std::string shown = inspector::format::fittedText(name, length - 6, fontSize);
        if (!shown.empty()) {
            picture.text(left + 3, top + rowHeight - 8, shown, "label");
        }
        picture.end();
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
