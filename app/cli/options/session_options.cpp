#include "app/cli/options/session_options.h"

namespace et::cli {
namespace {

constexpr const char* methodHelp = "Traced method (default: the one that matches)";
constexpr const char* clockHelp = "Time unit of the trace (default: ns)";

}  // namespace

void addTraceInput(OptionList& options, tasks::TraceInput& input) {
    options.group("Input");
    options.file(
        "FILE", input.files,
        input.several
            ? "Traces, ETRecord and debug buffer in any order, distinguished by content; '-' is stdin"
            : "Trace, ETRecord and debug buffer in any order, distinguished by content; '-' is stdin");
    options.file("--etdump,--etdump-path,--etdump_path", input.named.trace, "Trace to show (ETDump)");
    options.file("--etrecord,--etrecord-path,--etrecord_path", input.named.record,
                 "ETRecord of the export; links events to operators, modules and source");
    options.file("--debug-buffer,--debug-buffer-path,--debug_buffer_path", input.named.debugBuffer,
                 "Debug buffer with the values logged during the trace");
    options.text("--method NAME", input.join.method, methodHelp);
    options.file("--plugin", input.plugins, "Shared library with decoders of delegate metadata (repeatable)");
    options.group("Measuring");
    options.choice("--source-time-scale,--source_time_scale", input.join.source, timeScaleChoices, clockHelp);
    options.flag("--reference-quirks", input.join.referenceQuirks,
                 "Match ExecuTorch's Inspector where et-inspect differs on purpose");
}

Option& addSessionFiles(OptionList& options, tasks::SessionInput& input) {
    options.group("Input");
    return options.file(
        "FILE", input.files,
        "Session, or programs, ETRecords, traces and debug buffers in any order; '-' is stdin");
}

void addJoinOptions(OptionList& options, tasks::SessionInput& input) {
    options.text("--method NAME", input.join.method, methodHelp);
    options.choice("--source-time-scale", input.join.source, timeScaleChoices, clockHelp);
}

}  // namespace et::cli
