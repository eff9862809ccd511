#include "app/tasks/session/trace_input.h"

#include "app/tasks/base/file_options.h"
#include "app/tasks/base/file_slot.h"
#include "app/tasks/base/option_list.h"
#include "app/tasks/session/package_session.h"
#include "inspector/session/artifact.h"
#include "inspector/session/placement.h"
#include "runtime/executor/plugin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::RecognizedFile;
using inspector::Session;
using inspector::SessionFiles;

/// Assigns the files of `input` to the members of a session; those that it opens are added to `opened`.
Result<SessionFiles> findFiles(const TraceInput& input, std::vector<RecognizedFile>& opened) {
    SessionFiles files;
    if (!input.files.empty()) {
        if (!input.named.trace.empty()) {  // so that a debug buffer next to it is recognized
            ET_ASSIGN(opened.emplace_back(), RecognizedFile::open(input.named.trace));
        }
        ET_ASSIGN(files, inspector::placeFiles(opened, input.several ? inspector::SessionScope::Traces
                                                                     : inspector::SessionScope::Trace));
    }
    ET_TRY(fillSlot(files.trace, input.named.trace, "trace"));
    ET_TRY(fillSlot(files.record, input.named.record, "record"));
    ET_TRY(fillSlot(files.debugBuffer, input.named.debugBuffer, "debug buffer"));
    if (!input.program.empty()) {
        ET_ASSIGN(const RecognizedFile program, RecognizedFile::open(input.program));
        ET_ASSIGN(const SessionFiles found,
                  inspector::placeFiles(std::span(&program, 1), inspector::SessionScope::All));
        opened.push_back(program);
        if (found.program.empty() && found.bundle.empty() && found.package.empty()) {
            return fail(ErrorCode::InvalidArgument, "expected a program or a bundled program",
                        {.file = input.program.string(), .field = {}, .offset = {}});
        }
        files.program = found.program;
        files.bundle = found.bundle;
        files.package = found.package;
    }
    if (files.trace.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "expected a trace; 'et-inspect info FILE' describes other files");
    }
    return files;
}

/// Opens the session of a session file, which must have a trace.
Result<OpenedSession> openStored(const TraceInput& input, const SessionSource& source) {
    const core::Where where{.file = input.files.front().string(), .field = {}, .offset = {}};
    if (!input.named.trace.empty() || !input.named.record.empty() || !input.named.debugBuffer.empty()) {
        return fail(ErrorCode::InvalidArgument, "a session cannot be combined with other files", where);
    }
    ET_ASSIGN(OpenedSession opened, openInput(input.join, source));
    if (opened.session->blocks == nullptr) {
        return fail(ErrorCode::InvalidArgument, "expected a trace, which the session does not have", where);
    }
    if (!opened.session->others.empty()) {
        // The other traces are only for comparison.
        auto alone = std::make_shared<Session>(*opened.session);
        alone->others.clear();
        opened.session = std::move(alone);
    }
    return opened;
}

/// Checks that the requested phases are in one of the traces.
Result<> checkPhases(const TraceInput& input, const Session& session) {
    std::vector<std::string_view> known;
    for (const inspector::events::NamedTrace& trace : namedTraces(session)) {
        for (const std::string_view name : trace.blocks->phases().names()) {
            if (!std::ranges::contains(known, name)) {
                known.push_back(name);
            }
        }
    }
    for (const std::string& phase : input.join.phases) {
        if (!std::ranges::contains(known, phase)) {
            return fail(ErrorCode::NotFound,
                        known.empty() ? fmt::format("no phase '{}': the trace has no phases", phase)
                                      : fmt::format("no phase '{}', expected one of {}", phase,
                                                    fmt::join(known, ", ")));
        }
    }
    return {};
}

/// Decoders of the plugins; they keep the plugins loaded.
Result<inspector::MetadataDecoders> loadDecoders(const std::vector<fs::path>& paths) {
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

Result<OpenedSession> openTraceInput(const TraceInput& input) {
    ET_ASSIGN(SessionSource source, SessionSource::open(input.files));
    if (source.store) {
        return openStored(input, source);
    }
    ET_ASSIGN(SessionFiles files, findFiles(input, source.files));
    inspector::JoinOptions join = input.join;
    ET_ASSIGN(join.decoders, loadDecoders(input.plugins));
    OpenedSession opened;
    ET_ASSIGN(opened.session, Session::open(std::move(files), join, source.files));
    opened.session = withPackageProgram(std::move(opened.session));
    ET_TRY(checkPhases(input, *opened.session));
    opened.warnings = opened.session->problems;
    const bool several = !opened.session->others.empty();
    for (const inspector::events::NamedTrace& trace : namedTraces(*opened.session)) {
        for (const std::string& warning : trace.blocks->warnings()) {
            opened.warnings.push_back(several ? fmt::format("{}: {}", core::printable(trace.name), warning)
                                              : warning);
        }
    }
    return opened;
}

std::vector<inspector::events::NamedTrace> namedTraces(const Session& session) {
    std::vector<inspector::events::NamedTrace> all{
        {.name = session.files.trace.filename().string(), .blocks = session.blocks.get()}};
    for (const inspector::OtherTrace& other : session.others) {
        all.push_back({.name = other.files.trace.filename().string(), .blocks = other.blocks.get()});
    }
    return all;
}

std::vector<fs::path> inputsOf(const Session& session) {
    std::vector<fs::path> inputs{session.files.trace,   session.files.record, session.files.debugBuffer,
                                 session.files.program, session.files.bundle, session.files.package};
    for (const inspector::OtherTrace& other : session.others) {
        inputs.push_back(other.files.trace);
        inputs.push_back(other.files.debugBuffer);
    }
    inputs.insert(inputs.end(), session.files.profiles.begin(), session.files.profiles.end());
    std::erase(inputs, fs::path{});
    return inputs;
}

void addTraceInput(OptionList& options, TraceInput& input) {
    options.group("Input");
    options.file(
        "FILE", input.files,
        input.several
            ? "Traces, profiles of vendors' tools, ETRecord and debug buffer in any order, distinguished by "
              "content; '-' is stdin"
            : "Trace, profiles of vendors' tools, ETRecord and debug buffer in any order, distinguished by "
              "content; '-' is stdin");
    options.file("--etdump,--etdump-path,--etdump_path", input.named.trace, "Trace to show (ETDump)")
        .takesFiles({SessionFile::Trace});
    addRecordFile(options, "--etrecord,--etrecord-path,--etrecord_path", input.named.record,
                  "ETRecord of the export; links events to operators, modules and source");
    options
        .file("--debug-buffer,--debug-buffer-path,--debug_buffer_path", input.named.debugBuffer,
              "Debug buffer with the values logged during the trace")
        .takesFiles({SessionFile::DebugBuffer});
    addTracedMethod(options, input.join);
    options.file("--plugin", input.plugins, "Shared library with decoders of delegate metadata (repeatable)");
    options.group("Measuring");
    addTraceClock(options, input.join.clock, "--source-time-scale,--source_time_scale");
    options.flag("--reference-quirks", input.join.referenceQuirks,
                 "Match ExecuTorch's Inspector where et-inspect differs on purpose");
}

}  // namespace et::tasks
