#include "app/tasks/base/program_file.h"
#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/debug_process.h"
#include "app/tasks/debug/recording_file.h"
#include "app/tasks/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

// The process that runs the model.
namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Output of plugins goes to stderr: stdout is for answers.
void prepareDebuggedProcess() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    if (const core::Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC)); nowhere) {
        ::dup2(nowhere.get(), STDIN_FILENO);
    }
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

Result<std::unique_ptr<Model>> openModel(const DebugSettings& settings, DebugProgress& progress) {
    ET_ASSIGN(auto model, Model::prepare(settings.model, settings.options));
    model->cancel = &progress.interrupt;
    model->module.emplace(model->newModule(nullptr));
    ET_ASSIGN(const program::Method* const chosen, chooseMethod(*model->program, settings.options.method));
    auto loaded = model->module->load(chosen->name);
    if (!loaded) {
        return std::unexpected(errorOfProgram(std::move(loaded).error(), *model->program));
    }
    model->method = *loaded;
    return model;
}

Result<std::unique_ptr<Debugger>> openDebugger(const DebugSettings& settings, core::Bytes recording,
                                               DebugProgress& progress) {
    std::shared_ptr<const etrecord::Record> record;
    if (!settings.options.record.empty()) {
        ET_ASSIGN(record, openRecord(settings.options.record));
    }
    ET_ASSIGN(auto model, openModel(settings, progress));
    if (record == nullptr) {
        record = model->ownRecord;
    }
    const TimelineOptions options{.budgetBytes = settings.budgetBytes, .record = record};
    if (!recording.empty()) {
        ET_ASSIGN(auto timeline, RecordingFile::decode(recording, std::move(model), options));
        return Debugger::make(std::move(timeline), record, &progress);
    }
    if (settings.recording.empty()) {
        ET_ASSIGN(auto timeline, Timeline::make(std::move(model), options));
        return Debugger::make(std::move(timeline), record, &progress);
    }
    ET_ASSIGN(auto timeline, RecordingFile::open(settings.recording, std::move(model), options));
    return Debugger::make(std::move(timeline), record, &progress);
}

class DebugServer {
  public:
    DebugServer(Debugger& debugger, const DebugSettings& settings, const AnswerRenderer& renderer,
                DebugProgress& progress)
        : context{.debugger = debugger, .settings = settings, .progress = &progress}, render(renderer) {}

    [[nodiscard]] DebugResponse answer(const DebugRequest& request) {
        switch (request.kind) {
            case DebugRequest::Kind::Complete:
                return {.text = fmt::format("{}", fmt::join(completionsOf(context, request.line), "\n"))};
            case DebugRequest::Kind::Restore:
                return rendered({.content = restore(request)});
            default:
                break;
        }
        auto result = runLine(context, request.line);
        const TimelinePoint point = context.debugger.timeline().point();
        context.progress->branch = context.debugger.timeline().branch();
        context.progress->execution = point.execution;
        context.progress->step = point.step;
        return result ? rendered(*std::move(result)) : DebugResponse{.isAnswer = false};
    }

  private:
    [[nodiscard]] DebugResponse rendered(DebugAnswer answer) const {
        DebugResponse response{.text = render(answer.content),
                               .quits = answer.quits,
                               .definition = std::move(answer.definition),
                               .isReset = answer.isReset,
                               .begun = answer.begun,
                               .plugin = answer.plugin,
                               .saved = std::move(answer.saved)};
        if (!answer.content) {
            response.error = answer.content.error();
        }
        if (answer.isEdit) {
            response.edited = RecordingFile::encode(context.debugger.timeline());
            if (response.edited.size() > RecordingFile::maxBytes) {
                response.edited.clear();  // a crash loses the edits
            }
        }
        return response;
    }

    /// Repeats what another process did, up to the instruction in which it died.
    [[nodiscard]] Result<Dict> restore(const DebugRequest& request) {
        for (const std::string& each : request.definitions) {
            static_cast<void>(runLine(context, each));
        }
        if (!request.runsAgain) {
            return restoredWithoutRunning(request);
        }
        Timeline& timeline = context.debugger.timeline();
        if (request.message.empty()) {
            RecordingFile::forgetResults(timeline);  // other kernels replaced them
        }
        if (request.firstBranch != timeline.branch()) {
            ET_TRY(timeline.switchTo(request.firstBranch));
        }
        for (const std::string& each : request.executions) {
            if (const auto begun = runLine(context, each); begun && !begun->content) {
                return std::unexpected(begun->content.error());
            }
        }
        if (timeline.executionCount() == 0) {
            return restoredWithoutRunning(request);
        }
        if (request.branch != timeline.branch()) {
            ET_TRY(timeline.switchTo(request.branch));
        }
        const Result<Stop> jumped =
            context.debugger.jump({.execution = request.execution, .step = request.step});
        ET_TRY(jumped);
        if (request.message.empty()) {
            return stopInfo(context.debugger, *jumped);
        }
        ET_ASSIGN(const Stop stop, context.debugger.arrive(StopReason::Crash, request.message));
        return stopInfo(context.debugger, stop);
    }

    [[nodiscard]] Result<Dict> restoredWithoutRunning(const DebugRequest& request) {
        if (request.message.empty()) {
            return fail(ErrorCode::InvalidArgument, "nothing has run yet");
        }
        ET_ASSIGN(const MethodIndex* const method, context.debugger.index().method(request.line));
        const Stop stop{.reason = StopReason::Crash,
                        .point = {.execution = request.execution, .step = request.step},
                        .method = std::string(method->method().name),
                        .site = method->find(request.chain, request.instruction),
                        .message = request.message};
        return stopInfo(context.debugger, stop);
    }

    CommandContext context;
    const AnswerRenderer& render;
};

}  // namespace

void serveDebugger(const DebugSettings& settings, core::Bytes recording, const AnswerRenderer& render,
                   DebugProgress& progress, int requests, int responses) {
    prepareDebuggedProcess();
    DebugResponse opened;
    std::unique_ptr<Debugger> debugger;
    const auto confined = confine(settings.options.sandbox, {});
    if (confined) {
        opened.text = *confined;
        auto made = openDebugger(settings, recording, progress);
        if (made) {
            debugger = *std::move(made);
        } else {
            opened.error = made.error();
        }
    } else {
        opened.error = confined.error();
    }
    if (!sendMessage(responses, encode(opened)) || debugger == nullptr) {
        return;
    }
    DebugServer server(*debugger, settings, render, progress);
    while (true) {
        const auto message = receiveMessage(wire::readingFrom(requests));
        const auto request = message ? decodeRequest(*message) : std::unexpected(message.error());
        if (!request || !sendMessage(responses, encode(server.answer(*request)))) {
            return;
        }
    }
}

}  // namespace et::tasks
