#include "app/cli/session_options.h"

#include "app/cli/option_types.h"
#include "app/cli/session/session_input.h"
#include "app/tasks/suggestion.h"
#include "runtime/executor/plugin.h"

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

/// The session of a session file, which has to have a trace.
Result<std::shared_ptr<const Session>> openStored(const SessionOptions& options,
                                                  const inspector::store::SessionStore& store,
                                                  const inspector::JoinOptions& join,
                                                  const Invocation& invocation) {
    if (!options.named.trace.empty() || !options.named.record.empty() || !options.named.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument, "a session stands alone, without other files",
                    {.file = options.unnamed.front().string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(const auto session,
              openInput({.files = options.unnamed, .join = join}, store, invocation.console));
    if (session->blocks == nullptr) {
        return fail(ErrorCode::InvalidArgument, "this needs a trace, which the session does not have",
                    {.file = options.unnamed.front().string(), .field = {}, .offset = {}});
    }
    return session;
}

/// The decoders of plugins, which live as long as these.
Result<inspector::MetadataDecoders> decodersOf(const std::vector<fs::path>& paths) {
    inspector::MetadataDecoders decoders;
    for (const fs::path& path : paths) {
        ET_ASSIGN(executor::Plugin loaded, executor::Plugin::load(path));
        const auto plugin = std::make_shared<const executor::Plugin>(std::move(loaded));
        for (const core::MetadataDecoder* decoder : plugin->decoders()) {
            decoders.emplace_back(plugin, decoder);
        }
    }
    return decoders;
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
    addRepeatable(app, "--plugin", options.plugins,
                  "Shared library with decoders of what delegates write beside their events")
        ->type_name(fileValue);
    app.option_defaults()->group("Measuring");
    addChoice(app, "--source-time-scale,--source_time_scale", options.join.source, timeScaleWords,
              "Unit of the trace's clock (default: ns)");
    app.add_flag("--reference-quirks", options.join.referenceQuirks,
                 "Do as ExecuTorch's Inspector does where et-inspect differs on purpose");
}

Result<std::shared_ptr<const Session>> openSession(const SessionOptions& options,
                                                   const inspector::JoinOptions& join,
                                                   const Invocation& invocation) {
    ET_ASSIGN(const auto store, findStore(options.unnamed));
    if (store) {
        return openStored(options, *store, join, invocation);
    }
    ET_ASSIGN(SessionFiles files, findFiles(options, invocation));
    inspector::JoinOptions joined = join;
    ET_ASSIGN(joined.decoders, decodersOf(options.plugins));
    ET_ASSIGN(auto session, Session::open(std::move(files), std::move(joined)));
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
