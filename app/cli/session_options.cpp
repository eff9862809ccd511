#include "app/cli/session_options.h"

#include "app/cli/option_types.h"
#include "app/cli/suggestion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Session;
using inspector::SessionFiles;

/// `path` takes the place `slot`, unless another file has it.
Result<> place(fs::path& slot, const fs::path& path, std::string_view what) {
    if (!path.empty() && !slot.empty() && slot != path) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("two files for the {}: {} and {}", what, slot.string(), path.string()));
    }
    slot = path.empty() ? slot : path;
    return {};
}

/// A word that is no file, but nearly a verb, was meant as one.
Result<> checkForVerbs(const std::vector<fs::path>& paths, const Invocation& invocation) {
    for (const fs::path& path : paths) {
        std::error_code unknown;
        if (fs::exists(path, unknown)) {
            continue;
        }
        std::vector<std::string> verbs;
        for (const CommandDoc& verb : invocation.documentation().verbs) {
            verbs.push_back(verb.name);
        }
        if (const std::string guess = didYouMean(path.string(), verbs); !guess.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("no verb or file '{}'{}", path.string(), guess));
        }
    }
    return {};
}

Result<SessionFiles> findFiles(const SessionOptions& options, const Invocation& invocation) {
    SessionFiles files;
    if (!options.unnamed.empty()) {
        ET_TRY(checkForVerbs(options.unnamed, invocation));
        std::vector<fs::path> paths = options.unnamed;
        if (!options.named.trace.empty()) {
            paths.push_back(options.named.trace);  // so that a debug buffer is recognised beside it
        }
        ET_ASSIGN(files, Session::sort(paths));
    }
    ET_TRY(place(files.trace, options.named.trace, "trace"));
    ET_TRY(place(files.record, options.named.record, "record"));
    ET_TRY(place(files.debugBuffer, options.named.debugBuffer, "debug buffer"));
    if (files.trace.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "this needs a trace (--etdump FILE); 'et-inspect info FILE' describes other files");
    }
    return files;
}

}  // namespace

void addSessionOptions(CLI::App& app, SessionOptions& options) {
    app.option_defaults()->group("Input");
    app.add_option("FILE", options.unnamed,
                   "Trace, record and debug buffer in any order: what each is shows in its content")
        ->type_name(fileValue);
    app.add_option("--etdump,--etdump-path,--etdump_path", options.named.trace, "Trace to show (ETDump)")
        ->type_name(fileValue);
    app.add_option(
           "--etrecord,--etrecord-path,--etrecord_path", options.named.record,
           "Record of the model's export (ETRecord), which links events to operators, modules and source")
        ->type_name(fileValue);
    app.add_option("--debug-buffer,--debug-buffer-path,--debug_buffer_path", options.named.debugBuffer,
                   "Values that the runtime logged beside the trace")
        ->type_name(fileValue);
    app.add_option("--method", options.join.method,
                   "Method that the trace ran; without it, the one that fits")
        ->type_name("NAME");
    app.option_defaults()->group("Measuring");
    addChoice(app, "--source-time-scale,--source_time_scale", options.join.source, timeScaleWords,
              "Unit of the trace's clock (default: ns)");
    app.add_flag("--reference-quirks", options.join.referenceQuirks,
                 "Do as ExecuTorch's Inspector does where et-inspect differs on purpose");
}

Result<std::shared_ptr<const Session>> openSession(const SessionOptions& options,
                                                   const inspector::JoinOptions& join,
                                                   const Invocation& invocation) {
    ET_ASSIGN(SessionFiles files, findFiles(options, invocation));
    ET_ASSIGN(auto session, Session::open(std::move(files), join));
    for (const std::string& warning : session->blocks->warnings()) {
        invocation.console.warn(warning);
    }
    return session;
}

std::vector<fs::path> inputsOf(const Session& session) {
    std::vector<fs::path> inputs{session.files.trace, session.files.record, session.files.debugBuffer};
    std::erase(inputs, fs::path{});
    return inputs;
}

}  // namespace et::cli
