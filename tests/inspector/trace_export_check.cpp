#include "tests/inspector/trace_export_check.h"

#include "inspector/events/chrome_trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace et::test {
namespace {

using simdjson::dom::element;

/// Slices are compared in whole picoseconds, so that decimal rounding does not matter.
struct Span {
    std::int64_t start, end;
};

Span spanOf(element slice) {
    constexpr double picoseconds = 1e6;
    const double start = double(slice["ts"]) * picoseconds;
    return {std::llround(start), std::llround(start + double(slice["dur"]) * picoseconds)};
}

void expectNested(std::vector<Span> spans) {
    std::vector<std::int64_t> open;
    std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
        return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    for (const Span& span : spans) {
        while (!open.empty() && open.back() <= span.start) {
            open.pop_back();
        }
        EXPECT_TRUE(open.empty() || span.end <= open.back()) << span.start << " to " << span.end;
        open.push_back(span.end);
    }
}

std::size_t runsWithProfile(const etdump::Trace& trace) {
    std::size_t count = 0;
    for (const etdump::Run& run : trace.runs()) {
        const auto kinds = std::span(trace.events().kind).subspan(run.firstEvent, run.eventCount);
        count += std::ranges::find(kinds, etdump::EventKind::Profile) != kinds.end() ? 1 : 0;
    }
    return count;
}

}  // namespace

std::string exported(const inspector::EventBlocks& blocks) {
    std::ostringstream stream;
    const auto written = inspector::events::writeChromeTrace(blocks, stream);
    EXPECT_TRUE(written) << written.error().toString();
    return stream.str();
}

element findSlice(element document, std::string_view name) {
    for (const element event : document["traceEvents"].get_array()) {
        if (std::string_view(event["ph"]) != "M" && std::string_view(event["name"]) == name) {
            return event;
        }
    }
    ADD_FAILURE() << "no slice " << name;
    return {};
}

void checkExport(const inspector::EventBlocks& blocks) {
    simdjson::dom::parser parser;
    std::map<std::int64_t, std::vector<Span>> tracks;
    std::map<std::string, std::size_t> counts;
    std::set<std::uint64_t> open;
    for (const element event : parsed(parser, exported(blocks))["traceEvents"].get_array()) {
        const std::string phase = textOf(event["ph"]);
        ++counts[phase];
        if (phase == "X") {
            EXPECT_GE(double(event["ts"]), 0);
            tracks[event["tid"]].push_back(spanOf(event));
        } else if (phase == "b") {
            EXPECT_TRUE(open.insert(event["id"]).second);
        } else if (phase == "e") {
            EXPECT_EQ(open.erase(event["id"]), 1U);
        }
    }
    EXPECT_TRUE(open.empty());
    const etdump::Trace& trace = blocks.trace();
    const auto ofKind = [&](etdump::EventKind kind) {
        return static_cast<std::size_t>(std::ranges::count(trace.events().kind, kind));
    };
    EXPECT_EQ(counts["X"] + counts["b"], ofKind(etdump::EventKind::Profile) + runsWithProfile(trace));
    EXPECT_EQ(counts["C"], ofKind(etdump::EventKind::Allocation));
    for (auto& [track, spans] : tracks) {
        SCOPED_TRACE(track);
        expectNested(std::move(spans));
    }
}

}  // namespace et::test
