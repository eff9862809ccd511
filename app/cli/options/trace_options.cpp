#include "app/cli/options/trace_options.h"

#include <array>

namespace et::cli {
namespace {

constexpr std::array levels{Choice{"outputs", core::DebugLevel::Outputs},
                            Choice{"intermediates", core::DebugLevel::Intermediates}};

}  // namespace

void addTraceOptions(OptionList& options, tasks::TraceOptions& trace) {
    options.group("Trace");
    options.text("--etdump", trace.trace, "Record a trace (ETDump) to this file").takes(fileValue);
    options.text("--debug-buffer", trace.debugBuffer, "Log values to this file; needs --etdump")
        .takes(fileValue);
    options.choice("--debug-level", trace.debugLevel, levels,
                   "Log the outputs of the method, or also the results of every instruction (default: "
                   "outputs; intermediates with --debug-filter)");
    options
        .text("--debug-filter", trace.debugFilter,
              "Log only these operators (conv*, add.out), instructions (12, 3-7) or debug handles of the "
              "ETRecord (handle:5)")
        .separatedByCommas()
        .takes("WHAT,...");
    options
        .text("--taps", trace.taps,
              "Also log values inside XNNPACK delegates: all, or those whose node kind (Conv), id (12) or "
              "debug handle (handle:5) matches REGEX")
        .takes("all|REGEX");
    options
        .text("--etrecord", trace.record,
              "ETRecord with the debug handles for --debug-filter; also used to emulate delegates of "
              "unavailable backends")
        .takes(fileValue);
    options.flag("--allocations", trace.allocations,
                 "Record allocations (ExecuTorch's Inspector cannot read such traces)");
    options.flag("--counters", trace.counters,
                 "Also count cycles, instructions, misses and page faults of each instruction, in "
                 "TRACE.counters.json next to the trace; shown as table columns");
    options.integer("--max-events", trace.maxEvents,
                    "Maximum number of events per trace; later runs are not recorded (default: 4,000,000)",
                    1);
}

}  // namespace et::cli
