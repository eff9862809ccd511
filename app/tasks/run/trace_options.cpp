#include "app/tasks/run/trace_options.h"

#include "app/tasks/base/option_list.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/run/tap_filter.h"
#include "etrecord/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>

namespace et::tasks {
namespace {

using core::DebugLevel;
using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array debugLevels{Choice{"outputs", DebugLevel::Outputs},
                                 Choice{"intermediates", DebugLevel::Intermediates}};

constexpr std::string_view handlePrefix = "handle:";

std::optional<std::int32_t> nonNegative(std::string_view text) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool all = error == std::errc{} && end == text.data() + text.size() && number >= 0;
    return all ? std::optional(number) : std::nullopt;
}

/// Parses "7" or "7-9".
std::optional<etdump::DebugFilter::Range> instructionRange(std::string_view text) {
    const std::size_t dash = text.find('-');
    const auto first = nonNegative(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : nonNegative(text.substr(dash + 1));
    if (!first || !last || *first > *last) {
        return std::nullopt;
    }
    return etdump::DebugFilter::Range{.first = *first, .last = *last};
}

/// Finds the instructions of debug handles in a record, which is opened on first use.
class HandleFinder {
  public:
    HandleFinder(std::string recordPath, std::string methodName)
        : path(std::move(recordPath)), method(std::move(methodName)) {}

    Result<> addInstructions(std::string_view text, etdump::DebugFilter& filter) {
        const auto number = nonNegative(text);
        if (!number) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--debug-filter: '{}' is not a debug handle", text));
        }
        ET_TRY(open());
        const std::size_t before = filter.instructions.size();
        for (const auto& [instruction, entry] : maps->debugHandles) {
            if (std::ranges::contains(entry.handles, core::DebugHandle(*number))) {
                filter.instructions.push_back({.first = instruction.value, .last = instruction.value});
            }
        }
        if (filter.instructions.size() == before) {
            return fail(ErrorCode::NotFound, fmt::format("no instruction has debug handle {}", *number),
                        {.file = path, .field = {}, .offset = {}});
        }
        return {};
    }

  private:
    Result<> open() {
        if (maps != nullptr) {
            return {};
        }
        if (path.empty()) {
            return fail(ErrorCode::InvalidArgument, "--debug-filter handle:N needs --etrecord");
        }
        ET_ASSIGN(record, openRecord(path));
        const auto& known = record->methods();
        const std::string name = !method.empty() ? method : (known.size() == 1 ? known.front() : "forward");
        maps = record->maps(name);
        if (maps == nullptr) {
            return fail(ErrorCode::NotFound, fmt::format("no debug handles of method \"{}\"", name),
                        {.file = path, .field = {}, .offset = {}});
        }
        return {};
    }

    std::string path;
    std::string method;
    std::shared_ptr<const etrecord::Record> record;
    const etrecord::MethodMaps* maps = nullptr;
};

Result<etdump::DebugFilter> parseFilter(const TraceOptions& options, const std::string& method) {
    etdump::DebugFilter filter;
    HandleFinder handles(options.record, method);
    for (const std::string& part : options.debugFilter) {
        if (part.starts_with(handlePrefix)) {
            ET_TRY(handles.addInstructions(std::string_view(part).substr(handlePrefix.size()), filter));
        } else if (const auto range = instructionRange(part)) {
            filter.instructions.push_back(*range);
        } else if (!part.empty()) {
            filter.names.push_back(part);
        }
    }
    return filter;
}

}  // namespace

Result<std::optional<etdump::RecorderOptions>> recorderOptions(const TraceOptions& options,
                                                               const std::string& method) {
    const bool filtered = !options.debugFilter.empty();
    if ((options.debugLevel || filtered) && options.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} needs --debug-buffer", filtered ? "--debug-filter" : "--debug-level"));
    }
    if (!options.taps.empty() && options.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument, "--taps needs --debug-buffer");
    }
    if (options.trace.empty()) {
        if (!options.debugBuffer.empty()) {
            return fail(ErrorCode::InvalidArgument, "--debug-buffer needs --etdump");
        }
        if (options.counters) {
            return fail(ErrorCode::InvalidArgument, "--counters needs --etdump");
        }
        return std::nullopt;
    }
    if (options.trace == options.debugBuffer) {
        return fail(ErrorCode::InvalidArgument, "--etdump and --debug-buffer need different files");
    }
    etdump::RecorderOptions recording;
    recording.traceFile = options.trace;
    recording.allocations = options.allocations;
    recording.maxEvents = options.maxEvents.value_or(recording.maxEvents);
    if (!options.debugBuffer.empty()) {
        recording.debugBufferFile = options.debugBuffer;
        recording.debugLevel =
            options.debugLevel.value_or(filtered ? DebugLevel::Intermediates : DebugLevel::Outputs);
        ET_ASSIGN(recording.debugFilter, parseFilter(options, method));
    }
    if (!options.taps.empty()) {
        ET_ASSIGN(recording.taps, tapFilter(options.taps));
    }
    return recording;
}

void addTraceOptions(OptionList& options, TraceOptions& trace) {
    options.group("Trace");
    options.text("--etdump FILE", trace.trace, "Record a trace (ETDump) to this file");
    options.text("--debug-buffer FILE", trace.debugBuffer, "Log values to this file; needs --etdump");
    options.choice("--debug-level", trace.debugLevel, debugLevels,
                   "Log the outputs of the method, or also the results of every instruction (default: "
                   "outputs; intermediates with --debug-filter)");
    options.text("--debug-filter WHAT,...", trace.debugFilter,
                 "Log only these operators (conv*, add.out), instructions (12, 3-7) or debug handles of the "
                 "ETRecord (handle:5)");
    options.text(
        "--taps all|REGEX", trace.taps,
        "Also log values inside XNNPACK, MLX, native and TOSA delegates: all, or those whose node kind "
        "(Conv), id (12) or debug handle (handle:5) matches REGEX");
    options.text("--etrecord FILE", trace.record,
                 "ETRecord with the debug handles for --debug-filter; also used to emulate delegates of "
                 "unavailable backends");
    options.flag("--allocations", trace.allocations,
                 "Record allocations (ExecuTorch's Inspector cannot read such traces)");
    options.flag("--counters", trace.counters,
                 "Also count cycles, instructions, misses and page faults of each instruction, in "
                 "TRACE.counters.json next to the trace; shown as table columns");
    options.integer("--max-events", trace.maxEvents,
                    "Maximum number of events per trace; later runs are not recorded (default: 4,000,000)",
                    1);
}

}  // namespace et::tasks
