// Fuzzes joining a trace with the ETRecord and program of a possibly different model, and all output: JSON
// must be valid whatever names the trace has, and a session must have everything in its tables.
#include "app/samples/sample_set.h"
#include "inspector/events/chrome_trace.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_table.h"
#include "inspector/session/placement.h"
#include "inspector/session/session.h"
#include "inspector/store/session_store.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/support/scratch_folder.h"

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

namespace {

using et::fuzz::require;
using et::inspector::EventBlocks;

/// Session of a model whose names can be changed.
std::shared_ptr<const et::inspector::Session> sample() {
    const et::test::ScratchFolder folder;
    const auto paths = et::samples::writeSampleSet("add_mul", folder.path());
    require(paths.has_value());
    const auto files = et::inspector::placeFiles(*paths, et::inspector::SessionScope::All);
    require(files.has_value());
    const auto session = et::inspector::Session::open(*files);
    require(session.has_value());
    return *session;
}

void requireJson(const std::string& text) {
    static simdjson::dom::parser parser;
    require(parser.parse(text).error() == simdjson::SUCCESS);
}

void write(const EventBlocks& blocks) {
    std::ostringstream out;
    if (et::inspector::events::writeChromeTrace(blocks, out)) {
        requireJson(out.str());
    }
    requireJson(et::inspector::events::eventsJson(blocks));
    et::inspector::events::EventTableOptions options;
    options.columns = {"all"};
    for (const et::inspector::format::Format format :
         {et::inspector::format::Format::Json, et::inspector::format::Format::Csv,
          et::inspector::format::Format::Markdown}) {
        const auto text = et::inspector::events::renderEvents(blocks, options, format);
        require(text.has_value());
        if (format == et::inspector::format::Format::Json) {
            requireJson(*text);
        }
    }
    for (const et::inspector::events::GroupBy group :
         {et::inspector::events::GroupBy::Op, et::inspector::events::GroupBy::Delegate,
          et::inspector::events::GroupBy::Module}) {
        et::inspector::events::EventTableOptions grouped;
        grouped.groupBy = group;
        std::ignore = et::inspector::events::renderEvents(
            blocks, grouped, et::inspector::format::Format::Table, {.width = 80, .adaptUnits = true});
    }
}

/// Creates the tables that queries read.
void tabulate(et::inspector::Session session, std::shared_ptr<const et::etdump::Trace> trace,
              std::shared_ptr<const EventBlocks> blocks) {
    session.trace = std::move(trace);
    session.blocks = std::move(blocks);
    const auto events = static_cast<std::int64_t>(session.trace->eventCount());
    if (const auto database = et::inspector::store::sessionDatabase(session, {})) {
        require((*database)->number("SELECT count(*) FROM events").value() <= events);
    } else {
        std::ignore = database.error().toString();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto known = sample();
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto trace =
        et::etdump::Trace::parse(et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()}));
    if (!trace || (*trace)->eventCount() > 500) {
        return 0;
    }
    const std::size_t choice = size % 4;
    const auto blocks = EventBlocks::build(
        *trace, choice < 2 ? known->record : nullptr, choice % 2 == 0 ? known->debugBuffer : nullptr,
        {.referenceQuirks = size % 16 == 1, .everyRepeat = size % 8 < 4, .leaveOutOutliers = size % 8 == 3},
        choice == 1 ? nullptr : known->program.get());
    if (blocks) {
        write(**blocks);
        if (size % 32 == 5) {
            tabulate(*known, *trace, *blocks);
        }
    } else {
        std::ignore = blocks.error().toString();
    }
    return 0;
}
