#include "app/output/report/page_trace.h"

#include "app/output/report/page_events.h"
#include "app/output/report/timeline_picture.h"
#include "inspector/events/event_fields.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/slices.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Block;
using inspector::Event;
using inspector::events::EventRow;
using inspector::events::RunSlices;
using inspector::events::Slice;

class TraceWriter {
  public:
    TraceWriter(core::JsonWriter& to, PageTexts& with, const inspector::EventBlocks& of)
        : out(to), texts(with), blocks(of), known(of) {
        const auto source = blocks.options().clock.unit;
        const auto target = blocks.options().target;
        cycles = source == inspector::TimeScale::Cycles;
        perTick = cycles ? 1 : 1e9 / inspector::traits(source).perSecond;
        perUnit = cycles ? 1 : 1e9 / inspector::traits(target).perSecond;
    }

    void write(std::string_view name, std::size_t firstEvent, std::size_t maxSlices) {
        out.beginObject();
        out.member("name", [&] { out.string(name); });
        out.member("unit", [&] { out.string(cycles ? "cycles" : "ns"); });
        out.member("perTick", [&] { out.number(perTick); });
        out.member("first", [&] { out.integer(std::uint64_t{firstEvent}); });
        out.member("events", [&] { writeEvents(); });
        writeRuns(maxSlices);
        out.endObject();
    }

    [[nodiscard]] std::size_t events() const { return known.rows().size(); }

  private:
    void number(double value) {
        out.number(std::isfinite(value) ? std::round(value * perUnit * 10) / 10 : 0);
    }

    void writeEvents() {
        out.beginArray();
        for (const EventRow& row : known.rows()) {
            writeEvent(row);
        }
        out.endArray();
    }

    void writeEvent(const EventRow& row) {
        const Event& event = *row.event;
        const Block& block = *row.block;
        const auto runs = static_cast<double>(std::max<std::size_t>(block.runs.size(), 1));
        out.beginArray();
        text(inspector::events::readableOperator(block, event));
        out.integer(std::uint64_t{static_cast<std::uint8_t>(pageKind(event))});
        text(inspector::events::readableModule(block, event));
        text(listText(inspector::events::opTypeCells(block, event)));
        text(listText(inspector::events::sourceLines(block, event)));
        text(event.backend);
        out.integer(std::int64_t{event.instruction.value});
        out.integer(row.parent ? static_cast<std::int64_t>(*row.parent) : -1);
        out.integer(static_cast<std::uint64_t>(row.blockAt));
        number(row.typicalSelf / runs);
        number(event.statistics.p10);
        number(event.statistics.p50);
        number(event.statistics.p90);
        out.integer(static_cast<std::uint64_t>(event.samples.size()));
        out.beginArray();
        for (const core::DebugHandle handle : event.handles) {
            out.integer(std::int64_t{handle.value});
        }
        out.endArray();
        text(event.name);
        out.endArray();
    }

    /// Writes runs in order, and counts those that do not fit. The median run is always included, reduced to
    /// its longest events if there are too many.
    void writeRuns(std::size_t maxSlices) {
        const auto runs = blocks.trace().runs();
        const std::uint32_t median = findMedianRun(blocks);
        inspector::events::SliceReader reader(blocks.trace());
        std::vector<std::pair<std::uint32_t, RunSlices>> kept;
        std::size_t budget = median < runs.size()
                                 ? maxSlices - std::min<std::size_t>(maxSlices, runs[median].eventCount)
                                 : maxSlices;
        std::size_t left = 0;
        for (std::uint32_t i = 0; i < runs.size(); ++i) {
            RunSlices slices = reader.next(runs[i]);
            known.leaveOutWrappers(slices.slices);
            if (i != median && slices.slices.size() > budget) {
                ++left;
                continue;
            }
            budget -= i == median ? 0 : slices.slices.size();
            if (slices.slices.size() > maxSlices) {
                keepLongest(slices.slices, maxSlices);
            }
            kept.emplace_back(i, std::move(slices));
        }
        out.member("left", [&] { out.integer(std::uint64_t{left}); });
        out.member("median", [&] { out.integer(std::uint64_t{median}); });
        out.member("runs", [&] {
            out.beginArray();
            for (const auto& [run, slices] : kept) {
                writeRun(run, slices.slices);
            }
            out.endArray();
        });
        out.member("orders", [&] { writeOrders(); });
    }

    static void keepLongest(std::vector<Slice>& slices, std::size_t max) {
        const auto length = [](const Slice& slice) { return slice.end - slice.start; };
        std::vector<std::uint64_t> lengths(slices.size());
        std::ranges::transform(slices, lengths.begin(), length);
        const auto bound = lengths.begin() + static_cast<std::ptrdiff_t>(max);
        std::ranges::nth_element(lengths, bound, std::greater{});
        const std::uint64_t shortest = *bound;
        std::erase_if(slices, [&](const Slice& slice) { return length(slice) <= shortest; });
    }

    /// [number, name, order, starts, lengths]: starts are relative to the previous one, in ticks.
    void writeRun(std::uint32_t run, const std::vector<Slice>& slices) {
        std::vector<std::int64_t> order;
        for (const Slice& slice : slices) {
            order.push_back(rowNumber(slice));
        }
        const auto [at, fresh] = orders.try_emplace(std::move(order), orders.size());
        out.beginArray();
        out.integer(std::uint64_t{run});
        text(inspector::events::readableBlock(blocks.trace().text(blocks.trace().runs()[run].name)));
        out.integer(static_cast<std::uint64_t>(at->second));
        out.beginArray();
        for (const Slice& slice : slices) {
            out.integer(static_cast<std::int64_t>(slice.start - lastStart));
            lastStart = slice.start;
        }
        out.endArray();
        out.beginArray();
        for (const Slice& slice : slices) {
            out.integer(slice.end - slice.start);
        }
        out.endArray();
        out.endArray();
    }

    /// The event of the slice. A slice without a row (an event repeated in its run) is encoded as -1 minus
    /// twice the number of its name, minus one more if it belongs to a delegate.
    std::int64_t rowNumber(const Slice& slice) {
        if (const auto row = known.rowOf(slice.event)) {
            return static_cast<std::int64_t>(*row);
        }
        const auto name = texts.number(blocks.trace().text(blocks.trace().events().name[slice.event]));
        return -1 - static_cast<std::int64_t>(2 * name + (slice.delegated ? 1 : 0));
    }

    void writeOrders() {
        std::vector<const std::vector<std::int64_t>*> byNumber(orders.size());
        for (const auto& [order, number] : orders) {
            byNumber[number] = &order;
        }
        out.beginArray();
        for (const auto* const order : byNumber) {
            out.beginArray();
            for (const std::int64_t event : *order) {
                out.integer(event);
            }
            out.endArray();
        }
        out.endArray();
    }

    void text(std::string_view content) { out.integer(static_cast<std::uint64_t>(texts.number(content))); }

    core::JsonWriter& out;
    PageTexts& texts;
    const inspector::EventBlocks& blocks;
    PageEvents known;
    std::map<std::vector<std::int64_t>, std::size_t> orders;
    std::uint64_t lastStart = 0;
    double perTick = 1;
    double perUnit = 1;
    bool cycles = false;
};

}  // namespace

std::size_t writePageTrace(core::JsonWriter& out, PageTexts& texts, const inspector::EventBlocks& blocks,
                           std::string_view name, std::size_t firstEvent, std::size_t maxSlices) {
    TraceWriter writer(out, texts, blocks);
    writer.write(name, firstEvent, maxSlices);
    return writer.events();
}

}  // namespace et::output
