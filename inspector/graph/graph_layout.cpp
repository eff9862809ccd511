#include "inspector/graph/graph_layout.h"

#include "inspector/graph/detail/layout_text.h"
#include "runtime/core/child_process.h"
#include "runtime/core/own_programs.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <span>
#include <string>
#include <utility>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;

namespace {

using core::ReadEnd;

/// Far above the size of any layout.
constexpr std::size_t maxAnswer = std::size_t{256} << 20;
/// Maximum delay of noticing a cancellation.
constexpr std::chrono::milliseconds cancelInterval{20};

Result<std::filesystem::path> findHelper() {
    std::filesystem::path found = core::findOwnProgram(core::OwnProgram::Layout);
    if (found.empty()) {
        return fail(ErrorCode::NotFound,
                    "et-layout, which lays out graphs, is missing from this installation");
    }
    return found;
}

/// An anonymous file that contains `text`, positioned at its start.
Result<core::Descriptor> nameless(std::string_view text) {
    core::Descriptor file(::memfd_create("et-layout", MFD_CLOEXEC));
    const int failed = file ? core::writeAll(file.get(), std::as_bytes(std::span(text))) : errno;
    if (!file || failed != 0 || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        return std::unexpected(
            core::systemError("et-layout's input cannot be written", failed != 0 ? failed : errno));
    }
    return file;
}

Result<> layoutResult(ReadEnd how, const LayoutOptions& options) {
    switch (how) {
        case ReadEnd::Cancelled:
            return fail(ErrorCode::Cancelled, "the layout was cancelled");
        case ReadEnd::Deadline:
            return fail(ErrorCode::Limit, fmt::format("the layout takes longer than {} seconds: show a "
                                                      "smaller part of the graph, or fold its groups",
                                                      options.timeoutSeconds));
        case ReadEnd::TooLong:
            return fail(ErrorCode::Limit, "the picture is too large: fold groups of the graph");
        case ReadEnd::Closed:
            break;
    }
    return {};
}

/// Output of et-layout for `input`.
Result<std::string> answerTo(const core::Descriptor& input, const std::string& program,
                             const LayoutOptions& options) {
    const core::ReadLimits limits{
        .deadline = core::deadlineIn(std::chrono::duration<double>(options.timeoutSeconds)),
        .cancelled = [&] { return options.cancel != nullptr && options.cancel->load(); },
        .interval = cancelInterval};
    ET_ASSIGN(core::Pipe output, core::Pipe::make());
    ET_ASSIGN(
        core::ChildProcess helper,
        core::ChildProcess::spawn({.program = program,
                                   .argv = {program},
                                   .redirections = {{.number = STDIN_FILENO, .from = input.get()},
                                                    {.number = STDOUT_FILENO, .from = output.write.get()},
                                                    {.number = STDERR_FILENO}}}));
    output.write.close();
    std::string answer;
    core::PipeReader intake{.from = output.read, .into = answer, .maxBytes = maxAnswer};
    ET_TRY(layoutResult(core::readAll(std::span(&intake, 1), limits), options));
    ET_TRY(layoutResult(core::waitWithin(helper, limits), options));
    if (helper.end() != core::ProcessEnd{}) {
        const core::ProcessEnd end = helper.end();
        // Large graphs exceed Graphviz's limits; it may then be killed by a signal.
        return fail(
            end.signal != 0 ? ErrorCode::Limit : ErrorCode::Io,
            fmt::format("et-layout, which lays out graphs, failed: {}{}", core::endText(end),
                        end.signal != 0 ? "; for a large graph, show a smaller part or fold its groups" : ""),
            {.file = program, .field = {}, .offset = {}});
    }
    return answer;
}

}  // namespace

Result<GraphLayout> layOut(const LayoutRequest& request, const LayoutOptions& options) {
    std::filesystem::path program = options.helper;
    if (program.empty()) {
        ET_ASSIGN(program, findHelper());
    }
    ET_ASSIGN(const core::Descriptor input, nameless(graph::detail::requestText(request)));
    ET_ASSIGN(const std::string answer, answerTo(input, program.string(), options));
    auto layout = graph::detail::readAnswer(answer, request);
    if (!layout) {
        return std::unexpected(std::move(layout).error().in(program.string()));
    }
    return layout;
}

}  // namespace et::inspector
